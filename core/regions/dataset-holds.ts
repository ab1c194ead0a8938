import { randomUUID } from 'node:crypto';
import type { Store } from '../db/store.ts';
import { datasetDirectory } from './datasets.ts';

export interface DatasetHold {
  directory: string;
  release(): Promise<void>;
}

export interface DatasetHolds {
  /** Keeps a dataset from being removed; null when it is gone, and the region has another one by now. */
  hold(version: string): Promise<DatasetHold | null>;
  close(): Promise<void>;
}

/** A process that says nothing for so long counts as dead, and what it had open is removed. */
const leaseSeconds = 300;
const renewEveryMs = 60_000;

/** What this process has open, in rows that all processes see. A dataset may be held several times; it is let go with the last. */
export function openDatasetHolds(store: Store, dataDirectory: string): DatasetHolds {
  const holder = randomUUID();
  const counts = new Map<string, number>();
  const renew = () => store.em.fork().execute('update region_dataset_holds set expires_at = now() + make_interval(secs => ?) where holder = ?', [leaseSeconds, holder]);
  const timer = setInterval(() => {
    if (counts.size > 0) renew().catch(() => {});
  }, renewEveryMs);
  timer.unref();

  async function release(version: string): Promise<void> {
    const count = (counts.get(version) ?? 0) - 1;
    if (count > 0) return void counts.set(version, count);
    counts.delete(version);
    await store.em.fork().execute('delete from region_dataset_holds where version = ? and holder = ?', [version, holder]);
  }

  return {
    async hold(version) {
      const isHeld = await store.em.fork().transactional(async (em) => {
        // Whoever removes it has to wait for this row, and finds the hold then.
        const rows = await em.execute<unknown[]>(`select 1 from region_datasets where version = ? and state in ('ready', 'retired') for share`, [version]);
        if (rows.length === 0) return false;
        await em.execute(
          `insert into region_dataset_holds (version, holder, expires_at) values (?, ?, now() + make_interval(secs => ?)) on conflict (version, holder) do update set expires_at = excluded.expires_at`,
          [version, holder, leaseSeconds],
        );
        return true;
      });
      if (!isHeld) return null;
      counts.set(version, (counts.get(version) ?? 0) + 1);
      let isReleased = false;
      return {
        directory: datasetDirectory(dataDirectory, version),
        async release() {
          if (isReleased) return;
          isReleased = true;
          await release(version);
        },
      };
    },
    async close() {
      clearInterval(timer);
      counts.clear();
      await store.em.fork().execute('delete from region_dataset_holds where holder = ?', [holder]);
    },
  };
}
