import { conflict } from '../contract/errors.ts';
import type { Business } from '../businesses/entity.ts';
import { sqlState, type EntityManager } from '../db/store.ts';
import { refuseWithoutEvidence } from '../evidence/required-evidence.ts';
import { Order } from '../orders/entity.ts';
import type { Plan } from '../plans/entity.ts';
import { isFinished } from '../plans/current-plans.ts';
import { orderIdsOf } from '../plans/stops.ts';
import { isLive } from '../planning/facts.ts';
import { recordsById } from '../records/read-records.ts';
import type { StatusChange } from './schema.ts';

type Orders = Map<string, Order>;

/** Makes an administrator's pending status the live one, and notes it. Actual times come from drivers only. */
export function applyPendingStatus(order: Order, changes: StatusChange[]): void {
  const { status: from, pendingStatus: to } = order;
  if (!to) return;
  if (from !== to) {
    refuseOutdatedStatus(order);
    changes.push({ order_id: order.id, from, to });
  }
  Object.assign(order, { status: to, pendingStatus: null, pendingFrom: null });
}

/** An override is for what the administrator saw. What a driver has begun or ended since then is not undone by it. */
function refuseOutdatedStatus(order: Order): void {
  if (!isLive(order) || !order.pendingFrom || order.pendingFrom === order.status) return;
  throw conflict(`the status ${order.pendingStatus} was chosen for the order ${order.id} when it was ${order.pendingFrom}; it is ${order.status} now: choose it again, or withdraw it`, [{ path: '', message: `the order ${order.id} is ${order.status}` }]);
}

/** What holds for drivers holds for an administrator who decides in their place, too. */
export async function refuseBrokenOverrides(em: EntityManager, business: Business, changes: StatusChange[]): Promise<void> {
  const completed = changes.filter(({ to }) => to === 'completed').map(({ order_id: id }) => id);
  for (const order of (await recordsById<Order>(em, Order, completed)).values()) await refuseWithoutEvidence(em, business.evidence, order);
}

const uniqueViolation = '23505';

/** The database keeps a driver from being at two orders at a time, whoever says so. */
export async function flushLive(em: EntityManager): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    throw conflict('a driver would have two orders in progress');
  }
}

/**
 * Work in progress stays where its driver has it: on its vehicle, at its time, with nothing before it that is still to be done. A
 * version that says otherwise was made before the work began. An administrator's own status for the order overrides this.
 */
export function refuseDisturbingLiveWork(plans: Plan[], before: Plan[], orders: Orders): void {
  const busy = [...orders.values()].filter((order) => order.status === 'in_progress' && !order.pendingStatus && order.publishedPlanId);
  const replaced = new Set(before.map((plan) => plan.id));
  for (const order of busy) {
    const plan = plans.find((each) => each.stops.some((stop) => stop.order_id === order.id));
    const refuse = (what: string) => conflict(`the order ${order.id} is in progress, but ${what}: plan again`, [{ path: '/plan_ids', message: `disturbs the order ${order.id}` }]);
    if (plan === undefined && replaced.has(order.publishedPlanId!)) throw refuse(`the new plan takes it away from ${order.publishedVehicleId}`);
    if (plan === undefined) continue;
    if (plan.vehicleId !== order.publishedVehicleId) throw refuse(`the plan ${plan.id} gives it to ${plan.vehicleId}`);
    const index = plan.stops.findIndex((stop) => stop.order_id === order.id);
    if (Date.parse(plan.stops[index].start_at) !== order.publishedScheduledAt?.getTime()) throw refuse(`the plan ${plan.id} moves it in time`);
    if ((plan.stops[index].driver_id ?? null) !== (order.publishedDriverId ?? null)) throw refuse(`the plan ${plan.id} gives it to another driver`);
    const earlier = plan.stops.slice(0, index).find((stop) => stop.order_id !== undefined && !isDone(orders.get(stop.order_id)));
    if (earlier) throw refuse(`the plan ${plan.id} puts ${earlier.order_id} before it`);
  }
}

const isDone = (order: Order | undefined): boolean => order === undefined || isLive(order) || order.status === 'cancelled';

/** Orders that would be nobody's: the published plan that has them is replaced, and the draft to which they have moved is not published. */
export function leftBehind(orders: Orders, plans: Plan[]): string[] {
  const served = new Set(plans.flatMap(orderIdsOf));
  return [...orders.values()]
    .filter((order) => order.publishedPlanId && order.planId && !served.has(order.id) && !isFinished(order.status) && order.pendingStatus !== 'cancelled')
    .map(({ id, publishedVehicleId, vehicleId }) => `${id} leaves the published plan of ${publishedVehicleId}, but the plan of ${vehicleId} that has it now is not published with it: no driver will have it`);
}

/** An order that has moved between vehicles is published for both together: drivers must never both have it. */
export function refuseSharedOrders(plans: Plan[], before: Plan[], orders: Orders): void {
  const replaced = new Set(before.map((plan) => plan.id));
  for (const plan of plans) {
    for (const id of orderIdsOf(plan)) {
      const order = orders.get(id);
      if (order?.publishedPlanId && !replaced.has(order.publishedPlanId)) {
        throw conflict(`the order ${id} is still in the published plan ${order.publishedPlanId} of ${order.publishedVehicleId}: publish the version that leaves it out together with ${plan.id}`);
      }
    }
  }
}
