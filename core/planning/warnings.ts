import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import type { TravelTable } from '../networks/travel-table.ts';
import { Order } from '../orders/entity.ts';
import { Plan } from '../plans/entity.ts';
import { recordsById } from '../records/read-records.ts';
import { addDays } from '../time/local-dates.ts';
import { verifyRecords, type CheckedPlan } from './verify-records.ts';
import { replacementIn } from './facts.ts';

const reachDays = 33;

/** What the verifier says of plans that an administrator has changed by hand or is about to publish: each sentence is a warning. */
export async function warningsOf(em: EntityManager, business: Business, plans: CheckedPlan[], table: TravelTable): Promise<string[]> {
  return (await violationsOf(em, business, plans, table)).map((violation) => violation.message);
}

export async function violationsOf(em: EntityManager, business: Business, plans: CheckedPlan[], table: TravelTable) {
  const otherPlans = await plansAround(em, plans);
  const breakIds = otherPlans.flatMap((plan) => plan.stops.flatMap((stop) => (stop.kind === 'break' && stop.order_id ? [stop.order_id] : [])));
  const ids = plans.flatMap(({ plan }) => plan.stops.flatMap((stop) => (stop.order_id ? [stop.order_id] : [])));
  const orders = await recordsById<Order>(em, Order, [...new Set([...ids, ...breakIds])]);
  return verifyRecords({
    plans, otherPlans, table,
    orders: new Map(ids.flatMap((id) => (orders.has(id) ? [[id, orders.get(id)!] as const] : []))),
    restSeconds: business.planning.min_rest_seconds ?? 0,
    replacementOf: replacementIn(orders),
  });
}

/** The current plans of other vehicles and dates that are near enough to share a driver with these. */
async function plansAround(em: EntityManager, plans: CheckedPlan[]): Promise<Plan[]> {
  const dates = plans.map((plan) => plan.date).sort();
  const shiftDate = { $gte: addDays(dates[0], -reachDays), $lte: addDays(dates[dates.length - 1], reachDays) };
  const found = await em.find(Plan, { state: { $in: ['planning', 'published'] }, deletedAt: null, shiftDate });
  const key = (vehicleId: string, date: string) => JSON.stringify([vehicleId, date]);
  const checked = new Set(plans.map((plan) => key(plan.vehicle.id, plan.date)));
  const current = new Map<string, Plan>();
  for (const plan of found) {
    const at = key(plan.vehicleId, plan.shiftDate);
    if (checked.has(at) || plan.stops.length === 0) continue;
    if (current.get(at)?.state !== 'planning') current.set(at, plan);
  }
  return [...current.values()];
}
