import { notFound } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';

/**
 * Every transaction that changes capacity (hours, assignments, deletions, plans, publications) goes through here before it reads
 * what it decides on. It locks the business, so such transactions follow one another, and moves the epoch by one. The new epoch.
 */
export async function takeCapacity(em: EntityManager, businessId: string): Promise<number> {
  const [row] = await em.execute<{ preview_epoch: number }[]>('update businesses set preview_epoch = preview_epoch + 1 where id = ? and deleted_at is null returning preview_epoch', [businessId]);
  if (row === undefined) throw notFound('business');
  return row.preview_epoch;
}
