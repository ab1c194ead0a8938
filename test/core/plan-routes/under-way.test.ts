import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { at, lineWorld, ok, type LineWorld, type Plan } from '../../support/line-world.ts';
import { zoneInTheMorning } from '../../support/zone-in-the-morning.ts';
import { startService, type TestService } from '../../support/service.ts';

type Feature = any; // eslint-disable-line @typescript-eslint/no-explicit-any

let service: TestService;
beforeAll(async () => { service = await startService({ workers: true }); });
afterAll(() => service.close());

const minute = 60_000;
const nowMs = Math.floor(Date.now() / minute) * minute;
const from = (minutes: number): string => new Date(nowMs + minutes * minute).toISOString();
/** No shift of this test meets midnight. */
const zone = zoneInTheMorning(nowMs);
const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate().toString();
const wide = { window_start: from(-120), window_end: from(300) };

/** A van whose driver has done `a`, ten minutes east of the depot; `b` is ten minutes further on. */
async function underWay(): Promise<LineWorld> {
  const w = await lineWorld(service, { settings: { time_zone: zone } });
  await w.driver('dana');
  await w.vehicle('van', { driver_id: 'dana', hours: ['06:00-20:00'] });
  await w.order('a', 10, { ...wide, vehicle_id: 'van', scheduled_at: from(-20) });
  await w.publishAll();
  await w.sql(`update orders set status = 'completed', actual_completed_at = $3, revision = revision + 1 where business_id = $1 and id = $2`, [w.id, 'a', from(-3)]);
  await w.order('b', 20, wide);
  return w;
}

const reportPosition = async (w: LineWorld, place: number) => ok(await (await w.as('dana')).post('/api/v1/driver/location', { permission: 'granted', location: at(place) }));

async function replanned(w: LineWorld): Promise<Plan> {
  await w.plan({ date_start: today, date_end: today, include_planned: true });
  return (await w.plans())[`van ${today}`];
}

async function legs(w: LineWorld, plan: Plan, view = 'planning'): Promise<Feature[]> {
  const { features } = await w.get(`/plans/${plan.id}/route?view=${view}`);
  return features.filter(({ geometry }: Feature) => geometry.type === 'LineString');
}
const told = (all: Feature[]) => all.map(({ geometry, properties: { from: start, to, travel_seconds: seconds } }) => [`${start.order_id ?? start.kind} > ${to.order_id ?? to.kind}`, geometry.coordinates[0], geometry.coordinates.at(-1), seconds]);
const place = (minutes: number) => [at(minutes).longitude, at(minutes).latitude];

test('the route of a vehicle under way goes on from where it was when it was planned', async () => {
  const w = await underWay();
  await reportPosition(w, 17);
  const plan = await replanned(w);
  const route = await legs(w, plan);
  expect(told(route)).toEqual([
    ['warehouse > a', place(0), place(10), 600],
    ['position > b', place(17), place(20), 180],
    ['b > warehouse', place(20), place(0), 1_200],
  ]);
  expect(Date.parse(route[1].properties.departure_at) + 180_000).toBe(Date.parse(plan.stops[1].arrival_at));
  expect(route[1].properties.from).toEqual({ kind: 'position', sequence: null, order_id: null });
});

test('or from its last stop, where that is what is known', async () => {
  const w = await underWay();
  const route = await legs(w, await replanned(w));
  expect(told(route)).toEqual([
    ['warehouse > a', place(0), place(10), 600],
    ['a > b', place(10), place(20), 600],
    ['b > warehouse', place(20), place(0), 1_200],
  ]);
  expect(route[1].properties.departure_at >= route[0].properties.arrival_at).toBe(true);
});

test('with nothing left to do, its way back begins there', async () => {
  const w = await underWay();
  ok(await w.admin.delete(`${w.path}/orders/b`));
  await w.order('c', 30, wide);
  await reportPosition(w, 17);
  await replanned(w);
  ok(await w.admin.delete(`${w.path}/orders/c`));
  const plan = (await w.plans())[`van ${today}`];
  expect(told(await legs(w, plan))).toEqual([['warehouse > a', place(0), place(10), 600], ['position > warehouse', place(17), place(0), 1_020]]);
});

test('before the first stop, it begins there as well', async () => {
  const w = await lineWorld(service, { settings: { time_zone: zone } });
  await w.driver('dana');
  await w.vehicle('van', { driver_id: 'dana', hours: ['06:00-20:00'] });
  await reportPosition(w, 8);
  await w.order('a', 10, wide);
  const plan = await replanned(w);
  const route = await legs(w, plan);
  expect(told(route)[0]).toEqual(['position > a', place(8), place(10), 120]);
  expect(route[0].properties.departure_at).toBe(plan.start_at);
});

test('what was published under way keeps where it went on from, whatever has been planned since', async () => {
  const w = await underWay();
  await reportPosition(w, 17);
  await replanned(w);
  await w.publishAll();
  await reportPosition(w, 19);
  await w.order('c', 30, wide);
  const draft = await replanned(w);
  expect(told(await legs(w, draft))[1]).toEqual(['position > b', place(19), place(20), 60]);
  expect(told(await legs(w, draft, 'published'))[1]).toEqual(['position > b', place(17), place(20), 180]);
});
