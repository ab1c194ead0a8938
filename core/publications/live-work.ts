import { conflict } from '../contract/errors.ts';
import type { Order } from '../orders/entity.ts';
import type { Plan } from '../plans/entity.ts';
import { orderIdsOf } from '../plans/stops.ts';

/** Makes an administrator's pending status the live one. Actual times come from drivers only. */
export function applyPendingStatus(order: Order): void {
  if (!order.pendingStatus) return;
  order.status = order.pendingStatus;
  order.pendingStatus = null;
}

/** Work in progress is where drivers see it: a version that moves or drops it was made before it began. */
export function refuseDisturbingLiveWork(plans: Plan[], before: Plan[], orders: Map<string, Order>): void {
  const staying = new Map(plans.flatMap((plan) => orderIdsOf(plan).map((id) => [id, plan.vehicleId] as const)));
  const isOverridden = (order: Order) => order.pendingStatus !== null && order.pendingStatus !== undefined;
  for (const plan of before) {
    for (const id of orderIdsOf(plan)) {
      const order = orders.get(id);
      if (order?.status !== 'in_progress' || isOverridden(order)) continue;
      if (staying.get(id) !== plan.vehicleId) throw conflict(`the order ${id} is in progress, but the new plan takes it away from ${plan.vehicleId}: plan again`);
    }
  }
  for (const plan of plans) {
    for (const id of orderIdsOf(plan)) {
      const order = orders.get(id);
      if (order?.status === 'in_progress' && order.publishedVehicleId && order.publishedVehicleId !== plan.vehicleId) throw conflict(`the order ${id} is in progress on ${order.publishedVehicleId}: plan again`);
    }
  }
}

/** An order that has moved between vehicles is published for both together: drivers must never both have it. */
export function refuseSharedOrders(plans: Plan[], before: Plan[], orders: Map<string, Order>): void {
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
