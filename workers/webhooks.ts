import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Store } from '../core/db/store.ts';
import type { Queues, WorkOptions } from '../core/jobs/queue.ts';
import { dueWebhooks, forgetOld } from '../core/webhooks/due.ts';
import { fanOut } from '../core/webhooks/fan-out.ts';
import { takeTurn } from '../core/webhooks/take-turn.ts';
import { repeat, type Repeated } from './repeat.ts';

/** Turns that one process has in hand. They wait for other people's servers nearly all the time. */
const concurrency = 64;
/** Requests under way when the worker stops may take so much longer; then they are broken off and sent again by another worker. */
const graceMs = 5_000;

/**
 * The webhook queue: an entry is the turn of one webhook. What is due for it, and when, is in the database; a webhook has one entry at
 * a time, so the queue goes round between them however much one has waiting.
 */
export function webhookWork({ config, store, log }: { config: Config; store: Store; log: Logger }): WorkOptions<'webhooks'> {
  return {
    concurrency,
    async handle(ref, { signal }) {
      const late = new AbortController();
      const breakOff = () => void setTimeout(() => late.abort(), graceMs).unref();
      signal.addEventListener('abort', breakOff, { once: true });
      try {
        await takeTurn({
          store, targets: config.webhookTargets, breakOff: late.signal,
          onOutcome: ({ deliveryId, attempt, event }, outcome) => log.info({ ...ref, deliveryId, eventId: event.id, requestId: event.requestId, attempt, outcome: outcome.kind }, 'webhook delivery'),
        }, ref, signal);
      } finally {
        signal.removeEventListener('abort', breakOff);
      }
    },
    async giveUp(ref, reason) {
      // Whatever is due stays due: the next sweep makes another entry.
      log.error({ err: reason, ...ref }, 'a turn of a webhook failed');
    },
  };
}

const pauseMs = 200;
const sweepEveryMs = 400;
const forgetEveryMs = 600_000;

/** Makes deliveries of new events, and entries in the queue for what is due. Several processes may do so beside one another. */
export function startWebhookRelay({ store, queues, log }: { store: Store; queues: Queues; log: Logger }): Repeated {
  let sweptMs = 0;
  let forgotMs = Date.now();
  return repeat(async () => {
    const count = await fanOut(store);
    if (count || Date.now() - sweptMs > sweepEveryMs) {
      sweptMs = Date.now();
      for (const ref of await dueWebhooks(store)) await queues.add('webhooks', ref, { key: `${ref.businessId}/${ref.webhookId}` });
    }
    if (Date.now() - forgotMs > forgetEveryMs && !(await forgetOld(store))) forgotMs = Date.now();
    return count ? 0 : pauseMs;
  }, { log, failure: 'events could not be told to webhooks', failurePauseMs: 1_000 });
}
