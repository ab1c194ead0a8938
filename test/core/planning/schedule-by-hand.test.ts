import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { hoursOf, lineWorld, ok, time, told, type LineWorld, type Plan } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let w: LineWorld;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  w = await lineWorld(service);
  await w.driver('dana');
  await w.vehicle('van', { driver_id: 'dana' });
  await w.order('a', 10);
  await w.order('b', 15);
});

const van = async (): Promise<Plan> => (await w.plans()).van;
const epoch = async (): Promise<number> => (await w.get('/settings')).preview_epoch;
const put = (id: string, at: string, vehicle = 'van') => w.patchOrder(id, { vehicle_id: vehicle, scheduled_at: time(at) });

test('an order is put into the planning version at once', async () => {
  const { status, body } = await put('a', '09:00');
  expect([status, body]).toMatchObject([200, { scheduled_at: '2026-03-02T08:00:00Z', vehicle_id: 'van', driver_id: 'dana', status: 'created' }]);
  const plan = await van();
  expect(plan).toMatchObject({ state: 'planning', date: '2026-03-02', driver_id: 'dana', warnings: [], job_id: null });
  expect(told(plan)).toEqual(['a 09:00-09:10', 'back 09:20']);
  expect(plan.start_at).toBe('2026-03-02T07:50:00Z');
});

test('a new version follows each change, and the one before is superseded', async () => {
  await put('a', '09:00');
  const first = await van();
  await put('b', '09:15');
  const second = await van();
  expect(told(second)).toEqual(['a 09:00-09:10', 'b 09:15-09:25', 'back 09:40']);
  expect(second.warnings).toEqual([]);
  await put('a', '10:00');
  expect(told(await van())).toEqual(['b 09:15-09:25', 'a 10:00-10:10', 'back 10:20']);
  expect((await w.get('/plans?record_status=all')).items.map((plan: Plan) => plan.state)).toEqual(['superseded', 'superseded', 'planning']);
  expect((await w.get(`/plans/${first.id}`)).state).toBe('superseded');
});

test('what does not fit is warned of, and nobody else moves', async () => {
  await put('a', '09:00');
  await put('b', '09:12');
  expect(told(await van())).toEqual(['a 09:00-09:10', 'b 09:12-09:22', 'back 09:37']);
  expect((await van()).warnings).toEqual([expect.stringMatching(/leg to b .* off|arrives/)]);
  await put('b', '15:50');
  expect((await van()).warnings).toEqual([expect.stringContaining('not within the hours of van')]);
  await put('b', '16:30');
  expect((await van()).warnings).toEqual(expect.arrayContaining([expect.stringContaining('after its window closes')]));
  await put('b', '09:30');
  expect((await van()).warnings).toEqual([]);
});

test('unscheduling and deleting free the capacity at once', async () => {
  await put('a', '09:00');
  await put('b', '09:30');
  const before = await epoch();
  const { body } = await w.patchOrder('a', { scheduled_at: null });
  expect(body).toMatchObject({ scheduled_at: null, vehicle_id: 'van' });
  expect(await epoch()).toBeGreaterThan(before);
  expect(told(await van())).toEqual(['b 09:30-09:40', 'back 09:55']);
  const between = await epoch();
  expect((await w.admin.delete(`${w.path}/orders/b`)).status).toBe(204);
  expect(await epoch()).toBeGreaterThan(between);
  expect(await van()).toMatchObject({ stops: [], start_at: null, end_at: null, return_leg: null, warnings: [] });
  expect(await w.get('/orders/b?record_status=deleted')).toMatchObject({ scheduled_at: null });
});

test('an order moves to another vehicle with its time', async () => {
  await w.vehicle('bus');
  await put('a', '09:00');
  await put('b', '09:30');
  await w.patchOrder('a', { vehicle_id: 'bus' });
  const plans = await w.plans();
  expect([told(plans.van), told(plans.bus)]).toEqual([['b 09:30-09:40', 'back 09:55'], ['a 09:00-09:10', 'back 09:20']]);
  expect(await w.get('/orders/a')).toMatchObject({ vehicle_id: 'bus', driver_id: null, scheduled_at: '2026-03-02T08:00:00Z' });
  await w.patchOrder('a', { scheduled_at: time('09:00', '2026-03-04') });
  expect(Object.keys(await w.plans()).sort()).toEqual(['bus', 'bus 2026-03-04', 'van']);
});

test.each([
  ['a longer service', { duration_seconds: 1_500 }, ['a 09:00-09:25', 'b 09:30-09:40', 'back 09:55']],
  ['another place', { location: { latitude: 52, longitude: 13.14 } }, ['a 09:00-09:10', 'b 09:30-09:40', 'back 09:55']],
])('%s of a planned order is a new version with the same starts', async (_what, edit, expected) => {
  await put('a', '09:00');
  await put('b', '09:30');
  const before = await van();
  expect(before.warnings).toEqual([]);
  ok(await w.patchOrder('a', edit));
  const after = await van();
  expect(after.id).not.toBe(before.id);
  expect(told(after)).toEqual(expected);
});

test('plans are made of whole seconds', async () => {
  const fraction = { vehicle_id: 'van', scheduled_at: '2026-03-02T08:00:00.5Z' };
  const refusals = [await w.patchOrder('a', fraction), await w.admin.post(`${w.path}/orders`, { ...(await w.get('/orders/a')), id: 'fine', ...fraction })];
  for (const { status, body } of refusals) expect([status, body.error.details]).toEqual([422, [{ path: '/scheduled_at', message: 'must be a whole second' }]]);
  expect(await van()).toBeUndefined();
});

test('a window that a planned order leaves is warned of', async () => {
  await put('a', '09:00');
  ok(await w.patchOrder('a', { window_start: time('10:00') }));
  expect(told(await van())).toEqual(['a 09:00-09:10', 'back 09:20']);
  expect((await van()).warnings).toEqual([expect.stringContaining('before its window opens')]);
});

test('what is not an edit of the plan makes no version', async () => {
  await put('a', '09:00');
  const before = await van();
  const order = await w.get('/orders/a');
  ok(await w.patchOrder('a', order));
  ok(await w.admin.put(`${w.path}/orders/a`, await w.get('/orders/a')));
  expect(await van()).toEqual(before);
});

test('work that has begun is not moved', async () => {
  await put('a', '09:00');
  await w.sql(`update orders set status = 'in_progress', actual_started_at = now() where business_id = $1 and id = 'a'`, [w.id]);
  const before = await van();
  for (const edit of [{ scheduled_at: null }, { scheduled_at: time('10:00') }, { duration_seconds: 60 }]) {
    const { status, body } = await w.patchOrder('a', edit);
    expect([status, body.error.code]).toEqual([409, 'conflict']);
  }
  expect((await w.admin.delete(`${w.path}/orders/a`)).status).toBe(409);
  expect(await van()).toEqual(before);
});

test('a handover by hand changes who drives after it', async () => {
  await w.driver('emil');
  await w.order('pause', 5, { type: 'break', vehicle_id: 'van', duration_seconds: 900, replacement_driver_id: 'emil', scheduled_at: time('09:30') });
  await put('a', '09:00');
  await put('b', '10:00');
  const plan = await van();
  expect(plan.stops.map((stop: { driver_id: string }) => stop.driver_id)).toEqual(['dana', 'dana', 'emil']);
  expect(plan.warnings).toEqual([]);
  ok(await w.patchOrder('pause', { replacement_driver_id: null }));
  expect((await van()).stops[2].driver_id).toBe('dana');
});

test.each([
  ['return_to_warehouse', ['a 09:40-09:50', 'warehouse 10:00-12:00', 'b 12:15-12:25', 'back 12:40']],
  ['wait', ['a 09:40-09:50', 'b 12:15-12:25', 'back 12:40']],
])('a gap with %s is spent where it shall be', async (gap, expected) => {
  ok(await w.admin.patch(`${w.path}/vehicles/van`, { working_hours: { ...hoursOf(['08:00-10:00', '12:00-16:00']), gap_policy: gap } }));
  ok(await w.patchOrder('b', { location: { latitude: 52, longitude: 13.15 } }));
  await put('a', '09:40');
  await put('b', '12:15');
  const plan = await van();
  expect([told(plan), plan.warnings]).toEqual([expected, []]);
});

test('a leg that does not fit before a gap is driven after it', async () => {
  ok(await w.admin.patch(`${w.path}/vehicles/van`, { working_hours: { ...hoursOf(['08:00-10:00', '12:00-16:00']), gap_policy: 'wait' } }));
  await put('a', '09:48');
  await put('b', '12:15');
  const { stops, warnings } = await van();
  expect(warnings).toEqual([]);
  expect(stops[1]).toMatchObject({ arrival_at: '2026-03-02T11:05:00Z', wait_seconds: 600 });
  expect(stops[0].departure_at).toBe('2026-03-02T11:00:00Z');
});

test('a time without a vehicle, and a vehicle that is not there, are refused', async () => {
  const reply = await w.patchOrder('a', { scheduled_at: time('09:00') });
  expect([reply.status, reply.body.error.details[0].path]).toEqual([422, '/scheduled_at']);
  expect((await put('a', '09:00', 'ghost')).status).toBe(422);
  expect(await w.plans()).toEqual({});
});

test('a driver who is in a draft, or takes over at a break, stays; orders that were meant for one who goes are anybody\'s', async () => {
  for (const id of ['gone', 'next', 'relief']) await w.driver(id);
  await w.vehicle('truck', { driver_id: 'gone' });
  await w.order('pause', 5, { type: 'break', vehicle_id: 'truck', duration_seconds: 900, replacement_driver_id: 'relief' });
  await put('a', '09:00', 'truck');
  await w.order('meant', 5, { driver_id: 'gone' });
  ok(await w.admin.patch(`${w.path}/vehicles/truck`, { driver_id: 'next' }));
  const deleted = async (id: string): Promise<string | number> => {
    const { status, body } = await w.admin.delete(`${w.path}/drivers/${id}`);
    return status === 409 ? body.error.message : status;
  };
  expect(await deleted('gone')).toBe('the driver is in the planning version of truck on 2026-03-02: plan that shift again first');
  expect(await deleted('relief')).toBe('the driver takes over at the break pause: choose somebody else for it first');
  ok(await put('a', '09:30', 'truck'));
  ok(await w.patchOrder('pause', { replacement_driver_id: null }));
  expect([await deleted('gone'), await deleted('relief')]).toEqual([204, 204]);
  expect(await w.get('/orders/meant')).toMatchObject({ driver_id: null, revision: 2 });
});

test('the drafts of a deleted vehicle give their orders back', async () => {
  await w.vehicle('bus');
  await put('a', '09:00', 'bus');
  const draft = (await w.plans()).bus;
  expect((await w.admin.delete(`${w.path}/vehicles/bus`)).status).toBe(204);
  expect(await w.plans()).toEqual({});
  expect(await w.get(`/plans/${draft.id}`)).toMatchObject({ state: 'superseded' });
  expect(await w.get('/orders/a')).toMatchObject({ scheduled_at: null });
  ok(await put('a', '10:00'));
  expect(told(await van())).toEqual(['a 10:00-10:10', 'back 10:20']);
});
