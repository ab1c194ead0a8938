import type { EntityManager } from '../db/store.ts';
import { recentlyUsed } from '../networks/recently-used.ts';
import type { Order } from '../orders/entity.ts';
import { shiftKey } from '../plans/current-plans.ts';
import type { Plan } from '../plans/entity.ts';
import { orderIdsOf } from '../plans/stops.ts';
import { addDays } from '../time/local-dates.ts';
import { pausing } from './pausing.ts';

/** Which versions stand, and no more of them than that. */
export interface StandingPlan {
  id: string;
  revision: number;
  vehicleId: string;
  date: string;
  /** Of a planning version, the published one of the same shift. */
  publishedId: string | null;
}

/** A plan with the orders that it and its published snapshot name, as they were when it was written. Read it, do not write it. */
export interface StoredPlan {
  plan: Plan;
  orders: Order[];
}

/** When whose drivers are busy: a plan without its tasks. */
export interface StoredSpan {
  plan: Plan;
  /** The orders of its breaks, which tell who takes over. */
  breaks: Order[];
}

interface PlanRow {
  id: string;
  revision: number;
  vehicle_id: string;
  shift_date: string;
  state: 'planning' | 'published';
}

/** The versions that stand from one date to another, by shift. */
export async function standingPlans(em: EntityManager, businessId: string, [first, last]: [string, string]): Promise<Map<string, StandingPlan>> {
  const rows = await em.execute<PlanRow[]>(
    `select id, revision, vehicle_id, shift_date, state from plans
     where business_id = ? and state in ('planning', 'published') and deleted_at is null and shift_date between ? and ? order by created_at, id`,
    [businessId, first, last],
  );
  const standing = new Map<string, StandingPlan>();
  // Published ones first, so that a planning version takes the place of the one that it would replace.
  for (const row of [...rows.filter(({ state }) => state === 'published'), ...rows.filter(({ state }) => state === 'planning')]) {
    const key = shiftKey(row.vehicle_id, row.shift_date);
    const publishedId = row.state === 'published' ? row.id : (standing.get(key)?.publishedId ?? null);
    standing.set(key, { id: row.id, revision: row.revision, vehicleId: row.vehicle_id, date: row.shift_date, publishedId });
  }
  return standing;
}

/** A driver's rest, and the night before it, reach so far from one shift to another. */
export const reachOf = (dates: readonly string[], restSeconds: number): [string, string] => {
  const days = Math.ceil(restSeconds / 86_400) + 3;
  return [addDays(dates[0], -days), addDays(dates[dates.length - 1], days)];
};

/** What a version says never changes, and what it says of its publication changes its revision: both are kept by it. */
const contents = recentlyUsed<string, StoredPlan>(4_000);
const spans = recentlyUsed<string, StoredSpan>(20_000);
const keyOf = (businessId: string, { id, revision }: Pick<StandingPlan, 'id' | 'revision'>): string => `${businessId} ${id} ${revision}`;

/** So many plans are read in one go: parsing more would hold up everybody else. */
const plansPerRead = 40;

/** The plans with all that they say, by id. */
export async function storedPlans(em: EntityManager, businessId: string, standing: readonly StandingPlan[]): Promise<Map<string, StoredPlan>> {
  const found = new Map<string, StoredPlan>();
  const unknown = standing.filter((plan) => !take(contents, keyOf(businessId, plan), found, plan.id));
  for (let from = 0; from < unknown.length; from += plansPerRead) {
    const plans = await readPlans(em, businessId, unknown.slice(from, from + plansPerRead).map(({ id }) => id));
    const orders = await readOrders(em, businessId, plans.flatMap(namedOrders));
    for (const plan of plans) {
      const stored = { plan, orders: namedOrders(plan).flatMap((id) => orders.get(id) ?? []) };
      contents.set(keyOf(businessId, plan), stored);
      found.set(plan.id, stored);
    }
    await pausing();
  }
  return found;
}

/** When the drivers of these plans are busy, by plan id. */
export async function storedSpans(em: EntityManager, businessId: string, standing: readonly StandingPlan[]): Promise<Map<string, StoredSpan>> {
  const found = new Map<string, StoredSpan>();
  const unknown = standing.filter((plan) => !take(spans, keyOf(businessId, plan), found, plan.id));
  const perRead = 10 * plansPerRead;
  for (let from = 0; from < unknown.length; from += perRead) {
    const plans = await readSpans(em, businessId, unknown.slice(from, from + perRead).map(({ id }) => id));
    const breaks = await readOrders(em, businessId, plans.flatMap(orderIdsOf));
    for (const plan of plans) {
      const stored = { plan, breaks: orderIdsOf(plan).flatMap((id) => breaks.get(id) ?? []) };
      spans.set(keyOf(businessId, plan), stored);
      found.set(plan.id, stored);
    }
    await pausing();
  }
  return found;
}

function take<V>(from: { get(key: string): V | undefined }, key: string, into: Map<string, V>, id: string): boolean {
  const value = from.get(key);
  if (value !== undefined) into.set(id, value);
  return value !== undefined;
}

const namedOrders = (plan: Plan): string[] => [...new Set([...orderIdsOf(plan), ...orderIdsOf(plan.published ?? { stops: [] })])];

/** Instants come as milliseconds, so that no setting of the session has a say in them. */
const msOf = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;
const dateOf = (atMs: number | null): Date | null => (atMs === null ? null : new Date(atMs));

/** A list is one parameter, however long it is. */
const among = (column: string): string => `${column} in (select jsonb_array_elements_text(?::jsonb))`;

type Row = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const planColumns = `id, revision, vehicle_id, driver_id, shift_date, state, ${msOf('start_at')} as start_ms, ${msOf('end_at')} as end_ms`;

const planOf = (row: Row): Plan => ({
  id: row.id, revision: row.revision, vehicleId: row.vehicle_id, driverId: row.driver_id, shiftDate: row.shift_date, state: row.state,
  startAt: dateOf(row.start_ms), endAt: dateOf(row.end_ms), stops: row.stops, returnLeg: row.return_leg ?? null, origin: row.origin ?? null, published: row.published ?? null,
}) as Plan;

async function readPlans(em: EntityManager, businessId: string, ids: string[]): Promise<Plan[]> {
  const rows = await em.execute<Row[]>(`select ${planColumns}, stops, return_leg, origin, published from plans where business_id = ? and ${among('id')}`, [businessId, JSON.stringify(ids)]);
  return rows.map(planOf);
}

async function readSpans(em: EntityManager, businessId: string, ids: string[]): Promise<Plan[]> {
  const rows = await em.execute<Row[]>(`select ${planColumns}, jsonb_path_query_array(stops, ?::jsonpath) as stops from plans where business_id = ? and ${among('id')}`, ['$[*] ? (@.kind == "break")', businessId, JSON.stringify(ids)]);
  return rows.map(planOf);
}

/** What planning reads of an order, but for what its driver has done: see `liveOrders`. */
async function readOrders(em: EntityManager, businessId: string, ids: string[]): Promise<Map<string, Order>> {
  if (ids.length === 0) return new Map();
  const rows = await em.execute<Row[]>(
    `select id, type, location, duration_seconds, ${msOf('window_start')} as start_ms, ${msOf('window_end')} as end_ms, replacement_driver_id, selected_vehicle_id, selected_driver_id,
       ${msOf('selected_start_at')} as selected_ms, ${msOf('scheduled_at')} as scheduled_ms, plan_id, published_plan_id, published_vehicle_id
     from orders where business_id = ? and ${among('id')} and deleted_at is null`,
    [businessId, JSON.stringify(ids)],
  );
  return new Map(rows.map((row) => [row.id as string, {
    id: row.id, type: row.type, location: row.location, durationSeconds: row.duration_seconds, windowStart: new Date(row.start_ms), windowEnd: new Date(row.end_ms),
    status: 'created', replacementDriverId: row.replacement_driver_id, selectedVehicleId: row.selected_vehicle_id, selectedDriverId: row.selected_driver_id,
    selectedStartAt: dateOf(row.selected_ms), scheduledAt: dateOf(row.scheduled_ms), planId: row.plan_id, publishedPlanId: row.published_plan_id, publishedVehicleId: row.published_vehicle_id,
  } as Order]));
}

/** What drivers have begun or ended in these plans. It changes without a new version and without a new epoch. */
export async function liveOrders(em: EntityManager, businessId: string, planIds: readonly string[]): Promise<Map<string, Pick<Order, 'status' | 'actualStartedAt' | 'actualCompletedAt'> & { revision: number }>> {
  if (planIds.length === 0) return new Map();
  const begun = (column: string) => `select id, revision, status, ${msOf('actual_started_at')} as started_ms, ${msOf('actual_completed_at')} as completed_ms from orders
     where business_id = ? and status in ('in_progress', 'completed', 'unable_to_complete') and ${among(column)}`;
  const ids = JSON.stringify(planIds);
  const rows = await em.execute<Row[]>(`${begun('plan_id')} union ${begun('published_plan_id')}`, [businessId, ids, businessId, ids]);
  return new Map(rows.map((row) => [row.id as string, { revision: row.revision, status: row.status, actualStartedAt: dateOf(row.started_ms), actualCompletedAt: dateOf(row.completed_ms) }]));
}
