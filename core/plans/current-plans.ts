import type { EntityManager } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import type { OrderStatus } from '../orders/schema.ts';
import { Plan } from './entity.ts';

export const finishedStatuses: readonly OrderStatus[] = ['completed', 'unable_to_complete', 'cancelled'];

export const isFinished = (status: OrderStatus): boolean => finishedStatuses.includes(status);

/** Is there an order in somebody's published work that has not come to its end? */
export async function hasUnfinishedPublishedWork(em: EntityManager, of: { vehicleId: string } | { driverId: string }): Promise<boolean> {
  const assigned = 'vehicleId' in of ? { publishedVehicleId: of.vehicleId } : { publishedDriverId: of.driverId };
  return (await em.count(Order, { ...assigned, publishedPlanId: { $ne: null }, status: { $nin: [...finishedStatuses] }, deletedAt: null })) > 0;
}

/** The planning version of a vehicle's shift where there is one, else the published one. */
export async function currentPlan(em: EntityManager, vehicleId: string, shiftDate: string): Promise<Plan | null> {
  const plans = await em.find(Plan, { vehicleId, shiftDate, state: { $in: ['planning', 'published'] }, deletedAt: null });
  return plans.find((plan) => plan.state === 'planning') ?? plans[0] ?? null;
}
