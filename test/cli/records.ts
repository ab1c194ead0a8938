/** Records as the service would answer them, complete, so that the double lets them through. */

const common = { created_at: '2026-03-01T08:00:00Z', updated_at: '2026-03-01T08:00:00Z', revision: 1, deleted_at: null, deleted_by: null };
type Changes = Record<string, unknown>;

export const page = (items: unknown[], next: string | null = null) => ({ items, next_cursor: next });

export const vehicleRecord = (id: string, changes: Changes = {}) => ({
  id, ...common, name: id.toUpperCase(), warehouse_id: 'depot', driver_id: null, color: '', height_meters: null, weight_kg: null,
  working_hours: { weekly: { 0: [{ start: '08:00', end: '12:00' }] }, overrides: {} }, ...changes,
});

export const warehouseRecord = (id: string, changes: Changes = {}) => ({ id, ...common, name: 'Depot', location: { latitude: 52.5, longitude: 13.4 }, ...changes });

export const driverRecord = (id: string, changes: Changes = {}) => ({ id, ...common, name: id, email: `${id}@drivers.example`, active: true, duty_status: 'offline', location: null, duty_started_at: null, duty_vehicle_id: null, ...changes });

export const orderRecord = (id: string, changes: Changes = {}) => ({
  id, ...common, type: 'task', location: { latitude: 52.51, longitude: 13.41 }, duration_seconds: 900, window_start: '2026-03-02T08:00:00Z', window_end: '2026-03-02T10:00:00Z',
  status: 'created', pending_status: null, scheduled_at: null, vehicle_id: null, driver_id: null, replacement_driver_id: null, custom_fields: {},
  schema_snapshot: { schemas: [] }, actual_started_at: null, actual_completed_at: null, ...changes,
});

export const businessRecord = (id: string, changes: Changes = {}) => ({
  id, ...common, name: 'Milk & Bread', time_zone: 'Europe/Berlin', planning: {}, evidence: {}, routing: {}, preview_epoch: 0, ...changes,
});

export const scenarioRecord = (id: string, changes: Changes = {}) => ({
  id, ...common, name: 'Two corners', nodes: [{ id: 'a', x: 13.4, y: 52.5 }], edges: [], orders: [], warehouses: [], vehicles: [], drivers: [], active: false, ...changes,
});

export const stop = (sequence: number, orderId: string, changes: Changes = {}) => ({
  sequence, kind: 'task', order_id: orderId, location: { latitude: 52.51, longitude: 13.41 },
  arrival_at: '2026-03-02T07:10:00Z', start_at: '2026-03-02T07:12:00Z', end_at: '2026-03-02T07:30:00Z', departure_at: '2026-03-02T07:30:00Z',
  wait_seconds: 120, travel_seconds: 600, travel_meters: 5000, driver_id: null, ...changes,
});

export const planRecord = (id: string, changes: Changes = {}) => ({
  id, ...common, vehicle_id: 'van-1', driver_id: null, date: '2026-03-02', state: 'planning', start_at: '2026-03-02T07:00:00Z', end_at: '2026-03-02T07:40:00Z',
  stops: [stop(1, 'o-1')], return_leg: { departure_at: '2026-03-02T07:30:00Z', arrival_at: '2026-03-02T07:40:00Z', travel_seconds: 600, travel_meters: 5000, location: { latitude: 52.5, longitude: 13.4 } },
  warnings: [], unplanned_order_ids: [], published: null, received_at: null, job_id: null, ...changes,
});

export const jobRecord = (id: string, changes: Changes = {}) => ({
  id, ...common, kind: 'planning', status: 'running', progress: { fraction: 0.5, phase: 'solve', message: '' }, best_over_time: [], result: null, error: null, request: {}, started_at: null, finished_at: null, ...changes,
});

export const planningResult = (changes: Changes = {}) => ({
  plan_ids: ['p-1'], planned: 1, unplanned: [], metrics: { travel_seconds: 1200, travel_meters: 10_000, service_seconds: 1080, wait_seconds: 120, vehicles_used: 1, solver_seconds: 0.5, iterations: 500 }, ...changes,
});

export const publicationRecord = (id: string, { plan_ids, order_ids }: { plan_ids: string[]; order_ids: string[] }) => ({ id, ...common, plan_ids, order_ids, acknowledged_warnings: [], published_by: null, status_changes: [] });

/** Of `planRecord`, over a corner that no straight line passes. */
export const planRoute = (planId: string, changes: Changes = {}) => {
  const end = { kind: 'warehouse', sequence: null, order_id: null };
  const leg = (sequence: number, from: object, to: object, coordinates: number[][]) => ({
    type: 'Feature', id: `leg-${sequence}`, geometry: { type: 'LineString', coordinates },
    properties: { sequence, from, to, departure_at: '2026-03-02T07:00:00Z', arrival_at: '2026-03-02T07:10:00Z', travel_seconds: 600, travel_meters: 5000, on_roads: true },
  });
  const stopped = { kind: 'task', sequence: 1, order_id: 'o-1' };
  const { arrival_at, start_at, end_at } = stop(1, 'o-1');
  const point = { type: 'Feature', id: 'stop-1', geometry: { type: 'Point', coordinates: [13.41, 52.51] }, properties: { ...stopped, arrival_at, start_at, end_at, driver_id: null } };
  const corner = [[13.4, 52.5], [13.46, 52.5], [13.41, 52.51]];
  return {
    type: 'FeatureCollection', plan_id: planId, vehicle_id: 'van-1', date: '2026-03-02', attribution: '© OpenStreetMap contributors', bbox: [13.4, 52.5, 13.46, 52.51],
    features: [leg(1, end, stopped, corner), leg(2, stopped, end, corner.toReversed()), point], ...changes,
  };
};
