import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readConfig } from '../../core/config.ts';
import { relayOutbox } from '../../core/db/relay.ts';
import { openStore, type Store } from '../../core/db/store.ts';
import { recoverJobs } from '../../core/jobs/recover.ts';
import { closeOracle } from '../../core/planning/consult-oracle.ts';
import { destroyRoadThreads } from '../../core/roads/road-threads.ts';
import { closeSolver } from '../../core/solver/solve.ts';
import { startWorkers } from '../../workers/main.ts';
import { planningWork } from '../../workers/planning.ts';
import { endOf, lineWorld, monday, ok, query, type Job, type LineWorld } from '../support/line-world.ts';
import { scatterOrders } from '../support/scattered-orders.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let store: Store;
let w: LineWorld;
const environment = () => ({ DATABASE_URL: service.databaseUrl, MILKRUN_LOG_LEVEL: process.env.MILKRUN_LOG_LEVEL ?? 'silent' });

beforeAll(async () => {
  service = await startService();
  store = await openStore(service.databaseUrl);
});
afterAll(async () => {
  await Promise.all([closeSolver(), closeOracle(), destroyRoadThreads()]);
  await store.close();
  await service.close();
});
beforeEach(async () => {
  w = await lineWorld(service);
  await w.vehicle('van');
  await w.order('a', 5);
});

const start = async (request: object = {}): Promise<string> => ok(await w.admin.post(`${w.path}/planning/preview`, { vehicle_ids: ['van'], date_start: monday, date_end: monday, seed: 1, max_iterations: 200, ...request })).job_id;
const attemptsOf = async (id: string) => (await w.sql('select attempt from jobs where id = $1', [id]))[0].attempt;
const endsOf = (id: string) => w.sql(`select type from job_events where job_id = $1 and type <> 'progress'`, [id]);
const outbox = () => w.sql('select queue, key from outbox where payload @> $1', [JSON.stringify({})]);

async function withWorkers<T>(work: () => Promise<T>): Promise<T> {
  const workers = await startWorkers(readConfig(environment()));
  try {
    return await work();
  } finally {
    await workers.close();
  }
}

/** The job as it ended, after exactly one commit. */
async function endedOnce(id: string): Promise<Job> {
  const job = await endOf(w, id);
  expect(job).toMatchObject({ status: 'completed', error: null });
  expect(await endsOf(id)).toEqual([{ type: 'completed' }]);
  expect((await w.get('/plans?record_status=all')).items.map((plan: { job_id: string; state: string }) => [plan.job_id, plan.state])).toEqual([[id, 'planning']]);
  return job;
}

test('a job waits for a worker, and can be cancelled while it does', async () => {
  const [id, other] = [await start(), await start()];
  expect(await w.get(`/jobs/${id}`)).toMatchObject({ status: 'queued', started_at: null, progress: { fraction: 0 } });
  expect((await w.admin.post(`${w.path}/jobs/${id}/cancel`)).body).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) });
  expect((await w.admin.post(`${w.path}/jobs/${id}/cancel`)).status).toBe(409);
  await withWorkers(() => endOf(w, other));
  expect([await attemptsOf(id), await endsOf(id)]).toEqual([0, [{ type: 'cancelled' }]]);
});

test('a job that is delivered twice, at once and afterwards, is committed once', async () => {
  const id = await start({ max_iterations: 20_000 });
  await scatterOrders(w, 50);
  const { handle } = planningWork({ config: readConfig(environment()), store, log: pino({ level: 'silent' }) });
  const deliver = () => handle({ jobId: id }, { signal: new AbortController().signal, failures: 0 });
  await Promise.all([deliver(), deliver()]);
  await deliver();
  await endedOnce(id);
  expect(await attemptsOf(id)).toBe(2);
});

test('a worker that stops gives its job back', async () => {
  await scatterOrders(w, 50);
  const id = await start({ max_iterations: 30_000 });
  await withWorkers(() => until(id, 'running'));
  expect(await w.get(`/jobs/${id}`)).toMatchObject({ status: 'running', finished_at: null });
  await withWorkers(() => endOf(w, id));
  await endedOnce(id);
  expect(await attemptsOf(id)).toBe(2);
});

test('a worker that is killed in the middle of a job: the job runs again and commits once', async () => {
  await scatterOrders(w, 50);
  const id = await start({ max_iterations: 60_000 });
  const killed = spawnWorker();
  await until(id, 'running');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await w.get(`/jobs/${id}`)).toMatchObject({ status: 'running' });
  await withWorkers(() => endOf(w, id));
  await endedOnce(id);
  expect(await attemptsOf(id)).toBe(2);
});

test('what a crash keeps from the queue stays in the outbox', async () => {
  const id = await start();
  const row = { queue: 'planning', key: id };
  expect(await outbox()).toContainEqual(row);
  await expect(relayOutbox(store, ['planning'], async () => { throw new Error('the queue is away'); })).rejects.toThrow('the queue is away');
  expect(await outbox()).toContainEqual(row);
  await withWorkers(() => endedOnce(id));
  expect(await outbox()).not.toContainEqual(row);
});

test('words for a queue that nobody here knows hold nobody up', async () => {
  const strange = { queue: 'of-the-future', key: 'k' };
  await query(service.databaseUrl, `insert into outbox (queue, key, payload, created_at) values ('of-the-future', 'k', '{}', now())`);
  const id = await start();
  await withWorkers(() => endedOnce(id));
  expect(await outbox()).toEqual([strange]);
  await query(service.databaseUrl, 'delete from outbox');
});

test('a job that a queue has lost is put into the outbox again, a live one is not', async () => {
  const [lost, alive] = [await start(), await start()];
  await query(service.databaseUrl, 'delete from outbox');
  await w.sql(`update jobs set status = 'running', attempt = 1, heartbeat_at = now() - interval '2 minutes' where id = $1`, [lost]);
  expect(await recoverJobs(store, 60)).toBe(1);
  expect(await outbox()).toEqual([{ queue: 'planning', key: lost }]);
  expect(await recoverJobs(store, 60)).toBe(0);
  await withWorkers(() => endedOnce(lost));
  expect([await attemptsOf(lost), await attemptsOf(alive)]).toEqual([2, 0]);
});

function spawnWorker(): ChildProcess {
  const program = fileURLToPath(new URL('../../bin/milkrun.ts', import.meta.url));
  return spawn(process.execPath, [program, 'worker'], { env: { ...process.env, ...environment() }, stdio: 'ignore' });
}

async function until(id: string, phase: string): Promise<void> {
  while ((await w.get(`/jobs/${id}`)).status !== phase) await new Promise((resolve) => setTimeout(resolve, 20));
}
