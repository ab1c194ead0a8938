import { emailSchema, instantSchema, nameSchema, nullable, recordOf, uuidSchema } from '../contract/schemas.ts';
import { passwordSchema } from '../accounts/schema.ts';

export const membershipStates = ['invited', 'active', 'removed'] as const;

export const adminFields = {
  email: { type: 'string' },
  name: { type: ['string', 'null'] },
  account_id: nullable(uuidSchema),
  state: { type: 'string', enum: membershipStates },
  invitation_expires_at: nullable(instantSchema),
} as const;

export const admin = recordOf('Administrator', adminFields);
export const invitedAdmin = recordOf('InvitedAdministrator', { ...adminFields, invitation_code: { type: 'string', description: 'Shown once.' } });
export const adminInput = { title: 'AdministratorInput', type: 'object', additionalProperties: false, required: ['email'], properties: { email: emailSchema } } as const;
export const invitationAcceptance = {
  title: 'InvitationAcceptance', type: 'object', additionalProperties: false, required: ['invitation_code'],
  properties: {
    invitation_code: { type: 'string', maxLength: 200 },
    password: { ...passwordSchema, description: 'Needed where the invited address has no account yet.' },
    name: nullable(nameSchema),
  },
} as const;
