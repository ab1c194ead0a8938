import { holdCapacity } from '../businesses/capacity.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import { Driver } from '../drivers/entity.ts';
import type { Order } from '../orders/entity.ts';
import { ownOrder } from './own-order.ts';
import { refuseDeniedLocation, refuseInactive } from './perform-action.ts';

/**
 * An order to which a driver may add evidence: one of the driver's own published work, in whatever state, because an app sends images
 * when it has a connection. In the final look nothing can be published and nobody deactivated any more.
 */
export async function orderForEvidence(em: EntityManager, { businessId, driverId, orderId }: { businessId: string; driverId: string; orderId: string }, isFinal: boolean): Promise<Order> {
  if (isFinal) await holdCapacity(em, businessId);
  const driver = await em.findOne(Driver, { id: driverId }, isFinal ? { lockMode: rowLock.read, refresh: true } : {});
  refuseInactive(driver);
  refuseDeniedLocation(driver);
  return ownOrder(em, driverId, orderId, { lock: isFinal });
}
