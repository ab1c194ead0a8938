import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createBusiness } from '../../support/business.ts';
import type { Reply } from '../../support/client.ts';
import { at, lineWorld, ok, time, type LineWorld, type Plan } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

type Feature = any; // eslint-disable-line @typescript-eslint/no-explicit-any

let service: TestService;
let w: LineWorld;
beforeAll(async () => { service = await startService({ workers: true }); });
afterAll(() => service.close());
beforeEach(async () => {
  w = await lineWorld(service, { islandAt: 30 });
  await w.vehicle('van');
});

const asked = (plan: Plan, query = ''): Promise<Reply> => w.admin.get(`${w.path}/plans/${plan.id}/route${query}`);
const routeOf = async (plan: Plan, query = '') => ok(await asked(plan, query));
const legsOf = ({ features }: { features: Feature[] }) => features.filter(({ geometry }) => geometry.type === 'LineString');
const stopsOf = ({ features }: { features: Feature[] }) => features.filter(({ geometry }) => geometry.type === 'Point');
const positions = (...minutes: number[]) => minutes.map((minute) => [at(minute).longitude, at(minute).latitude]);
const told = ({ from, to }: Feature): string => [from, to].map(({ kind, order_id: order }) => order ?? kind).join(' > ');

async function planned(hours = ['08:00-16:00']): Promise<Plan> {
  ok(await w.admin.patch(`${w.path}/vehicles/van`, { working_hours: { weekly: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, hours.map((text) => ({ start: text.slice(0, 5), end: text.slice(6) }))])), overrides: {} } }));
  await w.plan();
  return (await w.plans()).van;
}

describe('a route', () => {
  test('has a line along the roads for each leg in order of driving, then a point for each stop', async () => {
    await w.order('a', 2, { scheduled_at: time('09:00'), vehicle_id: 'van' });
    await w.order('b', -1, { scheduled_at: time('10:00'), vehicle_id: 'van' });
    const plan = (await w.plans()).van;
    const reply = await asked(plan);
    expect(reply.headers.get('content-type')).toBe('application/geo+json');
    expect(reply.body).toMatchObject({ type: 'FeatureCollection', plan_id: plan.id, vehicle_id: 'van', date: plan.date, attribution: null, bbox: [at(-1).longitude, 52, at(2).longitude, 52] });
    expect(reply.body.features.map(({ id }: Feature) => id)).toEqual(['leg-1', 'leg-2', 'leg-3', 'stop-1', 'stop-2']);
    expect(legsOf(reply.body).map(({ geometry }) => geometry.coordinates)).toEqual([positions(0, 1, 2), positions(2, 1, 0, -1), positions(-1, 0)]);
    const [a, b] = plan.stops;
    expect(legsOf(reply.body).map(({ properties }) => properties)).toEqual([
      { sequence: 1, from: { kind: 'warehouse', sequence: null, order_id: null }, to: { kind: 'task', sequence: 1, order_id: 'a' }, departure_at: plan.start_at, arrival_at: a.arrival_at, travel_seconds: 120, travel_meters: 1000, on_roads: true },
      { sequence: 2, from: { kind: 'task', sequence: 1, order_id: 'a' }, to: { kind: 'task', sequence: 2, order_id: 'b' }, departure_at: a.departure_at, arrival_at: b.arrival_at, travel_seconds: 180, travel_meters: 1500, on_roads: true },
      { sequence: 3, from: { kind: 'task', sequence: 2, order_id: 'b' }, to: { kind: 'warehouse', sequence: null, order_id: null }, departure_at: plan.return_leg.departure_at, arrival_at: plan.return_leg.arrival_at, travel_seconds: 60, travel_meters: 500, on_roads: true },
    ]);
    expect(stopsOf(reply.body)[1]).toEqual({
      type: 'Feature', id: 'stop-2', geometry: { type: 'Point', coordinates: positions(-1)[0] },
      properties: { sequence: 2, kind: 'task', order_id: 'b', arrival_at: b.arrival_at, start_at: b.start_at, end_at: b.end_at, driver_id: null },
    });
  });

  test('goes by the warehouse where the plan has a gap', async () => {
    await w.order('early', 5, { window_end: time('10:00') });
    await w.order('late', 6, { window_start: time('14:00') });
    const route = await routeOf(await planned(['08:00-10:00', '14:00-16:00']));
    expect(legsOf(route).map(({ properties }) => told(properties))).toEqual(['warehouse > early', 'early > warehouse', 'warehouse > late', 'late > warehouse']);
    expect(legsOf(route)[1].properties.to).toEqual({ kind: 'warehouse', sequence: 2, order_id: null });
    expect(stopsOf(route).map(({ properties }) => properties.kind)).toEqual(['task', 'warehouse', 'task']);
  });

  test('of two orders in one place has a line of no length between them', async () => {
    await w.order('a', 2);
    await w.order('b', 2);
    expect(legsOf(await routeOf(await planned()))[1]).toMatchObject({ geometry: { coordinates: positions(2, 2) }, properties: { travel_seconds: 0, on_roads: true } });
  });

  test('is straight where no road leads, and says so', async () => {
    const location = { longitude: at(30).longitude, latitude: 52.5 };
    ok(await w.admin.post(`${w.path}/orders`, { id: 'cut-off', location, duration_seconds: 600, window_start: time('08:00'), window_end: time('16:00'), vehicle_id: 'van', scheduled_at: time('09:00') }));
    const [out] = legsOf(await routeOf((await w.plans()).van));
    expect([out.geometry.coordinates, out.properties.on_roads]).toEqual([[positions(0)[0], [location.longitude, location.latitude]], false]);
  });

  test('of a plan without stops has no features and no box', async () => {
    await w.order('a', 2, { scheduled_at: time('09:00'), vehicle_id: 'van' });
    ok(await w.patchOrder('a', { scheduled_at: null, vehicle_id: null }));
    const route = await routeOf((await w.plans()).van);
    expect([route.features, route.bbox]).toEqual([[], undefined]);
  });
});

test('the published view shows what drivers have, whatever planning has made of it since', async () => {
  await w.order('a', 2);
  const plan = await planned();
  expect(legsOf(await routeOf(plan, '?view=published'))).toHaveLength(2);
  await w.publishAll();
  await w.order('b', 4, { scheduled_at: time('11:00'), vehicle_id: 'van' });
  const draft = (await w.plans()).van;
  expect(legsOf(await routeOf(draft))).toHaveLength(3);
  expect(legsOf(await routeOf(draft, '?view=published')).map(({ properties }) => told(properties))).toEqual(['warehouse > a', 'a > warehouse']);
});

test('showing a route changes nothing, on whatever roads', async () => {
  await w.order('a', 2);
  const plan = await planned();
  const longer = await w.get('/scenarios/line');
  ok(await w.admin.patch(`${w.path}/scenarios/line`, { nodes: longer.nodes, edges: longer.edges.map((edge: object) => ({ ...edge, time_seconds: 600 })) }));
  expect(legsOf(await routeOf(plan))[0].properties).toMatchObject({ travel_seconds: 120, departure_at: plan.start_at });
  expect((await w.plans()).van).toEqual(plan);
});

test('who has the route already is told so', async () => {
  await w.order('a', 2);
  const plan = await planned();
  const etag = (await asked(plan)).headers.get('etag')!;
  const headers = { authorization: `Bearer ${w.admin.token}`, 'if-none-match': etag };
  expect((await fetch(`${service.url}${w.path}/plans/${plan.id}/route`, { headers })).status).toBe(304);
});

describe('there is no route', () => {
  test('of a plan that is not there, is another business’s or has been deleted, unless deleted ones are asked for', async () => {
    await w.order('a', 2);
    const first = await planned();
    await w.order('b', 3);
    await w.plan();
    ok(await w.admin.delete(`${w.path}/plans/${first.id}`));
    const other = await createBusiness(service);
    expect((await asked({ id: 'nobody' })).status).toBe(404);
    expect((await other.admin.get(`${w.path}/plans/${first.id}/route`)).status).toBe(404);
    expect((await other.admin.get(`${other.path}/plans/${first.id}/route`)).status).toBe(404);
    expect((await asked(first)).status).toBe(404);
    expect(legsOf(await routeOf(first, '?record_status=deleted'))).toHaveLength(2);
  });

  test('without roads', async () => {
    await w.order('a', 2);
    const plan = await planned();
    ok(await w.admin.post(`${w.path}/scenarios/line/deactivate`));
    const reply = await asked(plan);
    expect([reply.status, reply.body.error.message]).toEqual([503, expect.stringContaining('the business has no road network')]);
  });
});
