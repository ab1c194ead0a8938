import { conflict, invalid, notFound } from '../contract/errors.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import type { Driver } from '../drivers/entity.ts';
import { Order } from '../orders/entity.ts';
import { instant } from '../records/present.ts';

/** An order of the driver's own published work. To everybody else's the answer is the same as to one that is not there. */
export async function ownOrder(em: EntityManager, driverId: string, orderId: string, { lock }: { lock: boolean }): Promise<Order> {
  const order = await em.findOne(Order, { id: orderId, deletedAt: null, publishedPlanId: { $ne: null }, publishedDriverId: driverId }, lock ? { lockMode: rowLock.write, refresh: true } : {});
  if (order === null) throw notFound('order', orderId);
  return order;
}

export function refuseOffDuty(driver: Driver): void {
  if (driver.dutyStatus !== 'online') throw conflict('you are not on duty');
}

/** Nobody can have worked on an order before it was published to them. */
export function refuseBeforeRelease(order: Order, at: Date, capturedAt: string | undefined): void {
  if (capturedAt !== undefined && order.releasedAt && at < order.releasedAt) throw invalid('/captured_at', `is before the order was published to the driver at ${instant(order.releasedAt)}`);
}
