import type { FromSchema } from 'json-schema-to-ts';
import { instantSchema, nameSchema, nullable, recordOf } from '../contract/schemas.ts';
import { scopes } from '../contract/scopes.ts';

const scopeList = { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: scopes } } as const;

export const apiKeyFields = {
  name: nameSchema,
  scopes: scopeList,
  prefix: { type: 'string', description: 'The first characters of the key, to recognise it by.' },
  last_used_at: nullable(instantSchema),
  expires_at: nullable(instantSchema),
  revoked_at: nullable(instantSchema),
} as const;

export const apiKey = recordOf('ApiKey', apiKeyFields);
export const apiKeyWithSecret = recordOf('ApiKeyWithSecret', { ...apiKeyFields, key: { type: 'string', description: 'Shown once.' } });
export const apiKeyInput = {
  title: 'ApiKeyInput', type: 'object', additionalProperties: false, required: ['name', 'scopes'],
  properties: { name: nameSchema, scopes: scopeList, expires_at: nullable(instantSchema) },
} as const;
export type ApiKeyInput = FromSchema<typeof apiKeyInput>;
