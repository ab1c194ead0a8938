import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { migrateQueues } from '../../../core/jobs/migrate-queues.ts';
import { openQueues } from '../../../core/jobs/queue.ts';
import type { Delivery, Queues } from '../../../core/jobs/queue.ts';
import type { QueueStore } from '../../../core/jobs/queue-backend.ts';
import { createDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { redisProgram, startRedis } from '../../support/redis.ts';

/** Short enough for a test; the shares between them are those of the defaults. */
const timing = { lockSeconds: 1, checkSeconds: 0.5, stopSeconds: 5 };
const giveUp = async () => {};

describe('on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    await migrateQueues({ databaseUrl: database.url });
  });
  afterAll(() => database.drop());

  behaviour(() => ({ databaseUrl: database.url, redisUrl: null }));

  test('queues that were never migrated are refused', async () => {
    const empty = await createDatabase({ isEmpty: true });
    try {
      await expect(openQueues({ databaseUrl: empty.url, redisUrl: null }, { onError: () => {} })).rejects.toThrow(/not initialized/);
    } finally {
      await empty.drop();
    }
  });

  test('migrating twice, and twice at once, changes nothing', async () => {
    await Promise.all([migrateQueues({ databaseUrl: database.url }), migrateQueues({ databaseUrl: database.url })]);
  });
});

const describeRedis = redisProgram ? describe : describe.skip;
describeRedis('on Redis (needs redis-server or valkey-server in the PATH)', () => {
  let redis: { url: string; stop(): Promise<void> };
  beforeAll(async () => { redis = await startRedis(redisProgram!); });
  afterAll(() => redis.stop());

  behaviour(() => ({ databaseUrl: 'postgres://nobody@127.0.0.1:1/unused', redisUrl: redis.url }));
});

function behaviour(store: () => QueueStore): void {
  let queues: Queues;
  let errors: Error[];

  beforeEach(async () => {
    errors = [];
    queues = await openQueues(store(), { ...timing, onError: (error) => errors.push(error) });
  });
  afterEach(() => queues.close());

  test('an entry reaches a worker and is forgotten', async () => {
    const seen: string[] = [];
    const worker = await queues.work('planning', { handle: async ({ jobId }) => { seen.push(jobId); }, giveUp });
    await queues.add('planning', { jobId: 'a:1' }, { key: 'a:1' });
    await queues.add('planning', { jobId: '7' }, { key: '7' });
    await until(() => seen.length === 2);
    await untilEmpty();
    await worker.close();
    expect(seen.toSorted()).toEqual(['7', 'a:1']);
  });

  test('a key that waits or is worked on is added once', async () => {
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    await queues.add('planning', { jobId: 'first' }, { key: 'same' });
    await queues.add('planning', { jobId: 'second' }, { key: 'same' });
    expect(await queues.backlog('planning')).toBe(1);
    const worker = await queues.work('planning', { handle: async ({ jobId }) => { seen.push(jobId); await gate.promise; }, giveUp });
    await until(() => seen.length === 1);
    await queues.add('planning', { jobId: 'third' }, { key: 'same' });
    gate.resolve();
    await untilEmpty();
    await worker.close();
    expect(seen).toEqual(['first']);
  });

  test('a failed attempt is reported and tried again', async () => {
    const failures: number[] = [];
    const worker = await queues.work('planning', {
      handle: async (_payload, delivery) => {
        failures.push(delivery.failures);
        if (delivery.failures === 0) throw new Error('the database was away');
      },
      giveUp,
    });
    await queues.add('planning', { jobId: 'x' }, { key: 'retried' });
    await until(() => failures.length === 2);
    await untilEmpty();
    await worker.close();
    expect(failures).toEqual([0, 1]);
    expect(errors.map((error) => error.message)).toEqual(['the database was away']);
  });

  test('stopping aborts the entry in hand and gives it back uncounted', async () => {
    const started = Promise.withResolvers<void>();
    const stopped = await queues.work('planning', {
      handle: async (_payload, { signal }) => { started.resolve(); await aborted(signal); },
      giveUp,
    });
    await queues.add('planning', { jobId: 'x' }, { key: 'returned' });
    await started.promise;
    await stopped.close();
    expect(await queues.backlog('planning')).toBe(1);

    const deliveries: Delivery[] = [];
    const next = await queues.work('planning', { handle: async (_payload, delivery) => { deliveries.push(delivery); }, giveUp });
    await untilEmpty();
    await next.close();
    expect(deliveries.map((delivery) => delivery.failures)).toEqual([0]);
    expect(errors).toEqual([]);
  });

  test('a worker killed in the middle: another one gets the entry', async () => {
    await queues.add('planning', { jobId: 'x' }, { key: 'orphaned' });
    await killInTheMiddle(store());
    const seen: string[] = [];
    const worker = await queues.work('planning', { handle: async ({ jobId }) => { seen.push(jobId); }, giveUp });
    await until(() => seen.length === 1);
    await untilEmpty();
    await worker.close();
    expect(seen).toEqual(['x']);
  });

  test('an entry that kills every worker is given up', async () => {
    await queues.add('planning', { jobId: 'poison' }, { key: 'poison' });
    for (let death = 0; death < 3; death++) await killInTheMiddle(store());
    const seen: string[] = [];
    const givenUp = Promise.withResolvers<string>();
    const worker = await queues.work('planning', {
      handle: async ({ jobId }) => { seen.push(jobId); },
      giveUp: async ({ jobId }, reason) => { givenUp.resolve(`${jobId}: ${reason.message}`); },
    });
    expect(await givenUp.promise).toMatch(/^poison: .*stalled/);
    await worker.close();
    expect(seen).toEqual([]);
  });

  async function untilEmpty(): Promise<void> {
    await until(async () => await queues.backlog('planning') === 0);
  }
}

/** A worker process takes one entry and dies with it in hand. */
async function killInTheMiddle(store: QueueStore): Promise<void> {
  const program = `
    const { openQueues } = await import(${JSON.stringify(new URL('../../../core/jobs/queue.ts', import.meta.url).href)});
    const queues = await openQueues(${JSON.stringify(store)}, { ...${JSON.stringify(timing)}, onError: console.error });
    await queues.work('planning', { handle: () => { console.log('taken'); return new Promise(() => {}); }, giveUp: async () => {} });
  `;
  const victim = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(victim, 'exit');
  try {
    await Promise.race([once(victim.stdout, 'data'), exited.then(() => { throw new Error('the worker ended by itself'); })]);
  } finally {
    victim.kill('SIGKILL');
    await exited;
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => { signal.addEventListener('abort', resolve, { once: true }); });
  throw signal.reason;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!await isTrue()) await new Promise((resolve) => { setTimeout(resolve, 25); });
}
