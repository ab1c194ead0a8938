import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Store } from '../core/db/store.ts';
import { sweepAnswers } from '../core/idempotency/answers.ts';
import { sweepPushes } from '../core/push/deliver.ts';

const everyMs = 60_000;

/** Removes what has had its time: answers kept for idempotency keys, push messages of long ago. */
export function startSweeps({ store, log }: { store: Store; log: Logger }): { close(): Promise<void> } {
  const stopping = new AbortController();

  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        while ((await sweepAnswers(store)) + (await sweepPushes(store)) > 0 && !stopping.signal.aborted);
      } catch (error) {
        log.warn({ err: error }, 'what has had its time could not be removed');
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
