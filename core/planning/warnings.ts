import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import type { TravelTable } from '../networks/travel-table.ts';
import { Order } from '../orders/entity.ts';
import { currentPlansAround, shiftKey } from '../plans/current-plans.ts';
import { orderIdsOf } from '../plans/stops.ts';
import { recordsById } from '../records/read-records.ts';
import { replacementIn } from './facts.ts';
import { verifyRecords, type CheckedPlan } from './verify-records.ts';

/** What the verifier says of plans that an administrator has changed by hand or is about to publish: each sentence is a warning. */
export async function warningsOf(em: EntityManager, business: Business, plans: CheckedPlan[], table: Pick<TravelTable, 'placeOf' | 'travel'>): Promise<string[]> {
  const current = await currentPlansAround(em, plans.map((plan) => plan.date));
  for (const { vehicle, date } of plans) current.delete(shiftKey(vehicle.id, date));
  const otherPlans = [...current.values()].filter((plan) => plan.stops.length > 0);
  const breakIds = otherPlans.flatMap((plan) => plan.stops.flatMap((stop) => (stop.kind === 'break' && stop.order_id ? [stop.order_id] : [])));
  const ids = new Set(plans.flatMap(({ plan }) => orderIdsOf(plan)));
  const orders = await recordsById<Order>(em, Order, [...new Set([...ids, ...breakIds])]);
  const violations = verifyRecords({
    plans, otherPlans, table,
    orders: new Map([...orders].filter(([id]) => ids.has(id))),
    restSeconds: business.planning.min_rest_seconds ?? 0,
    replacementOf: replacementIn(orders),
  });
  return violations.map((violation) => violation.message);
}
