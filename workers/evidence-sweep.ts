import type { Logger } from 'pino';
import type { Store } from '../core/db/store.ts';
import type { ObjectStore } from '../core/evidence/object-store.ts';
import { sweepOrphans } from '../core/evidence/sweep-orphans.ts';
import { repeat, type Repeated } from './repeat.ts';

const everyMs = 6 * 3_600_000;

/** Removes images that no record refers to: now, and from time to time. */
export function startEvidenceSweep({ store, objects, log }: { store: Store; objects: ObjectStore; log: Logger }): Repeated {
  return repeat(async (stopping) => {
    const count = await sweepOrphans(store, objects, { signal: stopping });
    if (count > 0) log.info({ count }, 'images that belonged to no evidence are removed');
    return everyMs;
  }, { log, failure: 'left-over images could not be removed', failurePauseMs: everyMs });
}
