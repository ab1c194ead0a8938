import { ok } from '../support/line-world.ts';
import type { Wire } from './state.ts';
import type { Real } from './world.ts';

export interface SeenOrder {
  /** As administrators see it. */
  planning: Wire;
  published: Wire;
  /** Columns that are not shown. */
  hidden: Wire;
}

export interface SeenEvent {
  type: string;
  data: Wire;
}

/** All that can be seen of the business at one moment, when nothing is under way. */
export interface Seen {
  epoch: number;
  orders: Map<string, SeenOrder>;
  /** With the origin, which is not shown. */
  plans: Map<string, Wire>;
  vehicles: Map<string, Wire>;
  drivers: Map<string, Wire>;
  warehouses: Map<string, Wire>;
  reservations: Map<string, Wire>;
  publications: Map<string, Wire>;
  jobs: Map<string, Wire>;
  /** What each driver who has a working session is shown. */
  refreshes: Map<string, Wire>;
  /** Since the last time, in the order of writing. */
  events: SeenEvent[];
  lastPosition: string;
}

/** Asks the drivers' apps first, because that is noted in the plans. */
export async function observe(real: Real, before: Seen | null): Promise<Seen> {
  const refreshes = await refreshAll(real);
  const list = async (resource: string): Promise<Map<string, Wire>> => byId(ok(await real.admin.get(`${real.path}/${resource}`)).items);
  const all = (resource: string) => list(`${resource}?record_status=all`);
  const settings = real.admin.get(`${real.path}/settings`);
  const [planning, published, plans, vehicles, drivers, warehouses, reservations, publications, jobs] = await Promise.all([
    all('orders'), list('orders?record_status=all&view=published'), all('plans'), all('vehicles'), all('drivers'), all('warehouses'), all('reservations'), list('publications'), list('jobs'),
  ]);
  const [hidden, origins, events] = await Promise.all([
    rows(real, 'select id, plan_id, scheduled_at, vehicle_id, driver_id, published_plan_id, selected_vehicle_id, selected_driver_id, selected_start_at, pending_from, event_sequence from orders where business_id = $1'),
    rows(real, 'select id, origin from plans where business_id = $1'),
    rows(real, 'select position, type, data from events where business_id = $1 and position > $2 order by position', [before?.lastPosition ?? 0]),
  ]);
  const hiddenOf = byId(hidden);
  const originOf = byId(origins);
  return {
    epoch: ok(await settings).preview_epoch,
    orders: new Map([...planning].map(([id, order]) => [id, { planning: order, published: published.get(id), hidden: hiddenOf.get(id) }])),
    plans: new Map([...plans].map(([id, plan]) => [id, { ...plan, origin: originOf.get(id).origin }])),
    vehicles, drivers, warehouses, reservations, publications, jobs, refreshes,
    events: events.map(({ type, data }) => ({ type, data })),
    lastPosition: events.at(-1)?.position ?? before?.lastPosition ?? '0',
  };
}

async function refreshAll({ apps }: Real): Promise<Map<string, Wire>> {
  const replies = await Promise.all([...apps].map(async ([id, app]) => [id, await app.get('/api/v1/driver/refresh')] as const));
  return new Map(replies.flatMap(([id, reply]) => (reply.status === 200 ? [[id, reply.body] as const] : [])));
}

const byId = (records: Wire[]): Map<string, Wire> => new Map(records.map((record) => [record.id, record]));

const rows = async ({ db, id }: Real, statement: string, values: unknown[] = []): Promise<Wire[]> => (await db.query(statement, [id, ...values])).rows;
