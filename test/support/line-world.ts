import pg from 'pg';
import { createBusiness, type TestBusiness } from './business.ts';
import type { Client, Reply } from './client.ts';
import type { TestService } from './service.ts';

/**
 * A business on one long road that runs east: a node at each kilometre from -30 to 60, one minute and 500 metres apart, so that every
 * time in a test can be checked in the head. `at(7)` is seven minutes east of the depot `depot`, which lies at 0.
 */
export interface LineWorld extends TestBusiness {
  service: TestService;
  /** Each creates a record and gives its id. What is left out is as plain as possible. */
  warehouse(id: string, minute: number): Promise<string>;
  driver(id: string): Promise<string>;
  vehicle(id: string, overrides?: Body & { hours?: Hours }): Promise<string>;
  order(id: string, minute: number, overrides?: Body): Promise<string>;
  /** Plans and waits for the end of the job, which has to succeed unless another end is named. */
  plan(request?: Body, end?: string): Promise<Job>;
  /** What stands now for each vehicle and date, by `van` or, for another date than Monday, `van 2026-03-03`. */
  plans(filter?: string): Promise<Record<string, Plan>>;
  get(path: string): Promise<any>; // eslint-disable-line @typescript-eslint/no-explicit-any
  patchOrder(id: string, body: Body): Promise<Reply>;
  publish(body: Body, parameters?: string): Promise<Reply>;
  /** Publishes the planning versions of everything, warnings acknowledged. */
  publishAll(): Promise<Reply>;
  /** Signed in as a driver. */
  as(driverId: string): Promise<Client>;
  /** As a driver's action would. */
  sql(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

type Body = Record<string, unknown>;
/** Intervals like `08:00-12:00`, for every weekday. */
type Hours = string[];
/* eslint-disable @typescript-eslint/no-explicit-any */
export type Plan = any;
export type Job = any;
/* eslint-enable @typescript-eslint/no-explicit-any */

export const monday = '2026-03-02';
export const tuesday = '2026-03-03';

/** The instant of a clock time in Berlin. */
export const time = (hourAndMinute: string, date = monday): string => `${date}T${hourAndMinute}:00+01:00`;
export const at = (minute: number) => ({ latitude: 52, longitude: longitudeOf(minute) });

const longitudeOf = (minute: number): number => Math.round(1_300 + minute) / 100;
const minutes = Array.from({ length: 91 }, (_, index) => index - 30);

/** Roads besides the long one, for tests that need time and distance to disagree or a place to be cut off. */
export interface Road {
  from: number;
  to: number;
  seconds: number;
  metres: number;
}

interface WorldOptions {
  settings?: Body;
  shortcuts?: Road[];
  /** A node without a road at 52.5 north, at this minute. */
  islandAt?: number;
}

export async function lineWorld(service: TestService, { settings = {}, shortcuts = [], islandAt }: WorldOptions = {}): Promise<LineWorld> {
  const business = await createBusiness(service, settings);
  const { admin, path } = business;
  const make = async (resource: string, body: Body): Promise<string> => ok(await admin.post(`${path}/${resource}`, body)).id;
  const nodes = minutes.map((minute) => ({ id: `n${minute}`, x: longitudeOf(minute), y: 52 }));
  const edges = minutes.slice(1).map((minute) => ({ id: `e${minute}`, from: `n${minute - 1}`, to: `n${minute}`, time_seconds: 60, distance_meters: 500, bidirectional: true }));
  const roads = shortcuts.map(({ from, to, seconds, metres }, index) => ({ id: `s${index}`, from: `n${from}`, to: `n${to}`, time_seconds: seconds, distance_meters: metres, bidirectional: true }));
  const island = islandAt === undefined ? [] : [{ id: 'island', x: longitudeOf(islandAt), y: 52.5 }];
  await make('scenarios', { id: 'line', name: 'Line', nodes: [...nodes, ...island], edges: [...edges, ...roads] });
  ok(await admin.post(`${path}/scenarios/line/activate`));

  const world: LineWorld = {
    ...business, service,
    warehouse: (id, minute) => make('warehouses', { id, name: id, location: at(minute) }),
    driver: (id) => make('drivers', { id, name: id, email: `${id}@drivers.example` }),
    vehicle: (id, { hours = ['08:00-16:00'], ...overrides } = {}) => make('vehicles', { id, name: id, warehouse_id: 'depot', working_hours: hoursOf(hours), ...overrides }),
    order: (id, minute, overrides = {}) => make('orders', { id, location: at(minute), duration_seconds: 600, window_start: time('08:00'), window_end: time('16:00'), ...overrides }),
    async plan(request = {}, end = 'completed') {
      const vehicles = request.vehicle_ids ?? (await world.get('/vehicles')).items.map((vehicle: { id: string }) => vehicle.id);
      const { job_id: id } = ok(await admin.post(`${path}/planning/preview`, { vehicle_ids: vehicles, date_start: monday, date_end: monday, seed: 1, max_iterations: 400, ...request }));
      const job = await endOf(world, id);
      if (job.status !== end) throw new Error(`the job ended as ${job.status}: ${JSON.stringify(job.error)}`);
      return job;
    },
    async plans(filter = '') {
      const { items } = await world.get(`/plans${filter}`);
      return Object.fromEntries(items.map((plan: Plan) => [plan.date === monday ? plan.vehicle_id : `${plan.vehicle_id} ${plan.date}`, plan]));
    },
    get: async (below) => ok(await admin.get(path + below)),
    patchOrder: (id, body) => admin.patch(`${path}/orders/${id}`, body),
    publish: (body, parameters = '') => admin.post(`${path}/plans/publish${parameters}`, body),
    async publishAll() {
      const { items } = await world.get('/plans?state=planning');
      return world.publish({ plan_ids: items.map((plan: Plan) => plan.id), acknowledge_warnings: true });
    },
    async as(driverId) {
      const { activation_code: code } = ok(await admin.post(`${path}/drivers/${driverId}/reset`));
      return admin.as(ok(await service.anonymous.post('/api/v1/driver/sessions', { activation_code: code })).access_token);
    },
    sql: (statement, values) => query(service.databaseUrl, statement, values),
  };
  await world.warehouse('depot', 0);
  return world;
}

export function hoursOf(hours: Hours, overrides: Record<string, Hours> = {}) {
  const intervals = (texts: Hours) => texts.map((text) => ({ start: text.slice(0, 5), end: text.slice(6) }));
  return {
    weekly: Object.fromEntries(Array.from({ length: 7 }, (_, day) => [day, intervals(hours)])),
    overrides: Object.fromEntries(Object.entries(overrides).map(([date, texts]) => [date, intervals(texts)])),
  };
}

export async function endOf(world: Pick<LineWorld, 'admin' | 'path'>, jobId: string): Promise<Job> {
  for (;;) {
    const { body } = await world.admin.get(`${world.path}/jobs/${jobId}`);
    if (body.finished_at) return body;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** The answer of a request that has to succeed. */
export function ok(reply: Reply) {
  if (reply.status >= 300) throw new Error(`answered ${reply.status}: ${reply.text}`);
  return reply.body;
}

/** A plan as a person would tell it: `a 08:05-08:15`, breaks and the warehouse by their kind, the way home last. */
export function told(plan: Plan): string[] {
  if (plan === undefined) return [];
  const stops = plan.stops.map((stop: Plan) => `${stop.order_id ?? stop.kind} ${clock(stop.start_at)}-${clock(stop.end_at)}`);
  return plan.return_leg ? [...stops, `back ${clock(plan.return_leg.arrival_at)}`] : stops;
}

/** The clock time in Berlin, with seconds only where there are some. */
export function clock(instant: string): string {
  const { hour, minute, second } = Temporal.Instant.from(instant).toZonedDateTimeISO('Europe/Berlin');
  return [hour, minute, ...(second ? [second] : [])].map((part) => String(part).padStart(2, '0')).join(':');
}

export async function query(url: string, statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
