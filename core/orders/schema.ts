import { fieldDefinition } from '../schemas/schema.ts';
import { idSchema, inputOf, instantSchema, locationSchema, nullable, patchOf, recordOf, type FieldsOf } from '../contract/schemas.ts';

export const orderTypes = ['task', 'break'] as const;
export type OrderType = (typeof orderTypes)[number];

export const orderStatuses = ['created', 'on_road', 'in_progress', 'completed', 'unable_to_complete', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

const status = { type: 'string', enum: orderStatuses } as const;

/** The longest service that an order may state: a week. */
const durationSecondsMax = 7 * 86_400;

export const orderFields = {
  type: { type: 'string', enum: orderTypes },
  location: locationSchema,
  duration_seconds: { type: 'integer', minimum: 1, maximum: durationSecondsMax, description: 'Work without travel.' },
  window_start: { ...instantSchema, description: 'The whole service lies between window_start and window_end.' },
  window_end: instantSchema,
  status: { ...status, description: 'Live status. What an administrator writes becomes pending_status until it is published.' },
  pending_status: { type: ['string', 'null'], enum: [...orderStatuses, null] },
  scheduled_at: { ...nullable(instantSchema), description: 'Planned start of the service, on a whole second; null unschedules.' },
  vehicle_id: { ...nullable(idSchema), description: 'Assigned vehicle, or the one selected for it. A break needs one.' },
  driver_id: { ...nullable(idSchema), description: 'Assigned driver, or the one selected for it.' },
  replacement_driver_id: { ...nullable(idSchema), description: 'Breaks only: who drives on after it.' },
  custom_fields: { type: 'object', additionalProperties: true, description: 'Values by custom field id.' },
} as const;
export type OrderFields = FieldsOf<typeof orderFields>;

/** The schemas that were active when the order was created. */
export const schemaSnapshotSchema = {
  type: 'object', additionalProperties: false, required: ['schemas'], readOnly: true,
  properties: {
    schemas: {
      type: 'array',
      items: {
        type: 'object', additionalProperties: false, required: ['id', 'name', 'revision', 'fields'],
        properties: { id: idSchema, name: { type: 'string' }, revision: { type: 'integer' }, fields: { type: 'array', items: fieldDefinition } },
      },
    },
  },
} as const;

const managed = {
  schema_snapshot: schemaSnapshotSchema,
  actual_started_at: { ...nullable(instantSchema), readOnly: true },
  actual_completed_at: { ...nullable(instantSchema), readOnly: true },
} as const;

const options = { readOnly: Object.keys(managed) };
const required = ['location', 'duration_seconds', 'window_start', 'window_end'];

export const order = recordOf('Order', { ...orderFields, ...managed });
export const orderInput = inputOf('Order', orderFields, { ...options, required });
export const orderPatch = patchOf('Order', orderFields, options);
export const orderBatchInput = {
  title: 'OrderBatchInput', type: 'object', additionalProperties: false, required: ['items'],
  properties: { items: { type: 'array', minItems: 1, maxItems: 1_000, items: orderInput } },
} as const;
export const orderBatch = {
  title: 'OrderBatch', type: 'object', additionalProperties: false, required: ['items'],
  properties: { items: { type: 'array', items: order } },
} as const;
