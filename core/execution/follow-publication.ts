import type { EntityManager } from '../db/store.ts';
import { settleOnRoad } from './settle-on-road.ts';

/**
 * What follows for execution when published work has changed: since when each order is whose, and which one is next. The orders have
 * been written, and the capacity of the business has been taken.
 */
export async function followPublication(em: EntityManager, businessId: string, { orderIds, driverIds, at }: { orderIds: string[]; driverIds: Iterable<string>; at: Date }): Promise<void> {
  // No edit: who has an order, and since when they have had it, is no part of what an administrator reviews.
  await em.execute(
    `update orders set released_to = published_driver_id, released_at = ?
      where business_id = ? and id in (select jsonb_array_elements_text(?::jsonb)) and published_driver_id is distinct from released_to`,
    [at, businessId, JSON.stringify(orderIds)],
  );
  await settleOnRoad(em, driverIds, orderIds);
}
