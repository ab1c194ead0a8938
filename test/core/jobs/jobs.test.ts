import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openStore } from '../../../core/db/store.ts';
import { sweepJobEvents } from '../../../core/jobs/events.ts';
import { readEvents, type StreamedEvent } from '../../support/event-stream.ts';
import { createBusiness } from '../../support/business.ts';
import { endOf, lineWorld, monday, ok, time, type LineWorld } from '../../support/line-world.ts';
import { scatterOrders } from '../../support/scattered-orders.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let w: LineWorld;
beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(() => service.close());
beforeEach(async () => {
  w = await lineWorld(service);
  await w.vehicle('van');
});

const start = async (request: object): Promise<string> => ok(await w.admin.post(`${w.path}/planning/preview`, { vehicle_ids: ['van'], date_start: monday, date_end: monday, seed: 1, ...request })).job_id;
const events = (id: string, options = {}) => readEvents(w.admin, `${w.path}/jobs/${id}/events`, options);
const isSolving = ({ data }: StreamedEvent): boolean => data.progress.phase === 'solve';
const cancel = (id: string) => w.admin.post(`${w.path}/jobs/${id}/cancel`);

describe('the story of a job', () => {
  test('is streamed in order and ends with the job', async () => {
    await scatterOrders(w, 60);
    const id = await start({ time_limit_seconds: 2 });
    const told = await events(id);
    const job = await w.get(`/jobs/${id}`);
    expect(told.map((event) => event.id)).toEqual(told.map((_event, index) => index + 1));
    expect(told.map((event) => event.type)).toEqual([...told.slice(1).map(() => 'progress'), 'completed']);
    expect(told.at(-1)!.data).toEqual(job);
    expect(told.map(({ data }) => data.status).filter((status, index, all) => status !== all[index - 1])).toEqual(['queued', 'running', 'completed']);
    const fractions = told.map(({ data }) => data.progress.fraction);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect([fractions[0], fractions.at(-1)]).toEqual([0, 1]);
    const solving = told.filter(isSolving).map(({ data }) => data.progress);
    expect(solving.at(-1)).toMatchObject({ elapsed_seconds: expect.any(Number), best: { planned: expect.any(Number), unplanned: expect.any(Number), iterations: expect.any(Number), travel_seconds: expect.any(Number), travel_meters: expect.any(Number) } });
    expect(job).toMatchObject({ kind: 'planning', status: 'completed', error: null, progress: { fraction: 1, phase: 'completed' }, request: { time_limit_seconds: 2 } });
    const seen = job.best_over_time as { elapsed_seconds: number; planned: number; travel_seconds: number }[];
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.map((best) => best.elapsed_seconds)).toEqual(seen.map((best) => best.elapsed_seconds).toSorted((a, b) => a - b));
    const { iterations: _later, ...best } = job.progress.best;
    expect(seen.at(-1)).toMatchObject(best);
    expect([job.started_at, job.finished_at].every((instant) => Date.parse(instant) >= Date.parse(job.created_at) - 1)).toBe(true);
  });

  test('is resumed after the event that came last', async () => {
    await w.order('a', 5);
    const { id } = await w.plan();
    const told = await events(id);
    expect(await events(id, { lastEventId: 1 })).toEqual(told.slice(1));
    expect(await events(id, { lastEventId: told.length })).toEqual([]);
    expect((await events(id, { lastEventId: 10_000 }))).toEqual([]);
    for (const nonsense of [-1, 1.5, 1e99, Infinity, NaN]) expect([nonsense, await events(id, { lastEventId: nonsense })]).toEqual([nonsense, told]);
  });

  test('is kept for a month, and how it ended for ever', async () => {
    const { id } = await w.plan();
    const told = await events(id);
    const inAMonth = new Date(Date.now() + 31 * 86_400_000);
    const store = await openStore(service.databaseUrl);
    try {
      await sweepJobEvents(store);
      expect(await events(id)).toEqual(told);
      while ((await sweepJobEvents(store, inAMonth)) > 0);
    } finally {
      await store.close();
    }
    expect(told.length).toBeGreaterThan(1);
    expect(await events(id)).toEqual(told.slice(-1));
  });

  test('is read and listed by its own business only', async () => {
    const { id } = await w.plan();
    const other = await createBusiness(service);
    for (const path of [`/jobs/${id}`, `/jobs/${id}/events`]) expect((await other.admin.get(other.path + path)).status).toBe(404);
    expect((await other.admin.post(`${other.path}/jobs/${id}/cancel`)).status).toBe(404);
    expect((await w.admin.get(`${w.path}/jobs/not-a-uuid`)).status).toBe(404);
    const list = async (query: string): Promise<string[]> => (await w.get(`/jobs${query}`)).items.map((job: { id: string }) => job.id);
    expect(await list('')).toEqual([id]);
    expect(await list('?status=completed&kind=planning')).toEqual([id]);
    expect(await list('?status=running')).toEqual([]);
    expect(await list('?kind=region_install')).toEqual([]);
    expect((await w.admin.get(`${w.path}/jobs?status=done`)).status).toBe(422);
  });
});

describe('cancelling', () => {
  test('a running job ends soon, and plans stay as they were', async () => {
    await w.order('a', 5, { vehicle_id: 'van', scheduled_at: time('09:00') });
    await scatterOrders(w, 60);
    const before = [await w.plans(), await w.get('/orders')];
    const id = await start({ time_limit_seconds: 600, include_planned: true });
    await events(id, { until: isSolving });
    expect((await cancel(id)).status).toBe(200);
    const told = await events(id);
    expect(told.at(-1)).toMatchObject({ type: 'cancelled', data: { status: 'cancelled', result: null, error: null } });
    expect([await w.plans(), await w.get('/orders')]).toEqual(before);
    const again = await cancel(id);
    expect([again.status, again.body.error.message]).toEqual([409, 'the job is cancelled already']);
  });

  test('a running job that shall keep its best plan completes with it soon', async () => {
    await scatterOrders(w, 60);
    const id = await start({ time_limit_seconds: 600 });
    await events(id, { until: isSolving });
    expect((await w.admin.post(`${w.path}/jobs/${id}/cancel?keep=best`)).status).toBe(200);
    const told = await events(id);
    expect(told.at(-1)).toMatchObject({ type: 'completed', data: { status: 'completed', error: null, result: { stopped_early: true } } });
    const { result } = await w.get(`/jobs/${id}`);
    expect(result.planned).toBeGreaterThan(0);
    expect(result.planned + result.unplanned.length).toBe(60);
    const stops = Object.values(await w.plans()).flatMap((plan) => plan.stops).filter((stop: { kind: string }) => stop.kind === 'task');
    expect(stops).toHaveLength(result.planned);
  });

  test('one that has nothing yet is cancelled all the same, and nothing is kept for who wanted nothing kept', async () => {
    await scatterOrders(w, 60);
    const id = await start({ time_limit_seconds: 600 });
    await events(id, { until: isSolving });
    await Promise.all([cancel(id), w.admin.post(`${w.path}/jobs/${id}/cancel?keep=best`)]);
    expect(await endOf(w, id)).toMatchObject({ status: 'cancelled', result: null });
    expect(await w.plans()).toEqual({});
    expect((await w.admin.post(`${w.path}/jobs/${id}/cancel?keep=all`)).status).toBe(422);
  });

  test('what has ended can not be cancelled', async () => {
    const { id } = await w.plan();
    expect((await cancel(id)).status).toBe(409);
    expect((await w.get(`/jobs/${id}`)).status).toBe('completed');
  });
});

describe('records that change meanwhile', () => {
  test('are read again before anything is written', async () => {
    await scatterOrders(w, 60);
    const id = await start({ time_limit_seconds: 1 });
    await events(id, { until: isSolving });
    ok(await w.patchOrder('order-007', { window_start: time('08:00', '2026-03-05'), window_end: time('16:00', '2026-03-05') }));
    const { status, result } = await endOf(w, id);
    expect(status).toBe('completed');
    expect(result.unplanned).toContainEqual(expect.objectContaining({ order_id: 'order-007', reason: 'window_outside_dates' }));
  });

  test('make the job fail with a conflict when they never stop, and plans stay as they were', async () => {
    await scatterOrders(w, 60);
    const id = await start({ time_limit_seconds: 0.5 });
    for (let minutes = 0; (await w.get(`/jobs/${id}`)).finished_at === null; minutes = (minutes + 1) % 50) {
      ok(await w.patchOrder('order-007', { duration_seconds: 300 + minutes }));
    }
    expect(await w.get(`/jobs/${id}`)).toMatchObject({ status: 'failed', result: null, error: { code: 'conflict', message: expect.stringContaining('kept changing') } });
    expect((await events(id)).at(-1)).toMatchObject({ type: 'failed' });
    expect(await w.plans()).toEqual({});
  });

  test.each([
    ['a vehicle that is deleted', () => w.admin.delete(`${w.path}/vehicles/van`), 'validation', '/vehicle_ids/0 names no vehicle'],
    ['a road network that is gone', () => w.admin.post(`${w.path}/scenarios/line/deactivate`), 'unavailable', 'no road network'],
  ])('%s makes the job fail', async (_what, change, code, message) => {
    await scatterOrders(w, 60);
    const id = await start({ time_limit_seconds: 1 });
    await events(id, { until: isSolving });
    expect((await change()).status).toBeLessThan(300);
    expect(await endOf(w, id)).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining(message) } });
    expect(await w.plans()).toEqual({});
  });
});
