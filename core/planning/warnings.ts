import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import type { Travels } from '../networks/travel-table.ts';
import { Order } from '../orders/entity.ts';
import { plansAround, shiftKey, type View } from '../plans/current-plans.ts';
import { orderIdsOf } from '../plans/stops.ts';
import { recordsById } from '../records/read-records.ts';
import { publishedReplacementIn, replacementIn } from './facts.ts';
import { verifyRecords, type CheckedPlan } from './verify-records.ts';

interface Surroundings {
  table: Travels;
  /** Which versions of the other shifts count: those that are planned, or those that drivers go by. */
  beside: View;
}

/** What the verifier says of plans that an administrator has changed by hand or is about to publish: each sentence is a warning. */
export async function warningsOf(em: EntityManager, business: Business, plans: CheckedPlan[], { table, beside }: Surroundings): Promise<string[]> {
  const current = await plansAround(em, plans.map((plan) => plan.date), beside);
  for (const { vehicle, date } of plans) current.delete(shiftKey(vehicle.id, date));
  const otherPlans = [...current.values()].filter((plan) => plan.stops.length > 0);
  const breakIds = otherPlans.flatMap((plan) => plan.stops.flatMap((stop) => (stop.kind === 'break' && stop.order_id ? [stop.order_id] : [])));
  const ids = new Set(plans.flatMap(({ plan }) => orderIdsOf(plan)));
  const orders = await recordsById<Order>(em, Order, [...new Set([...ids, ...breakIds])]);
  const violations = verifyRecords({
    plans, otherPlans, table,
    orders: new Map([...orders].filter(([id]) => ids.has(id))),
    restSeconds: business.planning.min_rest_seconds ?? 0,
    replacementOf: beside === 'planning' ? replacementIn(orders) : publishedReplacementIn(orders),
  });
  return violations.map((violation) => violation.message);
}
