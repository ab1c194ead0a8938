import type { Logger } from 'pino';
import { relayOutbox } from '../core/db/relay.ts';
import type { Store } from '../core/db/store.ts';
import type { Queues } from '../core/jobs/queue.ts';
import { queueNames, type QueueName, type QueuePayloads } from '../core/jobs/queue-payloads.ts';
import { recoverJobs } from '../core/jobs/recover.ts';
import { repeat, type Repeated } from './repeat.ts';

const pauseMs = 200;
/** Well over the longest silence of a healthy run, which reports twice a second. */
const silentSeconds = 60;
const recoverEveryMs = 15_000;

/** Carries the outbox to the queues, and puts jobs that nobody looks after back into it. */
export function startRelay({ store, queues, log }: { store: Store; queues: Queues; log: Logger }): Repeated {
  let recoveredMs = 0;
  return repeat(async () => {
    if (Date.now() - recoveredMs > recoverEveryMs) {
      recoveredMs = Date.now();
      const count = await recoverJobs(store, silentSeconds);
      if (count > 0) log.warn({ count }, 'jobs that nobody looked after are queued again');
    }
    const count = await relayOutbox(store, queueNames, ({ queue, key, payload }) =>
      queues.add(queue as QueueName, payload as unknown as QueuePayloads[QueueName], { key }));
    return count === 0 ? pauseMs : 0;
  }, { log, failure: 'the outbox could not be relayed', failurePauseMs: 1_000 });
}
