import type { EntityManager } from '../db/store.ts';
import { getOrder } from '../orders/write-orders.ts';
import { listRecords, type Page } from '../records/read-records.ts';
import { Evidence } from './entity.ts';

export const evidenceKind = { word: 'evidence', entity: Evidence, searched: ['kind', 'sha256'] as const };

/** The evidence of one order, oldest first. Deleting an order keeps it. */
export async function listEvidence(em: EntityManager, businessId: string, orderId: string, query: Record<string, unknown>): Promise<Page<Evidence>> {
  await getOrder(em, orderId, 'all');
  return listRecords<Evidence>(em, evidenceKind, businessId, { ...query, order: orderId }, [{ orderId }]);
}
