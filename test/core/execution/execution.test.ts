import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { driversDay, type DriversDay } from '../../support/drivers-day.ts';
import { ok, time } from '../../support/line-world.ts';
import { customSchema } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** `first` at 9:00 and `second` at 10:00, published; Anna is on duty. */
async function twoOrders(settings: Record<string, unknown> = {}): Promise<DriversDay> {
  const day = await driversDay(service, settings);
  await day.place('first', 5, '09:00');
  await day.place('second', 10, '10:00');
  ok(await day.publishAll());
  ok(await day.act('/duty', { online: true }));
  return day;
}

/** The status of a reply, and the first words of the refusal where it is one. */
const outcome = async (reply: Promise<{ status: number; body: any }>): Promise<[number, string]> => { // eslint-disable-line @typescript-eslint/no-explicit-any
  const { status, body } = await reply;
  return [status, body.error?.message ?? body.status];
};

describe('a day of work', () => {
  test('goes from stop to stop, and everybody sees it at once', async () => {
    const day = await driversDay(service);
    await day.place('first', 5, '09:00');
    await day.place('second', 10, '10:00');
    expect((await day.act('/orders/first/start')).status).toBe(404);
    ok(await day.publishAll());
    expect(await day.statuses()).toEqual({ first: 'created', second: 'created' });

    const before = Date.now();
    const driver = ok(await day.act('/duty', { online: true, vehicle_id: 'van' }));
    expect(driver).toMatchObject({ id: 'anna', duty_status: 'online', duty_vehicle_id: 'van' });
    expect(Date.parse(driver.duty_started_at)).toBeGreaterThanOrEqual(before);
    expect(await day.statuses()).toEqual({ first: 'on_road', second: 'created' });

    const started = ok(await day.act('/orders/first/start'));
    expect(started).toMatchObject({ id: 'first', status: 'in_progress', actual_completed_at: null });
    expect(Date.parse(started.actual_started_at)).toBeGreaterThanOrEqual(before);
    expect(await day.statuses()).toEqual({ first: 'in_progress', second: 'created' });
    expect(ok(await day.app.get('/api/v1/driver/refresh')).orders.map((order: { status: string }) => order.status)).toEqual(['in_progress', 'created']);

    const completed = ok(await day.act('/orders/first/complete'));
    expect(completed).toMatchObject({ status: 'completed', actual_started_at: started.actual_started_at });
    expect(Date.parse(completed.actual_completed_at)).toBeGreaterThanOrEqual(Date.parse(started.actual_started_at));
    expect(await day.statuses()).toEqual({ first: 'completed', second: 'on_road' });
    ok(await day.act('/orders/second/start'));
    ok(await day.act('/orders/second/complete'));
    expect(await day.statuses()).toEqual({ first: 'completed', second: 'completed' });
  });

  test('the order of the stops counts, the clock does not', async () => {
    const day = await twoOrders();
    expect(await outcome(day.act('/orders/second/start'))).toEqual([409, 'the order first comes first']);
    ok(await day.act('/orders/first/start'));
    expect(await outcome(day.act('/orders/first/start'))).toEqual([409, 'the order is in progress already']);
    expect(await outcome(day.act('/orders/second/start'))).toEqual([409, expect.stringContaining('first is in progress')]);
    expect(await outcome(day.act('/orders/second/complete'))).toEqual([409, 'the order has not been started']);
    ok(await day.act('/orders/first/complete'));
    expect(await outcome(day.act('/orders/first/start'))).toEqual([409, 'the order is completed']);
    expect(await outcome(day.act('/orders/first/complete'))).toEqual([409, 'the order is completed']);
  });

  test('what could not be completed has a reason that administrators read, and the next one is on', async () => {
    const day = await twoOrders();
    expect(await outcome(day.act('/orders/first/unable-to-complete', { reason: 'no key' }))).toEqual([409, 'the order has not been started']);
    ok(await day.act('/orders/first/start'));
    for (const body of [{}, { reason: '' }, { reason: ' \n ' }, { reason: 7 }]) {
      expect(await day.act('/orders/first/unable-to-complete', body)).toMatchObject({ status: 422, body: { error: { details: [{ path: '/reason' }] } } });
    }
    const ended = ok(await day.act('/orders/first/unable-to-complete', { reason: '  nobody opened the gate ' }));
    expect(ended).toMatchObject({ status: 'unable_to_complete', actual_completed_at: expect.any(String) });
    expect(await day.statuses()).toEqual({ first: 'unable_to_complete', second: 'on_road' });
    const { items } = await day.get('/orders/first/actions');
    expect(items.map((action: Record<string, unknown>) => [action.kind, action.driver_id, action.reason])).toEqual([['order_started', 'anna', null], ['order_unable_to_complete', 'anna', 'nobody opened the gate']]);
  });

  test('the earliest plan that has something left comes first', async () => {
    const day = await driversDay(service);
    await day.vehicle('truck', { driver_id: 'anna' });
    await day.place('late', 5, '13:00');
    await day.place('early', 5, '09:00', { vehicle_id: 'truck' });
    ok(await day.publishAll());
    ok(await day.act('/duty', { online: true }));
    expect(await day.statuses()).toEqual({ early: 'on_road', late: 'created' });
    expect(await outcome(day.act('/orders/late/start'))).toEqual([409, 'the order early comes first']);
  });

  test('a break is started and ended like a task, and needs no evidence', async () => {
    const day = await driversDay(service, { evidence: { require_photos: true, require_signature: true } });
    await day.place('lunch', 0, '09:00', { type: 'break' });
    ok(await day.publishAll());
    ok(await day.act('/duty', { online: true }));
    ok(await day.act('/orders/lunch/start'));
    expect(ok(await day.act('/orders/lunch/complete')).status).toBe('completed');
  });
});

describe('duty', () => {
  test('begins and ends by request only, once, with its events', async () => {
    const day = await twoOrders();
    const first = ok(await day.app.get('/api/v1/driver/me'));
    const again = ok(await day.act('/duty', { online: true }));
    expect(again).toEqual(first);
    const ended = ok(await day.act('/duty', { online: false }));
    expect(ended).toMatchObject({ duty_status: 'offline', duty_started_at: null, duty_vehicle_id: null });
    expect(await day.statuses()).toEqual({ first: 'created', second: 'created' });
    expect(await outcome(day.act('/orders/first/start'))).toEqual([409, 'you are not on duty']);
    const events = await day.sql(`select data ->> 'duty_status' as duty from events where business_id = $1 and type = 'driver.duty_changed' order by id`, [day.id]);
    expect(events.map(({ duty }) => duty)).toEqual(['online', 'offline']);
    expect(ok(await day.admin.get(`${day.path}/drivers/anna`))).toEqual(ended);
  });

  test('an order in progress outlasts it, and is ended on duty', async () => {
    const day = await twoOrders();
    ok(await day.act('/orders/first/start'));
    ok(await day.act('/duty', { online: false }));
    expect(await day.statuses()).toEqual({ first: 'in_progress', second: 'created' });
    expect(await outcome(day.act('/orders/first/complete'))).toEqual([409, 'you are not on duty']);
    ok(await day.act('/duty', { online: true }));
    expect(await day.statuses()).toEqual({ first: 'in_progress', second: 'created' });
    ok(await day.act('/orders/first/complete'));
    expect(await day.statuses()).toEqual({ first: 'completed', second: 'on_road' });
  });

  test('names a vehicle that is there', async () => {
    const day = await twoOrders();
    expect(await day.act('/duty', { online: true, vehicle_id: 'nowhere' })).toMatchObject({ status: 422, body: { error: { details: [{ path: '/vehicle_id', message: 'names no vehicle' }] } } });
    expect(ok(await day.act('/duty', { online: true, vehicle_id: 'van' })).duty_vehicle_id).toBe('van');
    expect(ok(await day.act('/duty', { online: true })).duty_vehicle_id).toBe('van');
    for (const body of [{}, { online: 'yes' }, { online: true, lights: 'on' }]) expect((await day.act('/duty', body)).status).toBe(422);
  });
});

describe('who may work', () => {
  test('nobody who denies location permission; no position with permission is no matter', async () => {
    const day = await twoOrders();
    const permit = (permission: string) => day.act('/location', { permission });
    ok(await permit('denied'));
    const refused = [
      await day.act('/duty', { online: true }), await day.act('/orders/first/start'), await day.act('/orders/first/complete'),
      await day.act('/orders/first/unable-to-complete', { reason: 'x' }), await day.app.patch('/api/v1/driver/orders/first', { custom_fields: {} }),
    ];
    expect(refused.map((reply) => [reply.status, reply.body.error.code])).toEqual(refused.map(() => [403, 'unauthorized']));
    ok(await day.act('/duty', { online: false }));
    ok(await permit('granted'));
    ok(await day.act('/duty', { online: true }));
    ok(await day.act('/orders/first/start'));
  });

  test('nobody from the moment of deactivation, whose work stays as it is', async () => {
    const day = await twoOrders();
    ok(await day.act('/orders/first/start'));
    ok(await day.admin.patch(`${day.path}/drivers/anna`, { active: false }));
    for (const path of ['/duty', '/orders/first/complete', '/orders/first/start']) expect((await day.act(path, path === '/duty' ? { online: false } : {})).status).toBe(401);
    expect(await day.statuses()).toEqual({ first: 'in_progress', second: 'created' });
    expect(await day.get('/drivers/anna')).toMatchObject({ active: false, duty_status: 'online' });
  });

  test('nobody on what is not published to them: to them it is not there', async () => {
    const day = await twoOrders();
    await day.place('draft', 12, '11:00');
    await day.driver('bert');
    await day.vehicle('truck', { driver_id: 'bert' });
    await day.place('theirs', 5, '09:00', { vehicle_id: 'truck' });
    const truck = (await day.plans()).truck;
    ok(await day.publish({ plan_ids: [truck.id], acknowledge_warnings: true }));
    for (const id of ['draft', 'theirs', 'nowhere']) {
      for (const action of ['start', 'complete']) expect(await outcome(day.act(`/orders/${id}/${action}`))).toEqual([404, `no order with id "${id}"`]);
      expect((await day.act(`/orders/${id}/unable-to-complete`, { reason: 'x' })).status).toBe(404);
      expect((await day.app.patch(`/api/v1/driver/orders/${id}`, { custom_fields: {} })).status).toBe(404);
    }
    for (const client of [day.admin, day.admin.as(undefined)]) {
      const reply = await client.post('/api/v1/driver/orders/first/start', {});
      expect(reply.status).toBe(client === day.admin ? 403 : 401);
    }
  });
});

describe('a handover', () => {
  test('gives the rest to the replacement, once the break is over', async () => {
    const day = await driversDay(service);
    await day.driver('bert');
    const bert = await day.signIn('bert');
    const actAsBert = (path: string, body: object = {}) => bert.post(`/api/v1/driver${path}`, body);
    await day.place('before', 5, '09:00');
    await day.place('swap', 5, '10:00', { type: 'break', replacement_driver_id: 'bert' });
    await day.place('after', 10, '11:00');
    ok(await day.publishAll());
    ok(await actAsBert('/duty', { online: true }));
    ok(await day.act('/duty', { online: true }));
    expect(await day.statuses()).toEqual({ before: 'on_road', swap: 'created', after: 'created' });
    expect(ok(await bert.get('/api/v1/driver/refresh')).orders.map((order: { id: string }) => order.id)).toEqual(['after']);
    expect(await outcome(actAsBert('/orders/after/start'))).toEqual([409, expect.stringContaining('has not been handed over')]);

    for (const id of ['before', 'swap']) {
      expect((await actAsBert(`/orders/${id}/start`)).status).toBe(404);
      ok(await day.act(`/orders/${id}/start`));
      expect((await day.statuses()).after).toBe('created');
      ok(await day.act(`/orders/${id}/complete`));
    }
    expect(await day.statuses()).toEqual({ before: 'completed', swap: 'completed', after: 'on_road' });
    expect((await day.act('/orders/after/start')).status).toBe(404);
    ok(await actAsBert('/orders/after/start'));
    ok(await actAsBert('/orders/after/complete'));
    expect((await day.statuses()).after).toBe('completed');
  });
});

describe('custom fields', () => {
  const fields = [
    { id: 'meter', name: 'Meter', type: 'number', driver_visible: true, driver_editable: true },
    { id: 'state', name: 'State', type: 'select', choices: [{ id: 'ok', label: 'OK' }, { id: 'bad', label: 'Bad' }], driver_visible: true, driver_editable: true, required: true },
    { id: 'code', name: 'Code', type: 'text', driver_visible: true },
    { id: 'margin', name: 'Margin', type: 'number' },
  ];

  test('those for drivers to change are checked and seen at once; no others', async () => {
    const day = await driversDay(service);
    await customSchema(day, fields);
    await day.place('first', 5, '09:00', { custom_fields: { state: 'ok', code: '1234', margin: 7 } });
    ok(await day.publishAll());
    const edit = (values: object, more: object = {}) => day.app.patch('/api/v1/driver/orders/first', { custom_fields: values, ...more });
    expect((await edit({ meter: 1 })).status).toBe(409);
    ok(await day.act('/duty', { online: true }));
    expect(ok(await edit({ meter: 4711, state: 'bad' })).custom_fields).toEqual({ meter: 4711, state: 'bad', code: '1234' });
    expect((await day.get('/orders/first')).custom_fields).toEqual({ meter: 4711, state: 'bad', code: '1234', margin: 7 });
    expect(ok(await edit({ meter: null })).custom_fields).toEqual({ state: 'bad', code: '1234' });

    const problem = async (values: object) => (await edit(values)).body.error?.details;
    expect(await problem({ meter: 'many' })).toEqual([{ path: '/custom_fields/meter', message: 'must be a number' }]);
    expect(await problem({ state: null })).toEqual([{ path: '/custom_fields/state', message: 'is required' }]);
    expect(await problem({ code: '9' })).toEqual([{ path: '/custom_fields/code', message: 'is not for drivers to change' }]);
    // A hidden field is as unknown as one that does not exist.
    expect(await problem({ margin: 1, nonsense: 1 })).toEqual([{ path: '/custom_fields/margin', message: 'is not a custom field of this order' }, { path: '/custom_fields/nonsense', message: 'is not a custom field of this order' }]);
    expect((await edit({ meter: 1 }, { status: 'completed' })).status).toBe(422);

    const { revision } = await day.get('/orders/first');
    const editOf = (etag: string) => day.app.patch('/api/v1/driver/orders/first', { custom_fields: { meter: 2 } }, { 'if-match': etag });
    expect([(await editOf(`"${revision - 1}"`)).status, (await editOf(`"${revision}"`)).headers.get('etag')]).toEqual([412, `"${revision + 1}"`]);

    ok(await day.act('/orders/first/start'));
    ok(await edit({ meter: 5 }));
    ok(await day.act('/orders/first/complete'));
    expect(await outcome(edit({ meter: 6 }))).toEqual([409, 'the order is completed']);
  });
});

/** As the service writes instants: without a fraction where it is zero. */
const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

describe('an app that was offline', () => {
  test('sends an action again and gets the same answer, without a second effect', async () => {
    const day = await twoOrders();
    const once = ok(await day.act('/orders/first/start', { action_id: 'a-1' }));
    ok(await day.act('/orders/first/complete', { action_id: 'a-2' }));
    expect(ok(await day.act('/orders/first/start', { action_id: 'a-1' }))).toEqual(once);
    expect(await day.statuses()).toEqual({ first: 'completed', second: 'on_road' });
    expect((await day.get('/orders/first/actions')).items).toHaveLength(2);
    for (const [path, body] of [['/orders/first/complete', {}], ['/orders/second/start', {}], ['/orders/first/start', { captured_at: time('08:00') }], ['/duty', { online: true }]] as const) {
      expect(await day.act(path, { action_id: 'a-1', ...body })).toMatchObject({ status: 422, body: { error: { details: [{ path: '/action_id', message: 'was used for another action' }] } } });
    }
    // What was refused may be sent again until it is right.
    expect((await day.act('/orders/second/complete', { action_id: 'a-3' })).status).toBe(409);
    ok(await day.act('/orders/second/start', { action_id: 'a-4' }));
    ok(await day.act('/orders/second/complete', { action_id: 'a-3' }));
  });

  test('an action id is the driver’s own', async () => {
    const day = await twoOrders();
    await day.driver('bert');
    const bert = await day.signIn('bert');
    ok(await day.act('/duty', { online: false, action_id: 'same' }));
    expect(ok(await bert.post('/api/v1/driver/duty', { online: true, action_id: 'same' })).id).toBe('bert');
  });

  test('says when it happened, as far as that can be', async () => {
    const day = await driversDay(service);
    await day.place('first', 5, '09:00');
    const beforeMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    ok(await day.publishAll());
    const publishedMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const dutyAt = iso(publishedMs + 5);
    expect(ok(await day.act('/duty', { online: true, captured_at: dutyAt })).duty_started_at).toBe(dutyAt);

    const refused = async (atMs: number) => (await day.act('/orders/first/start', { captured_at: iso(atMs) })).body.error?.details;
    expect(await refused(Date.now() + 3_600_000)).toEqual([{ path: '/captured_at', message: 'is in the future' }]);
    expect(await refused(publishedMs)).toEqual([{ path: '/captured_at', message: expect.stringContaining("the driver's previous action") }]);
    expect(await day.act('/orders/first/start', { captured_at: 'this morning' })).toMatchObject({ status: 422, body: { error: { details: [{ path: '/captured_at' }] } } });
    const startAt = iso(publishedMs + 10);
    expect(ok(await day.act('/orders/first/start', { captured_at: startAt })).actual_started_at).toBe(startAt);
    const ended = ok(await day.act('/orders/first/complete', { captured_at: iso(publishedMs + 15) }));
    expect([ended.actual_started_at, ended.actual_completed_at]).toEqual([startAt, iso(publishedMs + 15)]);

    const { items: [start] } = await day.get('/orders/first/actions');
    expect(start.at).toBe(startAt);
    expect(Date.parse(start.created_at)).toBeGreaterThan(publishedMs + 10);
    expect(beforeMs).toBeLessThan(publishedMs);
  });

  test('has not worked on an order before it was published; a later publication does not make it late', async () => {
    const day = await driversDay(service);
    await day.place('first', 5, '09:00');
    const tooEarly = iso(Date.now());
    await new Promise((resolve) => setTimeout(resolve, 20));
    ok(await day.publishAll());
    await new Promise((resolve) => setTimeout(resolve, 20));
    const inTime = iso(Date.now());
    await new Promise((resolve) => setTimeout(resolve, 20));
    await day.place('second', 10, '10:00');
    ok(await day.publishAll());
    await day.sql(`update drivers set duty_status = 'online' where business_id = $1`, [day.id]);
    expect(await day.act('/orders/first/start', { captured_at: tooEarly })).toMatchObject({ status: 422, body: { error: { message: expect.stringContaining('before the order was published') } } });
    expect(ok(await day.act('/orders/first/start', { captured_at: inTime })).actual_started_at).toBe(inTime);
  });
});
