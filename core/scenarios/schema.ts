import { idSchema, inputOf, nameSchema, patchOf, recordOf, dateSchema, type FieldsOf } from '../contract/schemas.ts';

const node = {
  type: 'object', additionalProperties: false, required: ['id', 'x', 'y'],
  properties: { id: idSchema, x: { type: 'number', description: 'Longitude.' }, y: { type: 'number', description: 'Latitude.' } },
} as const;

const edge = {
  type: 'object', additionalProperties: false, required: ['id', 'from', 'to', 'time_seconds', 'distance_meters'],
  properties: {
    id: idSchema, from: idSchema, to: idSchema,
    time_seconds: { type: 'number', minimum: 0 }, distance_meters: { type: 'number', minimum: 0 },
    bidirectional: { type: 'boolean' },
    reverse_time_seconds: { type: 'number', minimum: 0 }, reverse_distance_meters: { type: 'number', minimum: 0 },
  },
} as const;

/** A record as its own resource takes it; `node_id` may stand for `location`. It is checked when the scenario is loaded. */
const samples = { type: 'array', maxItems: 100_000, items: { type: 'object' } } as const;

export const scenarioFields = {
  name: nameSchema,
  nodes: { type: 'array', minItems: 1, maxItems: 1_000_000, items: node },
  edges: { type: 'array', maxItems: 3_000_000, items: edge },
  orders: samples, warehouses: samples, vehicles: samples, drivers: samples,
} as const;
export type ScenarioFields = FieldsOf<typeof scenarioFields>;
export type SampleRecord = Record<string, unknown>;

const active = { type: 'boolean', readOnly: true, description: 'Its graph is the road network of the business.' } as const;
const options = { readOnly: ['active'] };

export const scenario = recordOf('Scenario', { ...scenarioFields, active });
export const scenarioInput = inputOf('Scenario', scenarioFields, { ...options, required: ['name', 'nodes', 'edges'] });
export const scenarioPatch = patchOf('Scenario', scenarioFields, options);

export const loadInput = {
  title: 'ScenarioLoadInput', type: 'object', additionalProperties: false,
  properties: {
    anchor_date: { ...dateSchema, description: 'The earliest date of the sample records is moved to this one, all others with it.' },
    mode: { type: 'string', enum: ['merge', 'replace'], default: 'merge', description: 'replace first deletes the orders, vehicles, drivers and warehouses that are there.' },
  },
} as const;

const count = { type: 'integer', minimum: 0 } as const;
const counts = {
  type: 'object', additionalProperties: false, required: ['orders', 'warehouses', 'vehicles', 'drivers'],
  properties: { orders: count, warehouses: count, vehicles: count, drivers: count },
} as const;
const ids = { type: 'array', items: idSchema } as const;
export const loadAnswer = {
  title: 'ScenarioLoad', type: 'object', additionalProperties: false, required: ['created', 'existing', 'renamed', 'vehicle_ids', 'dates', 'activation_codes'],
  properties: {
    created: counts,
    existing: { ...counts, description: 'Records that were there already; merging leaves them as they are.' },
    renamed: {
      type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
      description: 'Replacing: samples whose id belongs to a deleted record, by kind, with the id that they got.',
    },
    vehicle_ids: ids,
    dates: {
      type: 'object', additionalProperties: false, required: ['start', 'end'], description: 'Local dates that the windows of the orders touch.',
      properties: { start: { type: ['string', 'null'] }, end: { type: ['string', 'null'] } },
    },
    activation_codes: { type: 'object', additionalProperties: { type: 'string' }, description: 'By driver id; shown once.' },
  },
} as const;
