import { conflict } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import { finishedStatuses } from '../plans/current-plans.ts';
import { Plan } from '../plans/entity.ts';

/**
 * A vehicle that goes takes its drafts along: its planning versions stand no more, and the orders in them, or meant for it, are
 * unplanned and free for any vehicle. A break is nothing without its vehicle, so it has to go first. What has been done stands where it
 * was published.
 */
export async function withdrawDrafts(em: EntityManager, vehicleId: string): Promise<void> {
  const orders = await em.find(Order, { $or: [{ vehicleId }, { selectedVehicleId: vehicleId }], status: { $nin: [...finishedStatuses] }, deletedAt: null });
  const breaks = orders.filter((order) => order.type === 'break').length;
  if (breaks > 0) throw conflict(`the vehicle has ${breaks} break${breaks === 1 ? '' : 's'} that ${breaks === 1 ? 'is' : 'are'} not over: delete or move ${breaks === 1 ? 'it' : 'them'} first`);
  for (const order of orders) {
    if (order.vehicleId === vehicleId) Object.assign(order, { planId: null, scheduledAt: null, vehicleId: null, driverId: null, selectedStartAt: null });
    if (order.selectedVehicleId === vehicleId) order.selectedVehicleId = null;
  }
  const drafts = await em.find(Plan, { vehicleId, state: 'planning', deletedAt: null });
  for (const order of await em.find(Order, { planId: { $in: drafts.map((plan) => plan.id) }, status: { $in: [...finishedStatuses] }, deletedAt: null })) {
    Object.assign(order, { planId: order.publishedPlanId, scheduledAt: order.publishedScheduledAt, vehicleId: order.publishedVehicleId, driverId: order.publishedDriverId });
  }
  for (const plan of drafts) plan.state = 'superseded';
  await em.flush();
}
