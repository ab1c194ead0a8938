import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStore, transaction } from '../../../core/db/store.ts';
import { eventTypes, type EventType } from '../../../core/events/schema.ts';
import { Job } from '../../../core/jobs/entity.ts';
import { beginRun, endRun } from '../../../core/jobs/runs.ts';
import { newId } from '../../../core/records/ids.ts';
import { eventMessage } from '../../../core/webhooks/schema.ts';
import { compileBody } from '../../../daemon/validation.ts';
import { createBusiness, type TestBusiness } from '../../support/business.ts';
import { driversDay } from '../../support/drivers-day.ts';
import { at, lineWorld, ok, query, time, type LineWorld } from '../../support/line-world.ts';
import { driverSession, order, orderFields } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ workers: true, env: { MILKRUN_MAP_SOURCE: temporaryFolder() } });
});
afterAll(() => service.close());

interface Told {
  type: EventType;
  data: Record<string, any>;
  request_id: string | null;
}

/** The events of a business in the order in which they were written; the first `skip` are left out. */
async function eventsOf(business: Pick<TestBusiness, 'id'>, skip = 0): Promise<Told[]> {
  const rows = await query(service.databaseUrl, 'select type, data, request_id from events where business_id = $1 order by position', [business.id]);
  return (rows as unknown as Told[]).slice(skip);
}
const typesOf = (events: Told[]): string[] => events.map(({ type }) => type);
const ofOrder = (events: Told[], id: string): Told[] => events.filter(({ type, data }) => type.startsWith('order.') && data.id === id);

describe('what happens to an order', () => {
  test('creation, edit, pending status and deletion are told with the record as it is read', async () => {
    const business = await createBusiness(service);
    const created = await order(business, { id: 'a' });
    const edited = await business.admin.patch(`${business.path}/orders/a`, { duration_seconds: 1_200 });
    const pending = await business.admin.patch(`${business.path}/orders/a`, { status: 'cancelled' });
    ok(await business.admin.post(`${business.path}/plans/publish`, { order_ids: ['a'] }));
    const published = await business.admin.get(`${business.path}/orders/a`);
    ok(await business.admin.delete(`${business.path}/orders/a`));
    const deleted = await business.admin.get(`${business.path}/orders/a?record_status=deleted`);
    expect(await eventsOf(business)).toMatchObject([
      { type: 'order.created', data: { ...created, sequence: 1 } },
      { type: 'order.updated', data: { ...edited.body, sequence: 2 } },
      { type: 'order.updated', data: { ...pending.body, sequence: 3 } },
      { type: 'order.status_changed', data: { ...published.body, previous_status: 'created', sequence: 4 } },
      { type: 'order.deleted', data: { ...deleted.body, sequence: 5 } },
    ]);
  });

  test('an edit that changes nothing tells nothing', async () => {
    const business = await createBusiness(service);
    const created = await order(business, { id: 'a', custom_fields: {} });
    ok(await business.admin.put(`${business.path}/orders/a`, created));
    expect(typesOf(await eventsOf(business))).toEqual(['order.created']);
  });

  test('a batch is told in its order, each order once', async () => {
    const business = await createBusiness(service);
    const items = Array.from({ length: 1_000 }, (_, index) => ({ ...orderFields, id: `o${index}` }));
    ok(await business.admin.post(`${business.path}/orders/batch`, { items }));
    const events = await eventsOf(business);
    expect(events.map(({ type, data }) => [type, data.id, data.sequence])).toEqual(items.map(({ id }) => ['order.created', id, 1]));
  });

  test('what rolls back is not told', async () => {
    const business = await createBusiness(service);
    const refused = await business.admin.post(`${business.path}/orders/batch`, { items: [{ ...orderFields, id: 'a' }, { ...orderFields, id: 'b', vehicle_id: 'nobody' }] });
    expect(refused.status).toBe(422);
    await order(business, { id: 'a' });
    const late = await business.admin.post(`${business.path}/orders`, { ...orderFields, id: 'late', vehicle_id: null, scheduled_at: orderFields.window_start });
    expect(late.status).toBe(422);
    expect((await business.admin.patch(`${business.path}/orders/a`, { duration_seconds: 60, revision: 9 })).status).toBe(409);
    expect(typesOf(await eventsOf(business))).toEqual(['order.created']);
  });

  test('a dry run tells nothing', async () => {
    const business = await createBusiness(service);
    await order(business, { id: 'a', status: 'cancelled' });
    ok(await business.admin.post(`${business.path}/plans/publish?validate_only=true`, { order_ids: ['a'] }));
    expect(typesOf(await eventsOf(business))).toEqual(['order.created']);
  });

  test('the numbers of one order have no gap and no twin, whoever writes at the same time', async () => {
    const business = await createBusiness(service);
    await order(business, { id: 'a' });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => business.admin.patch(`${business.path}/orders/a`, { duration_seconds: 100 + index })));
    const succeeded = answers.filter(({ status }) => status === 200).length;
    expect(succeeded).toBeGreaterThan(0);
    expect((await eventsOf(business)).map(({ data }) => data.sequence)).toEqual(Array.from({ length: succeeded + 1 }, (_, index) => index + 1));
  });

  test('the id of the request goes with the event', async () => {
    const business = await createBusiness(service);
    await business.admin.post(`${business.path}/orders`, orderFields, { 'x-request-id': 'from-the-shop-17' });
    expect(await eventsOf(business)).toMatchObject([{ request_id: 'from-the-shop-17' }]);
  });
});

describe('what drivers do', () => {
  test('starting and completing an order is told with the status before', async () => {
    const day = await driversDay(service);
    await day.place('a', 5, '09:00');
    ok(await day.publishAll());
    const before = await eventsOf(day);
    ok(await day.act('/duty', { online: true }));
    ok(await day.act('/orders/a/start'));
    ok(await day.act('/orders/a/complete'));
    const changes = ofOrder(await eventsOf(day, before.length), 'a').filter(({ type }) => type === 'order.status_changed');
    expect(changes.map(({ data }) => [data.previous_status, data.status])).toEqual([['created', 'on_road'], ['on_road', 'in_progress'], ['in_progress', 'completed']]);
    expect(changes.at(-1)!.data.actual_completed_at).toEqual(expect.any(String));
  });
});

describe('planning and publication', () => {
  test('a run tells the plans, their orders and its end; a second one what it supersedes', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    await w.order('a', 5);
    const first = await w.plan();
    const { van } = await w.plans();
    const planned = await w.get('/orders/a');
    const events = await eventsOf(w);
    expect(typesOf(events).toSorted()).toEqual(['job.completed', 'order.created', 'order.planned', 'plan.created']);
    const dataOf = (type: EventType) => events.find((event) => event.type === type)!.data;
    expect(dataOf('plan.created')).toEqual(van);
    expect(dataOf('order.planned')).toEqual({ ...planned, sequence: 2 });
    expect(dataOf('job.completed')).toMatchObject({ id: first.id, status: 'completed', result: first.result });

    await w.order('b', 6);
    await w.plan({ include_planned: true });
    const more = (await eventsOf(w, events.length)).filter(({ type }) => type.startsWith('plan.'));
    expect(more.map(({ type, data }) => [type, data.id === van.id]).toSorted()).toEqual([['plan.created', false], ['plan.superseded', true]]);
  });

  test('moving by hand is told once, from where it was to where it is', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van-1');
    await w.vehicle('van-2');
    await w.order('a', 5, { vehicle_id: 'van-1', scheduled_at: time('09:00') });
    const before = await eventsOf(w);
    expect(ofOrder(before, 'a').map(({ type, data }) => [type, data.sequence, data.vehicle_id])).toEqual([['order.created', 1, 'van-1'], ['order.planned', 2, 'van-1']]);
    const { body: moved } = await w.patchOrder('a', { vehicle_id: 'van-2' });
    const { body: taken } = await w.patchOrder('a', { scheduled_at: null });
    const after = await eventsOf(w, before.length);
    expect(ofOrder(after, 'a').map(({ type, data }) => [type, data.sequence, data.revision])).toEqual([
      ['order.updated', 3, moved.revision], ['order.planned', 4, moved.revision],
      ['order.updated', 5, taken.revision], ['order.unplanned', 6, taken.revision],
    ]);
  });

  test('publication, the first receipt by the driver, and what was published before', async () => {
    const w = await lineWorld(service);
    const { activation_code: code } = ok(await w.admin.post(`${w.path}/drivers`, { id: 'dana', name: 'Dana', email: 'dana@drivers.example' }));
    await w.vehicle('van', { driver_id: 'dana' });
    await w.order('a', 5);
    await w.plan();
    const drafted = await eventsOf(w);
    ok(await w.publishAll());
    const { van } = await w.plans();
    const published = await eventsOf(w, drafted.length);
    expect(published.filter(({ type }) => type.startsWith('plan.'))).toMatchObject([{ type: 'plan.published', data: van }]);

    const driver = await driverSession(w, code);
    await driver.get('/api/v1/driver/refresh');
    await driver.get('/api/v1/driver/refresh');
    const received = await eventsOf(w, drafted.length + published.length);
    expect(received).toMatchObject([{ type: 'plan.received', data: { id: van.id, received_at: expect.any(String) } }]);

    await w.patchOrder('a', { scheduled_at: null });
    const replaced = await eventsOf(w, drafted.length + published.length + 1);
    ok(await w.publishAll());
    const last = await eventsOf(w, drafted.length + published.length + 1 + replaced.length);
    expect(last.filter(({ type }) => type.startsWith('plan.')).map(({ type, data }) => [type, data.id === van.id]).toSorted()).toEqual([['plan.published', false], ['plan.superseded', true]]);
  });

  test('every revision of an order is told', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    await w.order('a', 5);
    await w.plan();
    await w.publishAll();
    await w.patchOrder('a', { status: 'cancelled' });
    await w.publishAll();
    const events = ofOrder(await eventsOf(w), 'a');
    expect(events.at(-1)!.data.revision).toBe((await w.get('/orders/a')).revision);
    expect(events.map(({ data }) => data.sequence)).toEqual(events.map((_, index) => index + 1));
  });

  test('a scenario that replaces what is there tells what goes and what comes', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    await w.order('a', 5, { vehicle_id: 'van', scheduled_at: time('09:00') });
    const { van } = await w.plans();
    const before = await eventsOf(w);
    ok(await w.admin.patch(`${w.path}/scenarios/line`, { orders: [{ id: 'new', ...orderFields }] }));
    ok(await w.admin.post(`${w.path}/scenarios/line/load`, { mode: 'replace' }));
    const after = await eventsOf(w, before.length);
    expect(after.map(({ type, data }) => [type, data.id])).toEqual(expect.arrayContaining([['order.deleted', 'a'], ['plan.superseded', van.id], ['order.created', 'new']]));
  });
});

/** What makes each event; null while nothing does. */
const causes: Record<EventType, ((world: LineWorld) => Promise<unknown>) | null> = {
  'order.created': (w) => w.order('new', 3),
  'order.updated': (w) => w.patchOrder('a', { duration_seconds: 700 }),
  'order.status_changed': async (w) => {
    await w.patchOrder('a', { status: 'completed' });
    ok(await w.publish({ order_ids: ['a'] }));
  },
  'order.planned': (w) => w.plan(),
  'order.unplanned': async (w) => {
    await w.plan();
    ok(await w.patchOrder('a', { scheduled_at: null }));
  },
  'order.deleted': (w) => w.admin.delete(`${w.path}/orders/a`),
  'plan.created': (w) => w.plan(),
  'plan.published': async (w) => {
    await w.plan();
    ok(await w.publishAll());
  },
  'plan.superseded': async (w) => {
    await w.plan();
    ok(await w.patchOrder('a', { scheduled_at: null }));
  },
  'plan.received': async (w) => {
    await w.plan();
    ok(await w.publishAll());
    await (await signIn(w)).get('/api/v1/driver/refresh');
  },
  'job.completed': (w) => w.plan(),
  'job.failed': (w) => failJob(w.id),
  'job.cancelled': async (w) => {
    const { job_id: id } = ok(await w.admin.post(`${w.path}/planning/preview`, { vehicle_ids: ['van'], date_start: '2026-03-02', date_end: '2026-03-02', seed: 1, time_limit_seconds: 60 }));
    ok(await w.admin.post(`${w.path}/jobs/${id}/cancel`));
    while (!(await w.get(`/jobs/${id}`)).finished_at);
  },
  'driver.duty_changed': async (w) => ok(await (await signIn(w)).post('/api/v1/driver/duty', { online: true })),
  'evidence.created': async (w) => ok(await w.admin.post(`${w.path}/orders/a/evidence`, { kind: 'photo', content_type: 'image/png', bytes: [...onePixel] })),
  'reservation.confirmed': async (w) => {
    const date = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 2 }).toString();
    const window = { start: `${date}T10:00:00Z`, end: `${date}T12:00:00Z` };
    const { windows } = ok(await w.admin.post(`${w.path}/availability`, { ...window, location: at(5), duration_seconds: 600, candidate_windows: [window] }));
    ok(await w.admin.post(`${w.path}/reservations/${windows[0].reservation_id}/confirm`, {}));
  },
  'region.status_changed': async (w) => {
    const { id } = ok(await w.admin.post(`${w.path}/regions`, { name: 'Square', geometry: { type: 'Polygon', coordinates: [[[14, 35], [15, 35], [15, 36], [14, 36], [14, 35]]] } }));
    ok(await w.admin.post(`${w.path}/regions/${id}/install`));
  },
  'webhook.test': async (w) => {
    const { id } = ok(await w.admin.post(`${w.path}/webhooks`, { name: 'Shop', url: 'https://shop.invalid/', events: ['webhook.test'] }));
    ok(await w.admin.post(`${w.path}/webhooks/${id}/test`));
  },
};

const signIn = async (w: LineWorld) => driverSession(w, ok(await w.admin.post(`${w.path}/drivers/dana/reset`)).activation_code);

const onePixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** What a delivery would say, against what the interface promises. */
const judges = Object.fromEntries(eventTypes.map((type) => [type, compileBody(eventMessage(type))])) as Record<EventType, ReturnType<typeof compileBody>>;
const problemsOf = ({ id }: LineWorld, { type, data }: Told) => judges[type]({ id: newId(), type, timestamp: '2026-03-02T08:00:00Z', business_id: id, data });

/** As a worker does that can not go on. */
async function failJob(businessId: string): Promise<void> {
  const store = await openStore(service.databaseUrl);
  const jobId = newId();
  await transaction(store, businessId, async (em) => {
    em.persist(em.create(Job, { businessId, id: jobId, kind: 'planning', status: 'queued', progress: { fraction: 0, phase: 'queued', message: '' }, request: {} } as never));
  });
  const begun = await beginRun(store, jobId);
  await endRun(store, begun!.run, { status: 'failed', error: { code: 'unavailable', message: 'no roads' } });
  await store.close();
}

describe('every event', () => {
  const caused = eventTypes.filter((type) => causes[type] !== null);

  test.each(caused)('%s is told when it happens, and not before', async (type) => {
    const w = await lineWorld(service);
    await w.driver('dana');
    await w.vehicle('van', { driver_id: 'dana' });
    await w.order('a', 5);
    const before = await eventsOf(w);
    if (type !== 'order.created') expect(typesOf(before)).not.toContain(type);
    await causes[type]!(w);
    const after = await eventsOf(w, before.length);
    expect(typesOf(after)).toContain(type);
    for (const event of after) expect([event.type, problemsOf(w, event)]).toEqual([event.type, []]);
  });

  test('those without a cause here have no emitter either', () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const sources = ['core', 'daemon', 'workers'].flatMap((folder) => (readdirSync(root + folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`));
    const emitters = sources.filter((file) => !file.endsWith('schema.ts')).map((file) => readFileSync(root + file, 'utf8')).join('\n');
    const missing = eventTypes.filter((type) => causes[type] === null);
    expect(missing.filter((type) => emitters.includes(`'${type}'`))).toEqual([]);
  });
});
