import type { Logger } from 'pino';
import type { Store } from '../core/db/store.ts';
import { sweepAnswers } from '../core/idempotency/answers.ts';
import { sweepPushes } from '../core/push/deliver.ts';
import { repeat, type Repeated } from './repeat.ts';

const everyMs = 60_000;

/** Removes what has had its time: answers kept for idempotency keys, push messages of long ago. */
export function startSweeps({ store, log }: { store: Store; log: Logger }): Repeated {
  return repeat(async (stopping) => {
    while ((await sweepAnswers(store)) + (await sweepPushes(store)) > 0 && !stopping.aborted);
    return everyMs;
  }, { log, failure: 'what has had its time could not be removed', failurePauseMs: everyMs });
}
