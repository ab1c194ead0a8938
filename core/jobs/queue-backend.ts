import { Redis } from 'ioredis';
import { Queue, Worker, createPostgresBackend } from 'bullmq';
import type { IQueueBackend, Processor, QueueOptions, WorkerOptions } from 'bullmq';
import type { Config } from '../config.ts';

/** The queues' own schema, beside the tables of everything else. */
export const QUEUE_SCHEMA = 'queues';

type AnyQueue = Queue<object, void, string, object, void, string, IQueueBackend, never>;
type AnyWorker = Worker<object, void, string, IQueueBackend>;

/** Makes BullMQ's two parts on whichever store the configuration names. Behind this file nobody knows which. */
export interface QueueBackend {
  queue(name: string, options: Omit<QueueOptions, 'connection'>): AnyQueue;
  worker(name: string, processor: Processor<object, void>, options: Omit<WorkerOptions, 'connection'>): AnyWorker;
  close(): Promise<void>;
}

export type QueueStore = Pick<Config, 'databaseUrl' | 'redisUrl'>;

export function openQueueBackend(store: QueueStore): QueueBackend {
  return store.redisUrl === null ? onPostgres(store.databaseUrl) : onRedis(store.redisUrl);
}

function onPostgres(connectionString: string): QueueBackend {
  // Each queue and worker has a pool of its own and one more connection that listens. Their statements are short.
  const connection = { connectionString, schema: QUEUE_SCHEMA, max: 2 };
  return {
    queue: (name, options) => new Queue(name, { ...options, connection }, createPostgresBackend) as unknown as AnyQueue,
    worker: (name, processor, options) => new Worker(name, processor, { ...options, connection }, createPostgresBackend) as unknown as AnyWorker,
    close: async () => {},
  };
}

function onRedis(url: string): QueueBackend {
  // Workers must outlive a restart of Redis, so their commands wait for it. A worker makes a second connection, for the blocking read.
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  // BullMQ reports what goes wrong; without a listener of its own ioredis would write to the console too.
  connection.on('error', () => {});
  const prefix = 'milkrun';
  return {
    queue: (name, options) => new Queue(name, { ...options, connection, prefix }) as unknown as AnyQueue,
    worker: (name, processor, options) => new Worker(name, processor, { ...options, connection, prefix }) as unknown as AnyWorker,
    close: async () => { connection.disconnect(); },
  };
}
