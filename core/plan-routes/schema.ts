import { dateSchema, idSchema, instantSchema, nullable } from '../contract/schemas.ts';
import { stopSchema } from '../plans/schema.ts';

/** GeoJSON, RFC 7946: positions are longitude, latitude. */
const position = { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number' } } as const;
const { sequence, arrival_at, start_at, end_at, travel_seconds, travel_meters, driver_id } = stopSchema.properties;

const feature = (id: object, geometry: object, properties: Record<string, object>) => ({
  type: 'object', additionalProperties: false, required: ['type', 'id', 'geometry', 'properties'],
  properties: {
    type: { const: 'Feature' },
    id,
    geometry: { type: 'object', additionalProperties: false, required: ['type', 'coordinates'], properties: geometry },
    properties: { type: 'object', additionalProperties: false, required: Object.keys(properties), properties },
  },
});

const legEnd = {
  type: 'object', additionalProperties: false, required: ['kind', 'sequence', 'order_id'],
  properties: {
    kind: { type: 'string', enum: ['task', 'break', 'warehouse', 'position'], description: 'position: where the vehicle was when a plan was made under way.' },
    sequence: { ...nullable(sequence), description: 'Of the stop; null where the route begins and ends, and for a position.' },
    order_id: nullable(idSchema),
  },
} as const;

const legFeature = {
  title: 'RouteLeg',
  ...feature(
    { type: 'string', pattern: '^leg-\\d+$' },
    { type: { const: 'LineString' }, coordinates: { type: 'array', minItems: 2, items: position } },
    {
      sequence, from: legEnd, to: legEnd, departure_at: nullable(instantSchema), arrival_at: instantSchema, travel_seconds, travel_meters,
      on_roads: { type: 'boolean', description: 'false: no road leads there, and the line is straight.' },
    },
  ),
};

const stopFeature = {
  title: 'RouteStop',
  ...feature(
    { type: 'string', pattern: '^stop-\\d+$' },
    { type: { const: 'Point' }, coordinates: position },
    { sequence, kind: stopSchema.properties.kind, order_id: nullable(idSchema), arrival_at, start_at, end_at, driver_id },
  ),
};

/** As `exampleOf` would have it, but for the geometry. */
const exampleFeatures = [
  {
    type: 'Feature', id: 'leg-1', geometry: { type: 'LineString', coordinates: [[13.39, 52.5], [13.398, 52.511], [13.405, 52.52]] },
    properties: {
      sequence: 1, from: { kind: 'warehouse', sequence: null, order_id: null }, to: { kind: 'task', sequence: 1, order_id: 'order-1' },
      departure_at: '2026-03-02T08:00:00Z', arrival_at: '2026-03-02T08:12:00Z', travel_seconds: 720, travel_meters: 6_100, on_roads: true,
    },
  },
  {
    type: 'Feature', id: 'stop-1', geometry: { type: 'Point', coordinates: [13.405, 52.52] },
    properties: { sequence: 1, kind: 'task', order_id: 'order-1', arrival_at: '2026-03-02T08:12:00Z', start_at: '2026-03-02T08:12:00Z', end_at: '2026-03-02T08:27:00Z', driver_id: 'driver-1' },
  },
];

export const planRoute = {
  title: 'PlanRoute', type: 'object', additionalProperties: false, required: ['type', 'plan_id', 'vehicle_id', 'date', 'attribution', 'features'],
  properties: {
    type: { const: 'FeatureCollection' },
    plan_id: idSchema, vehicle_id: idSchema, date: dateSchema,
    attribution: { type: ['string', 'null'], description: 'To be shown with the route where its roads come from a map; null on the roads of a scenario.', examples: ['© OpenStreetMap contributors'] },
    features: { type: 'array', items: { anyOf: [legFeature, stopFeature] }, examples: [exampleFeatures] },
    bbox: { type: 'array', minItems: 4, maxItems: 4, items: { type: 'number' }, description: 'West, south, east, north; west is greater than east over the antimeridian. Absent where there is nothing.', examples: [[13.39, 52.5, 13.405, 52.52]] },
  },
} as const;
