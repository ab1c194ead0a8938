import type { Store } from '../db/store.ts';

/** A reservation that came to nothing is shown this long after it expired. */
const keptDays = 30;

/** Forgets what was offered long ago and never taken; how many. Confirmed reservations stay with their orders. */
export async function sweepReservations(store: Store, now = new Date()): Promise<number> {
  const rows = await store.em.fork().execute<unknown[]>(
    `delete from reservations where (business_id, id) in (
       select business_id, id from reservations where state <> 'confirmed' and expires_at < ?::timestamptz - make_interval(days => ?) limit 1000 for update skip locked) returning id`,
    [now, keptDays],
  );
  return rows.length;
}
