import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { at, lineWorld, type LineWorld, type Plan } from '../../support/line-world.ts';
import { zoneInTheMorning } from '../../support/zone-in-the-morning.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(() => service.close());

const minute = 60_000;
const nowMs = Math.floor(Date.now() / minute) * minute;
/** So many minutes from now. */
const from = (minutes: number): string => new Date(nowMs + minutes * minute).toISOString();
/** No shift of this test meets midnight. */
const zone = zoneInTheMorning(nowMs);
const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate().toString();

/** What the clock on the wall shows in so many minutes. */
const wallClock = (minutes: number): string => Temporal.Instant.fromEpochMilliseconds(nowMs + minutes * minute).toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' });

/** A van on a shift from 06:00 to 20:00, hours before and after now. */
async function underWay(planning = {}): Promise<LineWorld> {
  const w = await lineWorld(service, { settings: { time_zone: zone, planning } });
  await w.driver('dana');
  await w.vehicle('van', { driver_id: 'dana', hours: ['06:00-20:00'] });
  return w;
}

const wide = { window_start: from(-120), window_end: from(300) };
const replan = (w: LineWorld, request = {}) => w.plan({ date_start: today, date_end: today, ...request });
const planOf = async (w: LineWorld, vehicle = 'van'): Promise<Plan> => (await w.plans())[`${vehicle} ${today}`];
const ids = (plan: Plan): (string | undefined)[] => plan.stops.map((stop: { order_id?: string }) => stop.order_id);
const begin = (w: LineWorld, id: string, startedAt: string) => w.sql(`update orders set status = 'in_progress', actual_started_at = $3, revision = revision + 1 where business_id = $1 and id = $2`, [w.id, id, startedAt]);
const finish = (w: LineWorld, id: string, endedAt: string) => w.sql(`update orders set status = 'completed', actual_completed_at = $3, revision = revision + 1 where business_id = $1 and id = $2`, [w.id, id, endedAt]);

test('an order in progress stays as it was, and the rest is planned after it', async () => {
  const w = await underWay();
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(-5) });
  await w.publishAll();
  await begin(w, 'a', from(-4));
  await w.order('b', 15, wide);
  const { result } = await replan(w);
  const plan = await planOf(w);
  expect(ids(plan)).toEqual(['a', 'b']);
  expect(plan.stops[0]).toEqual(plan.published.stops[0]);
  // It takes ten minutes from when it began, and b is five minutes further on.
  expect(plan.stops[1]).toMatchObject({ start_at: from(11).replace('.000', ''), travel_seconds: 300 });
  expect(result).toMatchObject({ planned: 2, unplanned: [] });
  expect(plan.warnings).toEqual([]);
  expect(plan.start_at).toBe(plan.published.start_at);
});

test('after a finished order the vehicle goes on from a fresh position, else from that order', async () => {
  const w = await underWay();
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(-20) });
  await w.publishAll();
  await finish(w, 'a', from(-3));
  await w.order('b', 20, wide);
  await replan(w);
  expect((await planOf(w)).stops[1]).toMatchObject({ order_id: 'b', travel_seconds: 600 });
  const dana = await w.as('dana');
  expect((await dana.post('/api/v1/driver/location', { permission: 'granted', location: at(17) })).status).toBe(200);
  const { request } = await replan(w, { include_planned: true });
  const { stops, warnings } = await planOf(w);
  expect(stops[1]).toMatchObject({ order_id: 'b', travel_seconds: 180 });
  expect(warnings).toEqual([]);
  const arrivalMs = Date.parse(request.as_of) + 180_000;
  expect(Date.parse(stops[1].start_at) - arrivalMs).toBeGreaterThanOrEqual(0);
  expect(Date.parse(stops[1].start_at) - arrivalMs).toBeLessThan(1_000);
});

test('before the first stop a fresh position is where the shift starts, a stale one is not', async () => {
  const w = await underWay();
  const dana = await w.as('dana');
  await dana.post('/api/v1/driver/location', { permission: 'granted', location: at(8), recorded_at: from(-20) });
  await w.order('a', 10, wide);
  await replan(w);
  expect((await planOf(w)).stops[0]).toMatchObject({ travel_seconds: 600 });
  await dana.post('/api/v1/driver/location', { permission: 'granted', location: at(8) });
  await replan(w, { include_planned: true });
  const plan = await planOf(w);
  expect(plan.stops[0]).toMatchObject({ travel_seconds: 120 });
  expect((await w.publish({ plan_ids: [plan.id] })).status).toBe(200);
});

test('nothing is planned into time that has gone by', async () => {
  const w = await underWay();
  await w.order('past', 1, { window_start: from(-120), window_end: from(-60) });
  await w.order('hurry', 30, { window_start: from(-120), window_end: from(30) });
  const { result } = await replan(w);
  expect(result.planned).toBe(0);
  expect(result.unplanned.map(({ order_id: id, reason }: { order_id: string; reason: string }) => [id, reason])).toEqual([['hurry', 'window_too_tight'], ['past', 'outside_working_hours']]);
});

test.each([
  ['since before a gap that is over', ['06:00-08:00', '09:00-20:00'], { startedAt: from(-200), durationSeconds: 600, served: ['a', 'b'] }],
  ['until shortly before a gap, too far from the warehouse to spend it there', [`06:00-${wallClock(70)}`, `${wallClock(130)}-20:00`], { startedAt: from(-1), durationSeconds: 3_600, served: ['a'] }],
])('an order is in progress %s', async (_when, hours, { startedAt, durationSeconds, served }) => {
  const w = await lineWorld(service, { settings: { time_zone: zone } });
  await w.vehicle('van', { hours });
  await w.order('a', 40, { window_start: from(-300), window_end: from(300), duration_seconds: durationSeconds, vehicle_id: 'van', scheduled_at: startedAt });
  await w.publishAll();
  await begin(w, 'a', startedAt);
  await w.order('b', 42, { window_start: from(-300), window_end: from(500) });
  await replan(w);
  expect(ids(await planOf(w))).toEqual(served);
});

test('a shift that is over takes no more beside one that is not', async () => {
  const w = await underWay();
  await w.vehicle('early', { hours: ['05:00-09:00'], warehouse_id: await w.warehouse('near', 10) });
  await w.order('a', 10, { window_start: from(-600), window_end: from(300) });
  await replan(w);
  expect([ids(await planOf(w)), await planOf(w, 'early')]).toEqual([['a'], undefined]);
  // Days that have gone by altogether are planned as if they were to come.
  await w.order('b', 10, { window_start: from(-600), window_end: from(300) });
  await replan(w, { vehicle_ids: ['early'] });
  expect(ids(await planOf(w, 'early'))).toEqual(['b']);
});

test('a draft that moved an order away before it began gives it back', async () => {
  const w = await underWay();
  await w.vehicle('bus', { hours: ['06:00-20:00'] });
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(10) });
  await w.order('b', 15, { ...wide, vehicle_id: 'van', scheduled_at: from(40) });
  await w.publishAll();
  await w.patchOrder('a', { vehicle_id: 'bus' });
  await begin(w, 'a', from(-1));
  const blocked = await w.publishAll();
  expect([blocked.status, blocked.body.error.message]).toEqual([409, expect.stringContaining('the order a is in progress')]);
  await replan(w);
  expect([ids(await planOf(w)), ids(await planOf(w, 'bus'))]).toEqual([['a', 'b'], []]);
  expect(await w.get('/orders/a')).toMatchObject({ vehicle_id: 'van' });
  expect((await w.publishAll()).status).toBe(200);
});

test('work that was edited, but not published, before it began is planned as it is done', async () => {
  const w = await underWay();
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(10) });
  await w.publishAll();
  await w.patchOrder('a', { location: at(40), duration_seconds: 1_800 });
  const dana = await w.as('dana');
  for (const path of ['duty', 'orders/a/start']) expect((await dana.post(`/api/v1/driver/${path}`, path === 'duty' ? { online: true } : {})).status).toBe(200);
  await w.order('b', 15, wide);
  await replan(w);
  const plan = await planOf(w);
  expect([ids(plan), plan.stops[0], plan.stops[1].travel_seconds]).toEqual([['a', 'b'], plan.published.stops[0], 300]);
  expect((await w.publishAll()).status).toBe(200);
});

test('what a draft put before work that has begun since is still to be done', async () => {
  const w = await underWay();
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(10) });
  await w.order('b', 15, { ...wide, vehicle_id: 'van', scheduled_at: from(40) });
  await w.publishAll();
  await w.patchOrder('b', { scheduled_at: from(20) });
  await w.patchOrder('a', { scheduled_at: from(60) });
  expect(ids(await planOf(w))).toEqual(['b', 'a']);
  await begin(w, 'a', from(-1));
  await replan(w, { include_planned: true });
  const plan = await planOf(w);
  expect(ids(plan)).toEqual(['a', 'b']);
  expect(plan.stops.map((stop: { sequence: number }) => stop.sequence)).toEqual([1, 2]);
});

test('by hand, a stop is put after what has happened', async () => {
  const w = await underWay();
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(-5) });
  await w.publishAll();
  await begin(w, 'a', from(-4));
  await w.order('b', 12, wide);
  expect((await w.patchOrder('b', { vehicle_id: 'van', scheduled_at: from(30) })).status).toBe(200);
  const plan = await planOf(w);
  expect(ids(plan)).toEqual(['a', 'b']);
  expect([plan.stops[0], plan.warnings]).toEqual([plan.published.stops[0], []]);
});

test('a rest that was too short when work began is said, and does not stop planning', async () => {
  const w = await underWay({ min_rest_seconds: 3 * 3_600 });
  await w.vehicle('bus', { driver_id: 'dana', hours: ['06:00-20:00'] });
  await w.order('early', 0, { ...wide, window_start: from(-240), vehicle_id: 'bus', scheduled_at: from(-190) });
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(-5) });
  await w.publishAll();
  await begin(w, 'a', from(-4));
  await w.order('b', 15, wide);
  await replan(w, { vehicle_ids: ['van'] });
  const plan = await planOf(w);
  expect([ids(plan), plan.warnings]).toEqual([['a', 'b'], [`driver dana rests 2 h 45 min between the plan of bus on ${today} and plan van on ${today}, but needs 3 h`]]);
});

describe('whoever has begun an order hours before its time', () => {
  /** Dana is at work on `early`, planned for an hour from now; a bus without a driver waits to be taken over by her. */
  async function begunEarly(pause: Record<string, unknown>): Promise<LineWorld> {
    const w = await underWay();
    await w.vehicle('bus', { hours: ['06:00-20:00'] });
    await w.order('early', 0, { ...wide, duration_seconds: 1_200, vehicle_id: 'van', scheduled_at: from(60) });
    await w.order('next', 0, { ...wide, vehicle_id: 'van', scheduled_at: from(120) });
    await w.publishAll();
    await begin(w, 'early', from(0));
    await w.order('pause', 0, { ...wide, type: 'break', vehicle_id: 'bus', replacement_driver_id: 'dana', duration_seconds: 300, ...pause });
    return w;
  }

  test('is free for others from its end, not from when it was planned to end', async () => {
    const w = await begunEarly({ window_start: from(60), window_end: from(90) });
    expect((await replan(w)).result.unplanned).toEqual([]);
    expect(ids(await planOf(w, 'bus'))).toEqual(['pause']);
  });

  test('takes over no other vehicle before that', async () => {
    const w = await begunEarly({ window_start: from(-10), window_end: from(90) });
    expect((await replan(w)).result.unplanned).toEqual([]);
    expect(Date.parse((await planOf(w, 'bus')).stops[0].start_at)).toBeGreaterThanOrEqual(Date.parse(from(20)));
    const none = await begunEarly({ window_start: from(-10), window_end: from(15) });
    expect((await replan(none)).result.unplanned).toMatchObject([{ order_id: 'pause' }]);
  });
});

test('whoever has begun a shift drives it to its end, whatever becomes of the vehicle meanwhile', async () => {
  const w = await underWay();
  await w.driver('erik');
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(-5) });
  await w.publishAll();
  await begin(w, 'a', from(-4));
  for (const driver_id of ['erik', null]) {
    expect((await w.admin.patch(`${w.path}/vehicles/van`, { driver_id })).status).toBe(200);
    await w.order(`b ${driver_id}`, 15, wide);
    await replan(w, { include_planned: true });
    await w.order(`c ${driver_id}`, 18, { ...wide, vehicle_id: 'van', scheduled_at: from(driver_id ? 60 : 90) });
    const plan = await planOf(w);
    expect([plan.driver_id, new Set(plan.stops.map((stop: Plan) => stop.driver_id)), plan.warnings]).toEqual(['dana', new Set(['dana']), []]);
  }
});

test('work too soon after a shift that has nothing left is said, and does not stop planning', async () => {
  const w = await underWay({ min_rest_seconds: 3 * 3_600 });
  await w.vehicle('bus', { driver_id: 'dana', hours: ['06:00-20:00'] });
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(-20) });
  await w.publishAll();
  await finish(w, 'a', from(-3));
  await w.order('b', 15, { ...wide, vehicle_id: 'bus', window_start: from(60) });
  expect((await replan(w)).result).toMatchObject({ planned: 2, unplanned: [] });
  expect((await planOf(w, 'bus')).warnings).toEqual([expect.stringMatching(/^driver dana rests .* between plan van/)]);
});

test('whoever has begun a shift is who orders for a driver go to, and where the vehicle is', async () => {
  const w = await underWay();
  await w.driver('erik');
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(-20) });
  await w.publishAll();
  await finish(w, 'a', from(-3));
  const dana = await w.as('dana');
  expect((await dana.post('/api/v1/driver/location', { permission: 'granted', location: at(17) })).status).toBe(200);
  expect((await w.admin.patch(`${w.path}/vehicles/van`, { driver_id: 'erik' })).status).toBe(200);
  await w.order('hers', 20, { ...wide, driver_id: 'dana' });
  await w.order('his', 20, { ...wide, driver_id: 'erik' });
  expect((await replan(w)).result).toMatchObject({ unplanned: [{ order_id: 'his' }] });
  expect((await planOf(w)).stops[1]).toMatchObject({ order_id: 'hers', driver_id: 'dana', travel_seconds: 180 });
});

test('a draft that contradicts itself keeps its driver busy, and does not stop planning', async () => {
  const w = await underWay();
  await w.vehicle('bus', { driver_id: 'dana', hours: ['06:00-20:00'] });
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(180) });
  await w.publishAll();
  await finish(w, 'a', from(-3));
  // After what has happened, and long before that was planned to happen.
  await w.order('b', 12, { ...wide, vehicle_id: 'van', scheduled_at: from(60) });
  const { start_at: start, end_at: end, warnings } = await planOf(w);
  expect([Date.parse(end) < Date.parse(start), warnings.length > 0]).toEqual([true, true]);
  await w.order('c', 5, { ...wide, window_start: from(70), window_end: from(150), vehicle_id: 'bus' });
  expect((await replan(w, { vehicle_ids: ['bus'] })).result).toMatchObject({ unplanned: [{ order_id: 'c' }] });
});
