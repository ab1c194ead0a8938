import type { EntityManager } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import type { OrderStatus } from '../orders/schema.ts';
import { addDays } from '../time/local-dates.ts';
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

export const shiftKey = (vehicleId: string, shiftDate: string): string => JSON.stringify([vehicleId, shiftDate]);

/** A shift lasts two dates at most; a rest of up to a month may reach from one plan to another. */
const reachDays = 33;

/** What stands now: among drafts, a published version counts as long as no planning version is about to replace it. */
export type View = 'planning' | 'published';

/** By shift, the versions that stand now: as far around the dates as the rest of a driver can reach. */
export async function plansAround(em: EntityManager, dates: readonly string[], view: View): Promise<Map<string, Plan>> {
  const sorted = dates.toSorted();
  const shiftDate = { $gte: addDays(sorted[0], -reachDays), $lte: addDays(sorted[sorted.length - 1], reachDays) };
  const plans = await em.find(Plan, { state: view === 'planning' ? { $in: ['planning', 'published'] } : 'published', deletedAt: null, shiftDate });
  const current = new Map<string, Plan>();
  for (const plan of plans) {
    const key = shiftKey(plan.vehicleId, plan.shiftDate);
    if (current.get(key)?.state !== 'planning') current.set(key, plan);
  }
  // In an order that no database decides: what is computed from it shall be the same everywhere.
  return new Map([...current].sort(([a], [b]) => (a < b ? -1 : 1)));
}
