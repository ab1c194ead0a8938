/**
 * The queues between those who want work done and the workers. A queue only says that there is work: everything about it is in the
 * database, entries are delivered at least once, and doing one twice changes nothing.
 */

import { WaitingError } from 'bullmq';
import type { Job } from 'bullmq';
import { openQueueBackend } from './queue-backend.ts';
import type { QueueStore } from './queue-backend.ts';
import { queueNames } from './queue-payloads.ts';
import type { QueueName, QueuePayloads } from './queue-payloads.ts';

export interface AddOptions {
  /** Adding a second entry with the key of one that is waiting or worked on does nothing. */
  key: string;
  delayMs?: number;
}

export interface Delivery {
  /** Aborts when the worker stops or has lost its hold on the entry: somebody else may be at the same work by then. */
  signal: AbortSignal;
  /** Counts deliveries that failed before this one. */
  failures: number;
}

export type Handler<Name extends QueueName> = (payload: QueuePayloads[Name], delivery: Delivery) => Promise<void>;

export interface WorkOptions<Name extends QueueName> {
  handle: Handler<Name>;
  /** Called after the last attempt has failed, or after the worker died too often in the middle of it. */
  giveUp: (payload: QueuePayloads[Name], reason: Error) => Promise<void>;
  /** How many entries one worker has in hand at a time. */
  concurrency?: number;
}

export interface QueueWorker {
  /** Takes no more entries, aborts those in hand and gives them back. One that does not let go is delivered again later. */
  close(): Promise<void>;
}

export interface Queues {
  add<Name extends QueueName>(name: Name, payload: QueuePayloads[Name], options: AddOptions): Promise<void>;
  work<Name extends QueueName>(name: Name, options: WorkOptions<Name>): Promise<QueueWorker>;
  /** Entries that wait or are in hand. Throws when the store does not answer, which makes it the probe of readiness. */
  backlog(name: QueueName): Promise<number>;
  close(): Promise<void>;
}

export interface QueuesOptions {
  /** Broken connections and failed attempts are told here; the queues go on by themselves. */
  onError: (error: Error, where: { queue: QueueName }) => void;
  /** A dead worker's entries are delivered again after the sum of `lock` and at most twice `check`. */
  lockSeconds?: number;
  checkSeconds?: number;
  /** How long closing a worker waits for the handlers. */
  stopSeconds?: number;
}

/** Throwing means a bug or broken infrastructure; after 1, 2, 4 and 8 seconds it is tried again. */
const ATTEMPTS = 5;
const RETRY_DELAY_MS = 1000;
/** What takes its worker down with it three times would do so for ever. */
const DEATHS_MAX = 2;

export async function openQueues(store: QueueStore, options: QueuesOptions): Promise<Queues> {
  const { onError, lockSeconds = 8, checkSeconds = 3, stopSeconds = 10 } = options;
  const backend = openQueueBackend(store);
  const workers = new Set<QueueWorker>();

  const queues = Object.fromEntries(queueNames.map((name) => {
    const queue = backend.queue(name, {
      defaultJobOptions: {
        attempts: ATTEMPTS, backoff: { type: 'exponential', delay: RETRY_DELAY_MS },
        // Results are in the database. A finished entry that stayed would keep its key taken.
        removeOnComplete: true, removeOnFail: true,
      },
      // Nobody reads BullMQ's own history of events.
      streams: { events: { maxLen: 100 } },
    });
    queue.on('error', (error) => onError(error, { queue: name }));
    return [name, queue];
  }));
  const close = async () => {
    await Promise.all([...workers].map((worker) => worker.close()));
    await Promise.all(Object.values(queues).map((queue) => queue.close()));
    await backend.close();
  };
  try {
    await Promise.all(Object.values(queues).map((queue) => queue.waitUntilReady()));
  } catch (error) {
    await close();
    throw error;
  }

  async function work<Name extends QueueName>(name: Name, { handle, giveUp, concurrency = 1 }: WorkOptions<Name>): Promise<QueueWorker> {
    const report = (error: Error) => onError(error, { queue: name });
    const stopping = new AbortController();

    // BullMQ gives a signal only to a function that declares three parameters.
    const process = async (job: Job<object, void>, token: string | undefined, lost: AbortSignal | undefined): Promise<void> => {
      const signal = AbortSignal.any([stopping.signal, ...(lost ? [lost] : [])]);
      try {
        await handle(job.data as QueuePayloads[Name], { signal, failures: job.attemptsMade });
      } catch (error) {
        if (stopping.signal.aborted) {
          // The worker stops, which is no failure of the work: the next worker gets it at once.
          await job.moveToWait(token);
          throw new WaitingError();
        }
        // Before BullMQ forgets the entry: a worker that dies in between has given up nothing.
        if (job.attemptsMade + 1 >= ATTEMPTS && !signal.aborted) await giveUp(job.data as QueuePayloads[Name], toError(error));
        throw error;
      }
    };
    const worker = backend.worker(name, process, {
      concurrency, lockDuration: lockSeconds * 1000, stalledInterval: checkSeconds * 1000, maxStalledCount: DEATHS_MAX,
      // A store that was away is tried again soon.
      runRetryDelay: 2000,
    });
    worker.on('error', report);
    worker.on('lockRenewalFailed', (jobIds) => {
      for (const jobId of jobIds) worker.cancelJob(jobId, 'another worker may have taken over');
    });
    const lateGiveUps = new Set<Promise<void>>();
    worker.on('failed', (job, error) => {
      report(error);
      // An entry whose worker died too often fails without another call of its handler.
      if (!job?.deferredFailure) return;
      const late = giveUp(job.data as QueuePayloads[Name], error).catch(report).finally(() => lateGiveUps.delete(late));
      lateGiveUps.add(late);
    });

    const queueWorker = {
      close: async () => {
        workers.delete(queueWorker);
        stopping.abort(new Error('the worker is stopping'));
        await closeWithin(worker, stopSeconds * 1000);
        await Promise.all(lateGiveUps);
      },
    };
    workers.add(queueWorker);
    await worker.waitUntilReady();
    return queueWorker;
  }

  return {
    add: async (name, payload, { key, delayMs }) => {
      await queues[name].add(name, payload, { jobId: entryId(key), delay: delayMs ?? 0 });
    },
    work,
    backlog: (name) => queues[name].getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized'),
    close,
  };
}

/** BullMQ refuses ids with a colon and takes ids of digits only for its own. */
function entryId(key: string): string {
  return `key-${encodeURIComponent(key)}`;
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** After the time is over the process is expected to end, and with it the hold on what is still in hand. */
async function closeWithin(worker: { close(): Promise<void> }, milliseconds: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([worker.close(), late]);
  clearTimeout(timer);
}
