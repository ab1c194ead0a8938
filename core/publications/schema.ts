import type { FromSchema } from 'json-schema-to-ts';
import { orderStatuses } from '../orders/schema.ts';
import { idSchema, nullable, recordOf, uuidSchema } from '../contract/schemas.ts';

const ids = { type: 'array', maxItems: 10_000, items: idSchema } as const;

export const publishInput = {
  title: 'PublishInput', type: 'object', additionalProperties: false,
  properties: {
    plan_ids: { ...ids, description: 'Planning versions that drivers shall see.' },
    order_ids: { ...ids, description: 'Orders without a route whose pending status takes effect.' },
    expected_revision: {
      type: 'array', maxItems: 20_000,
      items: { type: 'object', additionalProperties: false, required: ['id', 'revision'], properties: { id: idSchema, revision: { type: 'integer' } } },
      description: 'Revisions of plans and orders as they were reviewed; one that has changed rejects all.',
    },
    acknowledge_warnings: { type: 'boolean', default: false },
  },
} as const;
export type PublishInput = FromSchema<typeof publishInput>;

const status = { type: 'string', enum: orderStatuses } as const;
const statusChange = {
  type: 'object', additionalProperties: false, required: ['order_id', 'from', 'to'],
  properties: { order_id: idSchema, from: status, to: status },
} as const;
export type StatusChange = FromSchema<typeof statusChange>;

export const publicationFields = {
  plan_ids: ids,
  order_ids: ids,
  acknowledged_warnings: { type: 'array', items: { type: 'string' } },
  published_by: { ...nullable(uuidSchema), description: 'The account or key that published.' },
  status_changes: { type: 'array', items: statusChange, description: 'Pending statuses that took effect.' },
} as const;
export const publication = recordOf('Publication', publicationFields);
