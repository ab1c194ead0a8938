import type { Logger } from 'pino';
import type { Store } from '../core/db/store.ts';
import type { Queues, WorkOptions } from '../core/jobs/queue.ts';
import { deliverPush, duePushes } from '../core/push/deliver.ts';
import type { PushSenders } from '../core/push/senders.ts';
import { repeat, type Repeated } from './repeat.ts';

/** Messages under way at a time in one process. */
const concurrency = 16;

/** The push queue: an entry is one message to one device. When it is due, and what became of it, is in the database. */
export function pushWork({ store, senders, log }: { store: Store; senders: PushSenders; log: Logger }): WorkOptions<'push'> {
  return {
    concurrency,
    async handle(ref, { signal }) {
      const outcome = await deliverPush(store, senders, ref, signal);
      if (outcome) log.info({ ...ref, ...outcome, outcome: outcome.kind }, 'push');
    },
    async giveUp(ref, reason) {
      // It stays due: the next round makes another entry.
      log.error({ err: reason, ...ref }, 'a push message met a bug');
    },
  };
}

const pauseMs = 500;

/** Makes entries in the queue for what is due. Several processes may do so beside one another. */
export function startPushRelay({ store, queues, log }: { store: Store; queues: Queues; log: Logger }): Repeated {
  return repeat(async () => {
    for (const ref of await duePushes(store)) await queues.add('push', ref, { key: `${ref.businessId}/${ref.deliveryId}` });
    return pauseMs;
  }, { log, failure: 'push messages could not be queued', failurePauseMs: pauseMs });
}
