import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Store } from '../core/db/store.ts';
import type { ObjectStore } from '../core/evidence/object-store.ts';
import { sweepOrphans } from '../core/evidence/sweep-orphans.ts';

const everyMs = 6 * 3_600_000;

/** Removes images that no record refers to: now, and from time to time. */
export function startEvidenceSweep({ store, objects, log }: { store: Store; objects: ObjectStore; log: Logger }): { close(): Promise<void> } {
  const stopping = new AbortController();

  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const count = await sweepOrphans(store, objects, { signal: stopping.signal });
        if (count > 0) log.info({ count }, 'images that belonged to no evidence are removed');
      } catch (error) {
        log.warn({ err: error }, 'left-over images could not be removed');
      }
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}
