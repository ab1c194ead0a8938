import type { FromSchema } from 'json-schema-to-ts';
import { dateSchema, idSchema, instantSchema, locationSchema, nullable, recordOf, type FieldsOf } from '../contract/schemas.ts';

export const planStates = ['planning', 'published', 'superseded'] as const;
export type PlanState = (typeof planStates)[number];

const count = { type: 'integer', minimum: 0 } as const;

export const stopSchema = {
  type: 'object', additionalProperties: false,
  required: ['sequence', 'kind', 'location', 'arrival_at', 'start_at', 'end_at', 'departure_at', 'wait_seconds', 'travel_seconds', 'travel_meters', 'driver_id'],
  properties: {
    sequence: { type: 'integer', minimum: 1 },
    kind: { type: 'string', enum: ['task', 'break', 'warehouse'] },
    order_id: idSchema,
    location: locationSchema,
    arrival_at: instantSchema, start_at: instantSchema, end_at: instantSchema, departure_at: instantSchema,
    wait_seconds: count, travel_seconds: count, travel_meters: count,
    driver_id: nullable(idSchema),
  },
} as const;
export type Stop = FromSchema<typeof stopSchema>;

export const returnLegSchema = {
  type: ['object', 'null'], additionalProperties: false,
  required: ['departure_at', 'arrival_at', 'travel_seconds', 'travel_meters', 'location'],
  properties: { departure_at: instantSchema, arrival_at: instantSchema, travel_seconds: count, travel_meters: count, location: locationSchema },
} as const;
export type ReturnLeg = NonNullable<FromSchema<typeof returnLegSchema>>;

const stops = { type: 'array', items: stopSchema } as const;

export const publishedSchema = {
  type: ['object', 'null'], additionalProperties: false,
  required: ['revision', 'published_at', 'publication_id', 'driver_id', 'start_at', 'end_at', 'stops', 'return_leg'],
  properties: {
    revision: { type: 'integer' }, published_at: instantSchema, publication_id: idSchema, driver_id: nullable(idSchema),
    start_at: nullable(instantSchema), end_at: nullable(instantSchema), stops, return_leg: returnLegSchema,
  },
} as const;
export type PublishedSnapshot = NonNullable<FromSchema<typeof publishedSchema>>;

export const planFields = {
  vehicle_id: idSchema,
  driver_id: nullable(idSchema),
  date: { ...dateSchema, description: 'The local date on which the shift begins.' },
  state: { type: 'string', enum: planStates },
  start_at: nullable(instantSchema),
  end_at: nullable(instantSchema),
  stops,
  return_leg: returnLegSchema,
  warnings: { type: 'array', items: { type: 'string' } },
  unplanned_order_ids: { type: 'array', items: idSchema },
  published: publishedSchema,
  received_at: nullable(instantSchema),
  job_id: { ...nullable({ type: 'string' } as const), description: 'The planning job that made this version.' },
} as const;
export type PlanFields = FieldsOf<typeof planFields>;

export const plan = recordOf('Plan', planFields);

/** Plans come from planning and publication only; a body is still checked, so that the refusal names what was wrong first. */
export const planInput = {
  title: 'PlanInput', type: 'object', additionalProperties: false, required: ['id', 'vehicle_id', 'revision', 'state', 'stops'],
  properties: {
    id: idSchema, revision: { type: 'integer' }, created_at: {}, updated_at: {}, deleted_at: {}, deleted_by: {}, ...planFields,
  },
} as const;
export const planPatch = { ...planInput, title: 'PlanUpdate', required: [] } as const;
