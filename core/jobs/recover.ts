import type { Store } from '../db/store.ts';

/**
 * Puts unfinished jobs that nobody has looked after for a while into the outbox again. The queue delivers again by itself when a
 * worker dies; this covers a queue that has lost its entries. How many there were.
 */
export async function recoverJobs(store: Store, silentSeconds: number): Promise<number> {
  const rows = await store.em.fork().execute<unknown[]>(
    `with silent as (
       update jobs set heartbeat_at = now()
       where status in ('queued', 'running') and coalesce(heartbeat_at, created_at) < now() - make_interval(secs => ?)
       returning id, kind
     )
     insert into outbox (queue, key, payload, created_at) select case kind when 'planning' then 'planning' else 'regions' end, id, jsonb_build_object('jobId', id), now() from silent returning id`,
    [silentSeconds],
  );
  return rows.length;
}
