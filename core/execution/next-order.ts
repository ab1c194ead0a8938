import type { EntityManager } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import { finishedStatuses, isFinished } from '../plans/current-plans.ts';
import { Plan } from '../plans/entity.ts';
import type { Stop } from '../plans/schema.ts';
import { recordsById } from '../records/read-records.ts';

/** What a driver may work on now. */
export interface NextOrder {
  /** The first unfinished stop of the driver's earliest published plan that has one; null where there is none or it must wait. */
  order: Order | null;
  /** The stop of another driver that comes before it: the vehicle has not been handed over yet. */
  waitsFor: { order: Order; driverId: string } | null;
  /** What the driver is at. */
  inProgress: Order | null;
}

export async function nextOrder(em: EntityManager, driverId: string): Promise<NextOrder> {
  const mine = await em.find(Order, { publishedDriverId: driverId, publishedPlanId: { $ne: null }, status: { $nin: [...finishedStatuses] }, deletedAt: null });
  const inProgress = mine.find((order) => order.status === 'in_progress') ?? null;
  const planIds = [...new Set(mine.map((order) => order.publishedPlanId!))];
  const [plan] = await em.find(Plan, { id: { $in: planIds }, state: 'published', deletedAt: null }, { orderBy: [{ startAt: 'asc' }, { id: 'asc' }], limit: 1 });
  if (plan === undefined) return { order: null, waitsFor: null, inProgress };
  const stops = plan.published?.stops ?? [];
  const orders = await recordsById<Order>(em, Order, stops.flatMap((stop) => stop.order_id ?? []));
  return { ...firstUnfinished(stops, orders, driverId), inProgress };
}

/** The order of stops counts, the clock does not. Stops that nobody drives do not hold up the next driver. */
export function firstUnfinished(stops: Stop[], orders: Map<string, Order>, driverId: string): Omit<NextOrder, 'inProgress'> {
  for (const stop of stops) {
    const order = stop.order_id === undefined ? undefined : orders.get(stop.order_id);
    if (order === undefined || isFinished(order.status) || stop.driver_id === null) continue;
    return stop.driver_id === driverId ? { order, waitsFor: null } : { order: null, waitsFor: { order, driverId: stop.driver_id } };
  }
  return { order: null, waitsFor: null };
}
