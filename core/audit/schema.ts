import { idSchema, instantSchema, nullable, uuidSchema } from '../contract/schemas.ts';

export const actorKinds = ['account', 'key', 'driver', 'anonymous'] as const;
export type ActorKind = (typeof actorKinds)[number];

const change = {
  type: 'object', additionalProperties: false, required: ['record_kind', 'record_id', 'change', 'fields'],
  properties: {
    record_kind: { type: 'string' },
    record_id: idSchema,
    change: { type: 'string', enum: ['created', 'updated', 'deleted'] },
    fields: {
      type: ['object', 'null'], description: 'By field the value before and after. Secrets are "***"; a long value says how long it is; null where an entry has too many changes.',
      additionalProperties: { type: 'object', additionalProperties: false, required: ['before', 'after'], properties: { before: {}, after: {} } },
    },
  },
} as const;

export const auditEntry = {
  title: 'AuditEntry', type: 'object', additionalProperties: false,
  required: ['id', 'at', 'actor', 'credential_id', 'operation', 'record_kind', 'record_id', 'request_id', 'address', 'changes', 'changes_omitted'],
  properties: {
    id: uuidSchema,
    at: instantSchema,
    actor: {
      type: 'object', additionalProperties: false, required: ['kind', 'id', 'name'],
      properties: {
        kind: { type: 'string', enum: actorKinds },
        id: nullable(idSchema),
        name: { type: ['string', 'null'], description: 'As it was then: e-mail address, name and prefix of a key, name of a driver.' },
      },
    },
    credential_id: { ...nullable(uuidSchema), description: 'The session or the key.' },
    operation: { type: 'string', description: 'The operationId.' },
    record_kind: { type: ['string', 'null'] },
    record_id: nullable(idSchema),
    request_id: { type: 'string' },
    address: { type: 'string' },
    changes: { type: 'array', items: change },
    changes_omitted: { type: 'integer', minimum: 0, description: 'How many changed records are not listed.' },
  },
} as const;
