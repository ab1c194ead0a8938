import { notFound } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';

/**
 * Every transaction that changes capacity (hours, assignments, deletions, plans, publications) goes through here, or through
 * `lockCapacity`, before it reads what it decides on. It locks the business, so such transactions follow one another, and moves the epoch by one, however often one
 * transaction comes by. The new epoch.
 */
export async function takeCapacity(em: EntityManager, businessId: string): Promise<number> {
  const [row] = await em.execute<{ preview_epoch: number }[]>(
    `update businesses set preview_epoch = preview_epoch + (capacity_taken_by is distinct from pg_current_xact_id())::int, capacity_taken_by = pg_current_xact_id()
     where id = ? and deleted_at is null returning preview_epoch`,
    [businessId],
  );
  if (row === undefined) throw notFound('business');
  return row.preview_epoch;
}

/**
 * Waits until nobody else is changing the capacity, and keeps others out until this transaction ends. For whoever has yet to find out
 * whether there is something to change; `takeCapacity` follows where there is. The epoch as it stands.
 */
export async function lockCapacity(em: EntityManager, businessId: string): Promise<number> {
  const [row] = await em.execute<{ preview_epoch: number }[]>('select preview_epoch from businesses where id = ? and deleted_at is null for no key update', [businessId]);
  if (row === undefined) throw notFound('business');
  return row.preview_epoch;
}

/** Keeps others from taking the capacity until this transaction ends, without changing it: what is planned and published stands still. */
export async function holdCapacity(em: EntityManager, businessId: string): Promise<void> {
  const rows = await em.execute<unknown[]>('select 1 from businesses where id = ? and deleted_at is null for share', [businessId]);
  if (rows.length === 0) throw notFound('business');
}
