import { rowLock, transaction, type Store } from '../db/store.ts';
import { Business } from '../businesses/entity.ts';
import { scheduleMapUpdate } from '../businesses/map-updates.ts';
import { Region } from './entity.ts';
import { activeJobOf, startRegionJob } from './region-jobs.ts';

const businessesAtOnce = 50;

/**
 * Starts an update of every approved region of the businesses whose schedule is due, and writes down when it is due next. What was missed
 * while no worker ran is made up once. The jobs wait in one queue: a map is fetched once, and each machine builds one region at a time.
 */
export async function startDueUpdates(store: Store, now = new Date()): Promise<number> {
  await scheduleFirst(store, now);
  let count = 0;
  for (;;) {
    const due = await store.em.fork().execute<{ id: string }[]>('select id from businesses where deleted_at is null and next_map_update_at <= ? order by next_map_update_at limit ?', [now, businessesAtOnce]);
    for (const { id } of due) count += await startUpdates(store, id, now);
    if (due.length < businessesAtOnce) return count;
  }
}

/** Businesses from before there were updates have none written down. */
async function scheduleFirst(store: Store, now: Date): Promise<void> {
  const em = store.em.fork();
  const rows = await em.execute<{ id: string }[]>('select id from businesses where deleted_at is null and next_map_update_at is null limit ?', [businessesAtOnce]);
  for (const { id } of rows) {
    await scheduleMapUpdate(em, await em.findOneOrFail(Business, { id }), now);
  }
}

function startUpdates(store: Store, businessId: string, now: Date): Promise<number> {
  return transaction(store, businessId, async (em) => {
    // Whoever comes second finds that it is done; so does a change of settings.
    const business = await em.findOne(Business, { id: businessId, deletedAt: null }, { lockMode: rowLock.write });
    const [row] = await em.execute<unknown[]>('select 1 from businesses where id = ? and next_map_update_at <= ?', [businessId, now]);
    if (business === null || row === undefined) return 0;
    await scheduleMapUpdate(em, business, now);
    const regions = await em.find(Region, { approved: true, deletedAt: null }, { lockMode: rowLock.write, orderBy: { id: 'asc' } });
    let count = 0;
    for (const region of regions) {
      if (await activeJobOf(em, region)) continue;
      await startRegionJob(em, region, { kind: 'region_update', reason: 'schedule' });
      count++;
    }
    return count;
  });
}
