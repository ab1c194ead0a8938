import type { EntityManager } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import { unplanned } from '../orders/unplanned.ts';
import { shiftKey } from '../plans/current-plans.ts';
import { Plan } from '../plans/entity.ts';
import { orderIdsOf, ms } from '../plans/stops.ts';
import { newId } from '../records/ids.ts';
import { recordsById } from '../records/read-records.ts';
import type { PlanDraft } from './assemble-plans.ts';

export interface NewVersion {
  draft: Omit<PlanDraft, 'shift'> & { vehicleId: string; date: string };
  unplannedOrderIds: string[];
  jobId: string | null;
}

/**
 * Writes planning versions in the place of those that stand for the same vehicles and shifts, and moves the orders with them. Only
 * orders whose vehicle, driver or time changes get a new revision. The capacity of the business must have been taken.
 */
export async function saveVersions(em: EntityManager, businessId: string, versions: NewVersion[]): Promise<Plan[]> {
  const standing = await supersede(em, versions);
  const plans = versions.map(({ draft, unplannedOrderIds, jobId }) =>
    em.create(Plan, {
      businessId, id: newId(), vehicleId: draft.vehicleId, shiftDate: draft.date, state: 'planning',
      driverId: draft.driverId, startAt: draft.startAt, endAt: draft.endAt, stops: draft.stops, returnLeg: draft.returnLeg, origin: draft.origin,
      warnings: draft.warnings, unplannedOrderIds, jobId, published: standing.get(shiftKey(draft.vehicleId, draft.date))?.published ?? null,
    } as never) as Plan,
  );
  await em.flush();
  await moveOrders(em, [...standing.values()], plans);
  return plans;
}

/** The versions that stood until now. Planning ones give way; a published one stays published until the next publication. */
async function supersede(em: EntityManager, versions: NewVersion[]): Promise<Map<string, Plan>> {
  const keys = new Set(versions.map(({ draft }) => shiftKey(draft.vehicleId, draft.date)));
  const vehicleIds = [...new Set(versions.map(({ draft }) => draft.vehicleId))];
  const dates = [...new Set(versions.map(({ draft }) => draft.date))];
  const found = await em.find(Plan, { vehicleId: { $in: vehicleIds }, shiftDate: { $in: dates }, state: { $in: ['planning', 'published'] }, deletedAt: null });
  const standing = new Map<string, Plan>();
  for (const plan of found.filter((each) => keys.has(shiftKey(each.vehicleId, each.shiftDate)))) {
    const key = shiftKey(plan.vehicleId, plan.shiftDate);
    if (plan.state === 'planning' || !standing.has(key)) standing.set(key, plan);
    if (plan.state === 'planning') plan.state = 'superseded';
  }
  await em.flush();
  return standing;
}

async function moveOrders(em: EntityManager, before: Plan[], after: Plan[]): Promise<void> {
  const leaving = new Map(before.flatMap((plan) => orderIdsOf(plan).map((id) => [id, plan.id] as const)));
  const orders = await recordsById<Order>(em, Order, [...new Set([...leaving.keys(), ...after.flatMap(orderIdsOf)])]);
  const arrived = new Set<string>();
  const sameResult: { order: Order; planId: string }[] = [];
  for (const plan of after) {
    for (const stop of plan.stops) {
      const order = stop.order_id === undefined ? undefined : orders.get(stop.order_id);
      if (!order) continue;
      arrived.add(order.id);
      const isSame = order.planId && order.vehicleId === plan.vehicleId && order.driverId === stop.driver_id && order.scheduledAt?.getTime() === ms(stop.start_at);
      if (isSame) sameResult.push({ order, planId: plan.id });
      else Object.assign(order, { planId: plan.id, vehicleId: plan.vehicleId, driverId: stop.driver_id, scheduledAt: new Date(ms(stop.start_at)) });
    }
  }
  for (const [id, planId] of leaving) {
    const order = orders.get(id);
    if (order && !arrived.has(id) && order.planId === planId) Object.assign(order, unplanned);
  }
  await em.flush();
  await renamePlans(em, sameResult);
}

/** Which version an order stands in is no edit of the order: its revision stays. */
async function renamePlans(em: EntityManager, moves: { order: Order; planId: string }[]): Promise<void> {
  if (moves.length === 0) return;
  await em.execute(
    `update orders set plan_id = move.value->>1 from jsonb_array_elements(?::jsonb) move where business_id = ? and id = move.value->>0`,
    [JSON.stringify(moves.map(({ order, planId }) => [order.id, planId])), moves[0].order.businessId],
  );
  // What is in memory has to agree, or a later step of the same transaction would look for the version that is gone.
  await em.find(Order, { id: { $in: moves.map(({ order }) => order.id) } }, { refresh: true });
}
