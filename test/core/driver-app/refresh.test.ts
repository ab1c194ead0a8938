import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Client } from '../../support/client.ts';
import { at, lineWorld, ok, time, told, type LineWorld } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let w: LineWorld;
let dana: Client;
let emil: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  w = await lineWorld(service);
  for (const id of ['dana', 'emil']) await w.driver(id);
  await w.vehicle('van', { driver_id: 'dana' });
  await w.vehicle('bus', { driver_id: 'emil' });
  [dana, emil] = await Promise.all([w.as('dana'), w.as('emil')]);
});

const refresh = async (driver: Client) => ok(await driver.get('/api/v1/driver/refresh'));
const ids = ({ orders }: { orders: { id: string }[] }): string[] => orders.map(({ id }) => id);

test('nothing is seen before publication, and of drafts nothing after it', async () => {
  await w.order('a', 10, { vehicle_id: 'van', scheduled_at: time('09:00') });
  expect(await refresh(dana)).toMatchObject({ driver: { id: 'dana' }, plans: [], orders: [] });
  ok(await w.publishAll());
  await w.order('b', 15, { vehicle_id: 'van', scheduled_at: time('09:30') });
  ok(await w.patchOrder('a', { scheduled_at: time('10:00') }));
  const seen = await refresh(dana);
  expect([ids(seen), told(seen.plans[0])]).toEqual([['a'], ['a 09:00-09:10', 'back 09:20']]);
  expect(seen.orders[0]).toMatchObject({ scheduled_at: '2026-03-02T08:00:00Z', vehicle_id: 'van', driver_id: 'dana' });
  expect(Math.abs(Date.parse(seen.server_time) - Date.now())).toBeLessThan(60_000);
});

test('where, when and how long is what was published, whatever is edited since, until it is published again', async () => {
  await w.order('a', 10, { vehicle_id: 'van', scheduled_at: time('09:00') });
  ok(await w.publishAll());
  const [before] = (await refresh(dana)).orders;
  ok(await w.patchOrder('a', { location: at(20), duration_seconds: 1_200, window_start: time('08:30') }));
  const [seen] = (await refresh(dana)).orders;
  const edited = { location: at(20), duration_seconds: 1_200, window_start: '2026-03-02T07:30:00Z' };
  expect(seen).toEqual({ ...before, revision: seen.revision, updated_at: seen.updated_at });
  expect([await w.get('/orders/a'), await w.get('/orders/a?view=published')]).toMatchObject([edited, { location: at(10), duration_seconds: 600, window_start: '2026-03-02T07:00:00Z' }]);
  ok(await w.publishAll());
  expect((await refresh(dana)).orders).toMatchObject([edited]);
});

test('a driver sees own work only, without what is for dispatchers', async () => {
  await w.order('a', 10, { vehicle_id: 'van', scheduled_at: time('09:00'), window_end: time('09:05'), duration_seconds: 300 });
  await w.order('b', 10, { vehicle_id: 'bus', scheduled_at: time('09:00') });
  ok(await w.patchOrder('a', { window_end: time('09:05'), window_start: time('09:00') }));
  ok(await w.patchOrder('a', { scheduled_at: time('09:02') }));
  ok(await w.publishAll());
  ok(await w.patchOrder('a', { status: 'cancelled' }));
  const [forDana, forEmil] = [await refresh(dana), await refresh(emil)];
  expect([ids(forDana), ids(forEmil)]).toEqual([['a'], ['b']]);
  expect(forDana.plans).toMatchObject([{ vehicle_id: 'van', warnings: [], unplanned_order_ids: [] }]);
  expect(forDana.orders[0].pending_status).toBeNull();
});

test('after a handover the stops are the replacement\'s', async () => {
  await w.order('before', 10, { vehicle_id: 'van', scheduled_at: time('09:00') });
  await w.order('pause', 5, { type: 'break', vehicle_id: 'van', duration_seconds: 900, replacement_driver_id: 'emil', scheduled_at: time('10:00') });
  await w.order('after', 10, { vehicle_id: 'van', scheduled_at: time('11:00') });
  ok(await w.publishAll());
  const [forDana, forEmil] = [await refresh(dana), await refresh(emil)];
  expect([ids(forDana), ids(forEmil)]).toEqual([['before', 'pause'], ['after']]);
  expect(forEmil.plans).toHaveLength(1);
  for (const { plans } of [forDana, forEmil]) expect(plans[0].published.stops).toEqual(plans[0].stops);
});

test('fields that drivers shall not see are neither shown nor described', async () => {
  const field = (id: string, visible: boolean) => ({ id, name: id, type: 'text', driver_visible: visible });
  ok(await w.admin.post(`${w.path}/schemas`, { id: 'notes', name: 'Notes', fields: [field('door', true), field('debts', false)] }));
  await w.order('a', 10, { vehicle_id: 'van', scheduled_at: time('09:00'), custom_fields: { door: 'green', debts: 'many' } });
  ok(await w.publishAll());
  const [order] = (await refresh(dana)).orders;
  expect(order.custom_fields).toEqual({ door: 'green' });
  expect(order.schema_snapshot.schemas[0].fields.map((each: { id: string }) => each.id)).toEqual(['door']);
});

test('receipt is written down once and is no edit', async () => {
  await w.order('a', 10, { vehicle_id: 'van', scheduled_at: time('09:00') });
  ok(await w.publishAll());
  const before = (await w.plans()).van;
  expect(before.received_at).toBeNull();
  await refresh(emil);
  expect((await w.plans()).van.received_at).toBeNull();
  const first = await refresh(dana);
  const after = (await w.plans()).van;
  expect(after).toEqual({ ...before, received_at: first.plans[0].received_at });
  expect(Date.parse(after.received_at)).toBeGreaterThan(0);
  await refresh(dana);
  expect((await w.plans()).van).toEqual(after);
});

test('administrators and keys are not drivers', async () => {
  expect((await w.admin.get('/api/v1/driver/refresh')).status).toBe(403);
  expect((await service.anonymous.get('/api/v1/driver/refresh')).status).toBe(401);
  expect((await dana.get(`${w.path}/plans`)).status).toBe(403);
});
