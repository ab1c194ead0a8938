import type { EntityManager } from '../db/store.ts';
import { getOrder } from '../orders/write-orders.ts';
import { listRecords, type Page } from '../records/read-records.ts';
import { DriverAction } from './entity.ts';

const actionKind = { word: 'driver action', entity: DriverAction, searched: ['driverId', 'kind', 'reason'] as const };

/** What drivers have done to an order, in the order in which we heard of it. Deleting an order keeps its history. */
export async function listActions(em: EntityManager, businessId: string, orderId: string, query: Record<string, unknown>): Promise<Page<DriverAction>> {
  await getOrder(em, orderId, 'all');
  return listRecords<DriverAction>(em, actionKind, businessId, { ...query, order: orderId }, [{ orderId }]);
}
