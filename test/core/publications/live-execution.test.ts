import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { driversDay, type DriversDay } from '../../support/drivers-day.ts';
import { at, ok, time, told } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

/** What publication does to the work of drivers, and what it leaves alone. */

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

test('the next order follows what is published, not the draft', async () => {
  const day = await twoOrders();
  ok(await day.patchOrder('first', { scheduled_at: time('11:00') }));
  await day.place('urgent', 5, '08:30');
  expect(await day.statuses()).toEqual({ first: 'on_road', second: 'created', urgent: 'created' });
  ok(await day.publishAll());
  expect(await day.statuses()).toEqual({ first: 'created', second: 'created', urgent: 'on_road' });
  ok(await day.act('/orders/urgent/start'));
  ok(await day.act('/orders/urgent/complete'));
  expect(await day.statuses()).toEqual({ first: 'created', second: 'on_road', urgent: 'completed' });
});

test('a driver starts what is published, even where the draft has unscheduled or moved it', async () => {
  const day = await twoOrders();
  await day.vehicle('truck');
  ok(await day.patchOrder('first', { scheduled_at: null }));
  expect((await day.get('/orders/first')).scheduled_at).toBeNull();
  ok(await day.act('/orders/first/start'));
  ok(await day.act('/orders/first/complete'));
  ok(await day.patchOrder('second', { vehicle_id: 'truck' }));
  ok(await day.act('/orders/second/start'));
  expect(await day.statuses()).toEqual({ first: 'completed', second: 'in_progress' });
});

test('an edit that was not published when the driver began is dropped', async () => {
  const day = await twoOrders();
  ok(await day.patchOrder('first', { location: at(25), duration_seconds: 1_200 }));
  ok(await day.act('/orders/first/start'));
  expect(await day.get('/orders/first')).toMatchObject({ status: 'in_progress', location: at(5), duration_seconds: 600 });
  expect(await day.get('/orders/first?view=published')).toMatchObject({ location: at(5), duration_seconds: 600 });
});

test('unscheduling frees capacity at once, a cancellation when it is published', async () => {
  const day = await driversDay(service);
  await day.place('first', 5, '09:00');
  await day.place('second', 10, '10:00');
  ok(await day.publishAll());
  const stops = async () => told((await day.plans()).van).filter((stop) => !stop.startsWith('back'));
  const epoch = async () => (await day.get('/settings')).preview_epoch as number;

  const before = await epoch();
  ok(await day.patchOrder('first', { scheduled_at: null }));
  expect(await stops()).toEqual(['second 10:00-10:10']);
  expect(await epoch()).toBeGreaterThan(before);
  ok(await day.patchOrder('second', { status: 'cancelled' }));
  expect(await stops()).toEqual(['second 10:00-10:10']);
  ok(await day.publishAll());
  expect(await stops()).toEqual([]);
  expect(await day.statuses()).toEqual({ first: 'created', second: 'cancelled' });
});

test('an administrator overrides the status of work in progress, and that is on record', async () => {
  const day = await twoOrders();
  ok(await day.act('/orders/first/start'));
  ok(await day.patchOrder('first', { status: 'cancelled' }));
  expect(await day.statuses()).toEqual({ first: 'in_progress', second: 'created' });
  // Nothing else has changed: the plan in force is published again.
  const { van } = await day.plans();
  expect(van.state).toBe('published');
  const publication = ok(await day.publish({ plan_ids: [van.id], expected_revision: [{ id: van.id, revision: van.revision }] }));
  expect(publication).toMatchObject({ plan_ids: [expect.not.stringMatching(van.id)], status_changes: [{ order_id: 'first', from: 'in_progress', to: 'cancelled' }], published_by: expect.any(String) });
  expect(publication.published_by).toBe((await day.admin.get('/api/v1/me')).body.account.id);
  expect(await day.get(`/publications/${publication.id}`)).toEqual(publication);
  expect(await day.statuses()).toEqual({ first: 'cancelled', second: 'on_road' });
  expect((await day.act('/orders/first/complete')).status).toBe(404);
  expect(await day.get(`/plans/${van.id}`)).toMatchObject({ state: 'superseded' });
  expect((await day.publish({ plan_ids: [publication.plan_ids[0]] })).body.error.message).toContain('no status of its orders is pending');
});

test('a status that was chosen before the work began is out of date', async () => {
  const day = await twoOrders();
  ok(await day.patchOrder('first', { status: 'cancelled' }));
  ok(await day.act('/orders/first/start'));
  const { van } = await day.plans();
  expect((await day.publish({ plan_ids: [van.id] })).body.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('was chosen for the order first when it was on_road; it is in_progress now') });
  expect(await day.statuses()).toEqual({ first: 'in_progress', second: 'created' });
  // Chosen again, it is meant.
  ok(await day.patchOrder('first', { status: 'cancelled' }));
  ok(await day.publish({ plan_ids: [van.id] }));
  expect(await day.statuses()).toEqual({ first: 'cancelled', second: 'on_road' });
});

test('nobody is on the road to an order without a route, whatever is published', async () => {
  const day = await twoOrders();
  await day.order('loose', 5);
  ok(await day.patchOrder('loose', { status: 'on_road' }));
  ok(await day.publish({ order_ids: ['loose'] }));
  expect(await day.statuses()).toEqual({ first: 'on_road', second: 'created', loose: 'created' });
});

test('an override keeps to what holds for drivers', async () => {
  const day = await twoOrders({ evidence: { require_photos: true } });
  ok(await day.act('/orders/first/start'));
  const { van } = await day.plans();
  ok(await day.patchOrder('first', { status: 'completed' }));
  expect((await day.publish({ plan_ids: [van.id] })).body.error).toMatchObject({ code: 'conflict', message: 'the order first can not be completed without a photo' });
  ok(await day.patchOrder('first', { status: 'in_progress' }));
  ok(await day.patchOrder('second', { status: 'in_progress' }));
  expect((await day.publish({ plan_ids: [van.id] })).body.error).toMatchObject({ code: 'conflict', message: 'a driver would have two orders in progress' });
  expect(await day.statuses()).toEqual({ first: 'in_progress', second: 'created' });
});

test('a version that gives work in progress to another driver is stale', async () => {
  const day = await twoOrders();
  await day.driver('bert');
  ok(await day.admin.patch(`${day.path}/vehicles/van`, { driver_id: 'bert' }));
  ok(await day.patchOrder('second', { scheduled_at: time('10:30') }));
  ok(await day.act('/orders/first/start'));
  expect((await day.publishAll()).body.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('the order first is in progress') });
});

test('a deleted order gives way to the next', async () => {
  const day = await twoOrders();
  expect((await day.admin.delete(`${day.path}/orders/first`)).status).toBe(204);
  expect(await day.statuses()).toEqual({ second: 'on_road' });
  expect((await day.act('/orders/first/start')).status).toBe(404);
  ok(await day.act('/orders/second/start'));
  expect((await day.admin.delete(`${day.path}/orders/second`)).status).toBe(409);
});

test('what was done on a vehicle that has been deleted is history: it can be deleted, and not reopened', async () => {
  const day = await twoOrders();
  for (const id of ['first', 'second']) for (const deed of ['start', 'complete']) ok(await day.act(`/orders/${id}/${deed}`));
  const { van } = await day.plans();
  await day.place('third', 5, '08:00');
  ok(await day.patchOrder('third', { scheduled_at: null }));
  expect((await day.admin.delete(`${day.path}/vehicles/van`)).status).toBe(204);
  expect(await day.get('/plans')).toMatchObject({ items: [{ id: van.id }] });
  expect(await day.sql('select plan_id from orders where business_id = $1 order by id', [day.id])).toEqual([{ plan_id: van.id }, { plan_id: van.id }, { plan_id: null }]);
  ok(await day.patchOrder('first', { status: 'created' }));
  expect((await day.publish({ plan_ids: [van.id] })).body.error).toMatchObject({ code: 'conflict', message: `the vehicle van of the plan ${van.id} has been deleted` });
  expect((await day.admin.delete(`${day.path}/orders/first`)).status).toBe(204);
  expect((await day.get('/plans?state=planning')).items).toEqual([]);
});
