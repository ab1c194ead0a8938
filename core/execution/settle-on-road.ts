import { rowLock, type EntityManager } from '../db/store.ts';
import { Driver } from '../drivers/entity.ts';
import { Order } from '../orders/entity.ts';
import { nextOrder } from './next-order.ts';

/**
 * Makes the next order of each driver who is on duty and at no other `on_road`. Every other order of theirs that has this status loses
 * it, and so does one among `left` that is nobody's any more. To be called when duty begins or ends, when an order ends, and when what
 * is published has changed: by somebody who holds or has taken the capacity of the business, so that what is published stands still.
 */
export async function settleOnRoad(em: EntityManager, driverIds: Iterable<string>, left: string[] = []): Promise<void> {
  const ids = [...new Set(driverIds)];
  if (ids.length + left.length === 0) return;
  const drivers = await em.find(Driver, { id: { $in: ids } }, { lockMode: rowLock.write, orderBy: { id: 'asc' } });
  const next = new Set<string>();
  for (const driver of drivers) {
    if (driver.dutyStatus !== 'online') continue;
    const { order, inProgress } = await nextOrder(em, driver.id);
    if (order && !inProgress) next.add(order.id);
  }
  const orders = await em.find(Order, {
    deletedAt: null, status: { $in: ['created', 'on_road'] },
    $or: [{ id: { $in: [...next] } }, { status: 'on_road', publishedDriverId: { $in: ids } }, { status: 'on_road', publishedDriverId: null, id: { $in: left } }],
  }, { lockMode: rowLock.write, orderBy: { id: 'asc' } });
  for (const order of orders) order.status = next.has(order.id) ? 'on_road' : 'created';
  await em.flush();
}
