import type { JsonSchema } from '../core/contract/operation.ts';

const uuid = '0198c0de-7a11-7000-8000-000000000001';

/** What a field of this name looks like, where its schema leaves that open. */
const byName: Record<string, unknown> = {
  latitude: 52.52, longitude: 13.405, name: 'Depot', email: 'dispatch@depot.example', time_zone: 'Europe/Berlin', update_schedule: '0 3 * * 0',
  vehicle_id: 'van-1', driver_id: 'driver-1', replacement_driver_id: 'driver-2', warehouse_id: 'depot', order_id: 'order-1', publication_id: uuid, record_id: 'order-1',
  plan_ids: ['plan-1'], order_ids: ['order-1'], vehicle_ids: ['van-1'], unplanned_order_ids: [], warnings: [], acknowledged_warnings: [], dates: ['2026-03-02'],
  deleted_at: null, deleted_by: null, next_cursor: null, error: null, code: 'validation', message: 'Done.', color: '#1f6feb', start: '08:00', end: '16:00',
  weekly: { 0: [{ start: '08:00', end: '16:00' }] }, overrides: { '2026-12-25': [] }, custom_fields: { floor: 3 }, schema_snapshot: { schemas: [] },
  height_meters: 2.6, weight_kg: 3_500, pending_status: null, actual_started_at: null, actual_completed_at: null, received_at: null, published: null, revoked_at: null, read_at: null,
  arrival_at: '2026-03-02T08:12:00Z', scheduled_at: '2026-03-02T08:12:00Z', start_at: '2026-03-02T08:12:00Z', departure_at: '2026-03-02T08:27:00Z', travel_seconds: 720, travel_meters: 6_100,
  return_leg: { departure_at: '2026-03-02T08:27:00Z', arrival_at: '2026-03-02T08:39:00Z', travel_seconds: 720, travel_meters: 6_100, location: { latitude: 52.5, longitude: 13.39 } },
  fraction: 0.4, phase: 'solve', best: null, result: null, finished_at: null, job_id: uuid, record_kind: 'order', disabled_reason: null, failing_since: null, sequence: 1,
  duration_seconds: 900, window_end: '2026-03-02T12:00:00Z', end_at: '2026-03-02T08:27:00Z', active: true, date_end: '2026-03-06', revision: 1, preview_epoch: 7, vehicle_revision: 1,
  geometry: { type: 'Polygon', coordinates: [[[14.18, 35.78], [14.6, 35.78], [14.6, 36.1], [14.18, 36.1], [14.18, 35.78]]] }, dataset_version: '20260404-b-7f3a91c04e2d',
  access_token: 'ms_…', activation_code: 'ma_…', invitation_code: 'mi_…', key: 'mk_…', prefix: 'mk_4fG7a2Qk', secret: 'whsec_…', url: 'https://shop.example/hooks',
  prefixes: ['mk_4fG7a2Qk'], address: '198.51.100.7', operation: 'orders.update', request_id: 'f3a1c2', path: '/window_end', label: 'Ladder', sha256: 'a'.repeat(64), response_status: 200,
};

const byFormat: Record<string, string> = { uuid, 'date-time': '2026-03-02T08:00:00Z', date: '2026-03-02', uri: 'https://shop.example/hooks' };

/** A value that the schema accepts and that people can read. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.example !== undefined) return schema.example;
  if (Array.isArray(schema.examples)) return schema.examples[0];
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const known = byName[name];
  if (known === null && types.includes('null')) return null;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (known !== undefined && (known === null || fits(schema.format, known)) && (types.length === 0 || types.includes(typeOf(known)) || (typeof known === 'number' && types.includes('number')))) return known;
  if (schema.default !== undefined) return schema.default;
  if (typeof schema.format === 'string' && schema.format in byFormat) return byFormat[schema.format];
  return ofType(types.find((type) => type !== 'null'), schema, name);
}

/** Some names stand for several things: an id is a word or a UUID, a start is a clock time or an instant. */
const fits = (format: unknown, value: unknown): boolean =>
  format === undefined || (format === 'uri' && String(value).startsWith('https:')) || (format === 'date-time' && /T.*Z$/.test(String(value))) || (format === 'date' && /^\d{4}-\d\d-\d\d$/.test(String(value)));

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value);

function ofType(type: unknown, schema: JsonSchema, name: string): unknown {
  if (type === 'object') return objectOf(schema);
  if (type === 'array') return schema.items ? [exampleOf(schema.items as JsonSchema, singular(name))] : [];
  if (type === 'integer' || type === 'number') return Math.max(Number(schema.minimum ?? 0), 0);
  if (type === 'boolean') return false;
  return type === 'string' ? 'text'.padEnd(Number(schema.minLength ?? 0), '.') : null;
}

function objectOf({ properties = {}, title }: { properties?: Record<string, JsonSchema>; title?: string }): Record<string, unknown> {
  const shown = Object.entries(properties).filter(([, property]) => property.readOnly !== true || property.type !== undefined);
  return Object.fromEntries(shown.map(([name, property]) => [name, name === 'id' && property.format === undefined ? idOf(title) : exampleOf(property, name)]));
}

const idOf = (title = 'record'): string => ({ Vehicle: 'van-1', Warehouse: 'depot' })[title] ?? `${title.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}-1`;

const singular = (name: string): string => name.replace(/s$/, '');

/** What is answered to the example of an operation: the fields that were sent, and what the service adds. */
export function answerExample(answer: JsonSchema, sent: unknown): unknown {
  const example = exampleOf(answer);
  if (typeof sent !== 'object' || sent === null || typeof example !== 'object' || example === null) return example;
  const properties = (answer.properties ?? {}) as Record<string, JsonSchema>;
  return { ...example, ...Object.fromEntries(Object.entries(sent).filter(([name, value]) => name in properties && !(name === 'items' && Array.isArray(value)))) };
}
