import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { listAll } from '../derived/list-pages.ts';
import { isStatus } from '../failures.ts';
import type { Job, PlanningResult, Unplanned } from '../jobs/job.ts';
import type { Order, Plan, Vehicle, Warehouse } from './plan.ts';

export interface PlanFilter {
  ids: readonly string[];
  vehicle?: string;
  date?: string;
  view: 'planning' | 'published';
}

/** Everything that showing plans takes. */
export interface PlanReview {
  plans: Plan[];
  timeZone: string;
  vehicles: ReadonlyMap<string, Vehicle>;
  warehouses: ReadonlyMap<string, Warehouse>;
  orders: ReadonlyMap<string, Order>;
  unplanned: Unplanned[];
}

export async function readPlans({ ids, vehicle, date, view }: PlanFilter, context: Context): Promise<Plan[]> {
  const path = fillPath('/api/v1/businesses/{id}/plans', {}, context);
  const plans = ids.length > 0
    ? await Promise.all(ids.map((id) => context.client.get<Plan>(`${path}/${encodeURIComponent(id)}`, { view })))
    : await listAll<Plan>(context.client, path, { view, vehicle_id: vehicle });
  const chosen = plans.filter((plan) => (date === undefined || plan.date === date) && (vehicle === undefined || plan.vehicle_id === vehicle));
  return chosen.map((plan) => (view === 'published' ? asPublished(plan) : plan)).toSorted((one, other) => one.date.localeCompare(other.date) || one.vehicle_id.localeCompare(other.vehicle_id, 'en', { numeric: true }));
}

/** The snapshot counts where the plan has moved on since. */
function asPublished(plan: Plan): Plan {
  if (!plan.published) return plan;
  const { driver_id, start_at, end_at, stops, return_leg } = plan.published;
  return { ...plan, driver_id, start_at, end_at, stops, return_leg };
}

/** A key may be allowed to read plans and nothing else: then plans are shown without what it may not read. */
export async function reviewPlans(filter: PlanFilter, context: Context): Promise<PlanReview> {
  const { client } = context;
  const path = (rest: string) => fillPath(`/api/v1/businesses/{id}/${rest}`, {}, context);
  const [plans, settings, vehicles, warehouses, orders] = await Promise.all([
    readPlans(filter, context),
    ifAllowed(client.get<{ time_zone: string }>(path('settings')), { time_zone: 'UTC' }, 'the settings; times are in UTC', context),
    ifAllowed(listAll<Vehicle>(client, path('vehicles'), { record_status: 'all' }), [], 'vehicles', context),
    ifAllowed(listAll<Warehouse>(client, path('warehouses'), { record_status: 'all' }), [], 'warehouses', context),
    ifAllowed(listAll<Order>(client, path('orders'), { view: filter.view }), [], 'orders', context),
  ]);
  return {
    plans, timeZone: settings.time_zone,
    vehicles: byId(vehicles), warehouses: byId(warehouses), orders: byId(orders),
    unplanned: explain(unplannedIds(plans, orders, filter), await readReasons(plans, path('jobs'), context)),
  };
}

async function ifAllowed<Value>(read: Promise<Value>, otherwise: Value, what: string, context: Context): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    if (!isStatus(error, 403)) throw error;
    context.note(`this credential may not read ${what}`);
    return otherwise;
  }
}

const byId = <Item extends { id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> => new Map(items.map((item) => [item.id, item]));

/** Of all plans: every order without a time that waits for one. Of some: those that their runs left out and that still wait. */
function unplannedIds(plans: readonly Plan[], orders: readonly Order[], { ids, vehicle, date }: PlanFilter): string[] {
  const stops = new Set(plans.flatMap((plan) => plan.stops.map((stop) => stop.order_id)));
  const leftOut = new Set(plans.flatMap((plan) => plan.unplanned_order_ids));
  if (orders.length === 0) return [...leftOut].filter((id) => !stops.has(id));
  const waiting = orders.filter((order) => order.scheduled_at === null && order.status === 'created' && !stops.has(order.id)).map(({ id }) => id);
  const isAll = ids.length === 0 && vehicle === undefined && date === undefined;
  return isAll ? waiting : waiting.filter((id) => leftOut.has(id));
}

/** Reasons are kept by the jobs that found them. */
async function readReasons(plans: readonly Plan[], path: string, context: Context): Promise<Unplanned[]> {
  const jobIds = [...new Set(plans.flatMap((plan) => plan.job_id ?? []))];
  const jobs = await Promise.all(jobIds.map((id) => context.client.get<Job>(`${path}/${encodeURIComponent(id)}`).catch((error: unknown) => {
    if (isStatus(error, 403, 404)) return null;
    throw error;
  })));
  const inTime = jobs.filter((job) => job !== null).toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  return inTime.flatMap(({ result }) => (result as unknown as PlanningResult | null)?.unplanned ?? []);
}

/** The latest reason counts. */
function explain(ids: readonly string[], reasons: readonly Unplanned[]): Unplanned[] {
  const known = new Map(reasons.map((reason) => [reason.order_id, reason]));
  return ids.map((id) => known.get(id) ?? { order_id: id, reason: 'not tried yet' });
}
