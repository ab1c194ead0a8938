import { emailSchema, instantSchema, nameSchema, nullable, uuidSchema, idSchema } from '../contract/schemas.ts';

export const passwordSchema = { type: 'string', minLength: 12, maxLength: 1_000, writeOnly: true } as const;

export const account = {
  title: 'Account', type: 'object', additionalProperties: false, required: ['id', 'email', 'name', 'created_at'],
  properties: { id: uuidSchema, email: { type: 'string' }, name: { type: ['string', 'null'] }, created_at: instantSchema },
} as const;

export const accountInput = {
  title: 'AccountInput', type: 'object', additionalProperties: false, required: ['email', 'password'],
  properties: { email: emailSchema, password: passwordSchema, name: nullable(nameSchema) },
} as const;

export const sessionInput = {
  title: 'SessionInput', type: 'object', additionalProperties: false, required: ['email', 'password'],
  properties: { email: { type: 'string', maxLength: 320 }, password: { type: 'string', maxLength: 1_000, writeOnly: true } },
} as const;

export const session = {
  title: 'Session', type: 'object', additionalProperties: false, required: ['access_token', 'token_type', 'expires_at'],
  properties: { access_token: { type: 'string' }, token_type: { type: 'string', const: 'Bearer' }, expires_at: instantSchema },
} as const;

export const me = {
  title: 'Me', type: 'object', additionalProperties: false, required: ['account', 'businesses'],
  properties: {
    account,
    businesses: {
      type: 'array',
      items: { type: 'object', additionalProperties: false, required: ['id', 'name', 'membership_id'], properties: { id: uuidSchema, name: { type: 'string' }, membership_id: idSchema } },
    },
  },
} as const;
