import type { FromSchema } from 'json-schema-to-ts';
import { idSchema, recordOf } from '../contract/schemas.ts';

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

export const publicationFields = {
  plan_ids: ids,
  order_ids: ids,
  acknowledged_warnings: { type: 'array', items: { type: 'string' } },
} as const;
export const publication = recordOf('Publication', publicationFields);
