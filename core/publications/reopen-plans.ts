import { conflict } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import { saveVersions } from '../planning/save-versions.ts';
import { Plan } from '../plans/entity.ts';
import { orderIdsOf } from '../plans/stops.ts';
import { recordsById } from '../records/read-records.ts';
import { Vehicle } from '../vehicles/entity.ts';

/**
 * The planning versions to publish. A plan that is in force may be named too where statuses of its orders are pending: it is published
 * again as a new version, which says the same but for what the statuses change.
 */
export async function reopenPlans(em: EntityManager, businessId: string, plans: Plan[]): Promise<Plan[]> {
  const versions: Plan[] = [];
  for (const plan of plans) versions.push(plan.state === 'planning' ? plan : await reopen(em, businessId, plan));
  return versions;
}

async function reopen(em: EntityManager, businessId: string, plan: Plan): Promise<Plan> {
  if (plan.state !== 'published') throw conflict(`the plan ${plan.id} is ${plan.state}, not in planning`);
  if ((await em.count(Vehicle, { id: plan.vehicleId, deletedAt: null })) === 0) throw conflict(`the vehicle ${plan.vehicleId} of the plan ${plan.id} has been deleted`);
  const draft = await em.findOne(Plan, { vehicleId: plan.vehicleId, shiftDate: plan.shiftDate, state: 'planning', deletedAt: null });
  if (draft) throw conflict(`the plan ${plan.id} is published, and ${draft.id} is about to replace it: publish that one`);
  const orders = await recordsById<Order>(em, Order, orderIdsOf(plan));
  if (![...orders.values()].some((order) => order.pendingStatus)) throw conflict(`the plan ${plan.id} is published, not in planning, and no status of its orders is pending`);
  const { vehicleId, shiftDate: date, driverId = null, startAt = null, endAt = null, stops, returnLeg = null, origin = null, warnings, unplannedOrderIds } = plan;
  const [version] = await saveVersions(em, businessId, [{ draft: { vehicleId, date, driverId, startAt, endAt, stops, returnLeg, origin, warnings }, unplannedOrderIds, jobId: null }]);
  return version;
}
