/**
 * Queue entries per second and the time from adding to handling, then webhook deliveries per second, on PostgreSQL and, where REDIS_URL is set, on Redis beside it:
 *
 *     npm run --silent bench:jobs -- [--entries 500]
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openQueues } from '../../core/jobs/queue.ts';
import { startEmbeddedPostgres } from '../../launch/embedded-postgres.ts';
import { migrateAll } from '../../launch/migrate.ts';
import { measureDeliveries } from './webhook-deliveries.ts';

const { values: options } = parseArgs({ options: { entries: { type: 'string', default: '500' } } });
const count = Number(options.entries);
const postgres = await startEmbeddedPostgres({ directory: mkdtempSync(join(tmpdir(), 'milkrun-bench-')), isTemporary: true });
await migrateAll({ databaseUrl: postgres.url });

const stores = [{ backend: 'postgresql', redisUrl: null }, ...(process.env.REDIS_URL ? [{ backend: 'redis', redisUrl: process.env.REDIS_URL }] : [])];
for (const { backend, redisUrl } of stores) {
  console.log(JSON.stringify({ backend, ...(await measure({ databaseUrl: postgres.url, redisUrl })) }));
  const env = { DATABASE_URL: postgres.url, ...(redisUrl ? { REDIS_URL: redisUrl } : {}) };
  for (const size of [{ webhooks: 1, events: 2_000 }, { webhooks: 20, events: 200 }]) console.log(JSON.stringify({ backend, ...(await measureDeliveries(env, size)) }));
}
if (!process.env.REDIS_URL) console.error('Redis is left out: REDIS_URL is not set.');
await postgres.stop();

async function measure(store: Parameters<typeof openQueues>[0]) {
  const queues = await openQueues(store, { onError: (error) => console.error(error.message) });
  const addedMs = new Map<string, number>();
  const latencies: number[] = [];
  const all = Promise.withResolvers<void>();
  await queues.work('planning', {
    concurrency: 8,
    handle: async ({ jobId }) => {
      latencies.push(performance.now() - addedMs.get(jobId)!);
      if (latencies.length === count) all.resolve();
    },
    giveUp: async () => {},
  });
  // One at a time first: how long a lone entry waits.
  const lone: number[] = [];
  const started = performance.now();
  for (let i = 0; i < count; i++) {
    addedMs.set(`job-${i}`, performance.now());
    await queues.add('planning', { jobId: `job-${i}` }, { key: `job-${i}` });
    if (i < 20) {
      while (latencies.length <= i) await new Promise((resolve) => setTimeout(resolve, 1));
      lone.push(latencies[i]);
    }
  }
  await all.promise;
  const seconds = (performance.now() - started) / 1_000;
  await queues.close();
  lone.sort((a, b) => a - b);
  latencies.sort((a, b) => a - b);
  const round = (value: number) => Math.round(value * 10) / 10;
  return { jobs_per_second: round(count / seconds), lone_p50_ms: round(lone[10]), p50_ms: round(latencies[count >> 1]), p99_ms: round(latencies[Math.floor(count * 0.99)]) };
}
