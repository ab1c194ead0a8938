import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { relayOutbox } from '../core/db/relay.ts';
import type { Store } from '../core/db/store.ts';
import type { Queues } from '../core/jobs/queue.ts';
import { queueNames, type QueueName, type QueuePayloads } from '../core/jobs/queue-payloads.ts';
import { recoverJobs } from '../core/jobs/recover.ts';

const pauseMs = 200;
/** Well over the longest silence of a healthy run, which reports twice a second. */
const silentSeconds = 60;
const recoverEveryMs = 15_000;

/** Carries the outbox to the queues, and puts jobs that nobody looks after back into it. */
export function startRelay({ store, queues, log }: { store: Store; queues: Queues; log: Logger }): { close(): Promise<void> } {
  const stopping = new AbortController();
  let recoveredMs = 0;

  async function round(): Promise<void> {
    if (Date.now() - recoveredMs > recoverEveryMs) {
      recoveredMs = Date.now();
      const count = await recoverJobs(store, silentSeconds);
      if (count > 0) log.warn({ count }, 'jobs that nobody looked after are queued again');
    }
    const count = await relayOutbox(store, queueNames, ({ queue, key, payload }) =>
      queues.add(queue as QueueName, payload as unknown as QueuePayloads[QueueName], { key }));
    if (count === 0) await sleep(pauseMs, undefined, { signal: stopping.signal });
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await round();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, 'the outbox could not be relayed');
        await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  })();

  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}
