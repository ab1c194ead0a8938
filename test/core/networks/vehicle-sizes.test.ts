import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { valhallaProblem } from '../../../core/valhalla/valhalla-problem.ts';
import { startWorkers, type Workers } from '../../../workers/main.ts';
import { hoursOf, ok, time as timeOn } from '../../support/line-world.ts';
import { osmTown, townPlace } from '../../support/osm-town.ts';
import { writeOsmFile } from '../../support/osm-files.ts';
import { regionBusiness, startRegionWorld, type RegionBusiness, type RegionWorld } from '../../support/region-world.ts';

type Fields = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const valhalla = await valhallaProblem();
const engines = valhalla === null ? ['engine_b', 'engine_a'] : ['engine_b'];
if (valhalla !== null) test.skip(`engine_a needs Valhalla: ${valhalla.message}`, () => {});

jest.setTimeout(120_000);

const town = readFileSync(writeOsmFile(osmTown({ hasNarrows: true })));
const weakTown = readFileSync(writeOsmFile(osmTown({ hasNarrows: true, hasWeakBridges: true })));

const depot = townPlace(4, 3);
/** Straight over the river from the depot, by a bridge for up to 3.5 t. */
const acrossLightBridge = townPlace(4, 8);
/** Across the river by an underpass of 2.8 m. */
const [beforeUnderpass, behindUnderpass] = [townPlace(10, 3), townPlace(10, 8)];
/** Only an underpass leads there. */
const hamlet = townPlace(7.5, -2);
/** At the end of a street for up to 3.5 t. */
const weakStreet = townPlace(-3, 10);

const truck = { height_meters: 3.8, weight_kg: 12_000 };
const closed = 'no road leads to it and back that a vehicle of 3.8 m and 12000 kg may use, although a car gets there';

let world: RegionWorld;
let workers: Workers;
beforeAll(async () => {
  world = await startRegionWorld();
  workers = await startWorkers(world.config);
});
afterAll(async () => {
  await workers.close();
  await world.close();
});

describe.each(engines)('on the roads of %s', (engine) => {
  let w: RegionBusiness;
  /** Each test has a day for itself. */
  let day = '2031-03-03';
  const time = (clock: string): string => timeOn(clock, day);

  const vehicle = async (id: string, fields: object = {}) => ok(await w.admin.post(`${w.path}/vehicles`, { id, name: id, warehouse_id: 'depot', working_hours: hoursOf(['08:00-16:00']), ...fields }));
  const order = async (id: string, location: object, fields: object = {}) => ok(await w.admin.post(`${w.path}/orders`, { id: `${id} ${day}`, location, duration_seconds: 600, window_start: time('08:00'), window_end: time('16:00'), ...fields }));
  const named = (id: string) => `${id} ${day}`;

  beforeAll(async () => {
    world.maps.on['/town.osm.pbf'] = town;
    w = await regionBusiness(world, { engine });
    await w.endOf(await w.install());
    ok(await w.admin.post(`${w.path}/warehouses`, { id: 'depot', name: 'Depot', location: depot }));
    ok(await w.admin.post(`${w.path}/warehouses`, { id: 'east', name: 'Depot in the east', location: beforeUnderpass }));
    await vehicle('truck', truck);
  });
  beforeEach(() => { day = Temporal.PlainDate.from(day).add({ days: 1 }).toString(); });

  async function plan(...vehicleIds: string[]): Promise<Fields> {
    const { job_id: id } = ok(await w.admin.post(`${w.path}/planning/preview`, { vehicle_ids: vehicleIds, date_start: day, date_end: day, seed: 1, max_iterations: 400, include_planned: true }));
    const job = await w.endOf(id);
    expect(job.error).toBeNull();
    return job.result;
  }
  const planOf = async (vehicleId: string): Promise<Fields> => ok(await w.admin.get(`${w.path}/plans?state=planning&vehicle_id=${vehicleId}`)).items.find((each: Fields) => each.start_at.startsWith(day));
  const metresTo = async (vehicleId: string): Promise<number> => (await planOf(vehicleId)).stops[0].travel_meters;

  /** In which columns of the town the route of a plan crosses the river, there and back. */
  async function crossed(vehicleId: string): Promise<number[]> {
    const { features } = JSON.parse((await w.admin.get(`${w.path}/plans/${(await planOf(vehicleId)).id}/route`)).text) as Fields;
    const [river, west, block] = [townPlace(0, 5.5).latitude, townPlace(0, 0).longitude, townPlace(1, 0).longitude - townPlace(0, 0).longitude];
    const lines = (features as Fields[]).filter(({ geometry }) => geometry.type === 'LineString').map(({ geometry }) => geometry.coordinates as [number, number][]);
    return lines.flatMap((line) => line.slice(1).flatMap(([longitude, latitude], index) => ((latitude - river) * (line[index][1] - river) < 0 ? [Math.round((longitude - west) / block)] : [])));
  }

  test('what only a truck could serve and no truck may reach is unplanned, and says why', async () => {
    await order('hamlet', hamlet);
    await order('weak', weakStreet);
    expect((await plan('truck')).unplanned).toEqual(expect.arrayContaining(['hamlet', 'weak'].map((id) => expect.objectContaining({ order_id: named(id), reason: 'unreachable', proved: true, detail: closed, fix: null }))));
    const asked = async () => ok(await w.admin.post(`${w.path}/availability`, { start: time('08:00'), end: time('16:00'), location: hamlet, duration_seconds: 600, candidate_windows: [{ start: time('08:00'), end: time('12:00') }] })).windows[0];
    expect(await asked()).toMatchObject({ available: false, reason: 'unreachable', detail: closed });

    await vehicle('van', { height_meters: 2.6, weight_kg: 3_500 });
    const { available, reservation_id: id } = await asked();
    expect(available).toBe(true);
    expect(ok(await w.admin.post(`${w.path}/reservations/${id}/confirm`, {}))).toMatchObject({ vehicle_id: 'van' });
    expect(await plan('truck', 'van')).toMatchObject({ planned: 3, unplanned: [] });
    expect((await planOf('van')).stops).toHaveLength(3);
  });

  test('an order that was meant for the truck is told which vehicle gets there', async () => {
    await order('hamlet', hamlet, { vehicle_id: 'truck' });
    const [unplanned] = (await plan('truck', 'van')).unplanned;
    expect(unplanned).toMatchObject({ order_id: named('hamlet'), reason: 'unreachable', fix: { kind: 'other_vehicle', vehicle_id: 'van' } });
    expect(unplanned.detail).toContain(closed);
    await w.admin.delete(`${w.path}/orders/${encodeURIComponent(named('hamlet'))}`);
  });

  test('a van takes the bridge that is too weak for a truck, and the truck another one', async () => {
    for (const id of ['van', 'truck']) await order(`for-${id}`, acrossLightBridge, { vehicle_id: id });
    expect(await plan('van', 'truck')).toMatchObject({ planned: 2, unplanned: [] });
    // Five blocks of 150 m straight ahead; three more to the next bridge, and back.
    expect(await metresTo('van')).toBeLessThan(850);
    expect(await metresTo('truck')).toBeGreaterThan(1_500);
    expect(await crossed('van')).toEqual([4, 4]);
    const columns = await crossed('truck');
    expect(columns).toHaveLength(2);
    expect(columns.every((column) => column === 1 || column === 7)).toBe(true);
    const plans = [await planOf('van'), await planOf('truck')];
    expect(plans.map(({ warnings }) => warnings)).toEqual([[], []]);
    expect((await w.admin.post(`${w.path}/plans/publish`, { plan_ids: plans.map(({ id }) => id) })).status).toBe(200);
  });

  test('the height of a light vehicle counts too', async () => {
    await vehicle('low', { warehouse_id: 'east', height_meters: 2.8, weight_kg: 3_000 });
    await vehicle('high', { warehouse_id: 'east', height_meters: 2.81 });
    for (const id of ['low', 'high']) await order(`for-${id}`, behindUnderpass, { vehicle_id: id });
    await plan('low', 'high');
    expect(await crossed('low')).toEqual([10, 10]);
    expect(await crossed('high')).not.toContain(10);
  });

  test('an order that is put on the truck by hand is driven to as a truck does, and where it may not, that is a warning', async () => {
    await order('across', acrossLightBridge, { vehicle_id: 'truck', scheduled_at: time('09:00') });
    expect((await planOf('truck')).warnings).toEqual([]);
    expect(await metresTo('truck')).toBeGreaterThan(1_500);
    await order('hamlet', hamlet, { vehicle_id: 'truck', scheduled_at: time('11:00') });
    const { id, warnings } = await planOf('truck');
    expect(warnings).toContain(`no road leads to ${named('hamlet')} from where the vehicle is before`);
    expect(await w.admin.post(`${w.path}/plans/publish`, { plan_ids: [id] })).toMatchObject({ status: 409 });
  });

  test('a vehicle that becomes higher or heavier needs new plans', async () => {
    await vehicle('growing');
    await order('across', acrossLightBridge, { vehicle_id: 'growing' });
    await plan('growing');
    const { id } = await planOf('growing');
    const epoch = async () => ok(await w.admin.post(`${w.path}/working-hours/preview`, { vehicle_id: 'growing', working_hours: hoursOf(['08:00-16:00']) })).preview_epoch;
    const before = await epoch();
    ok(await w.admin.patch(`${w.path}/vehicles/growing`, { name: 'Larger than it was' }));
    expect(await epoch()).toBe(before);
    ok(await w.admin.patch(`${w.path}/vehicles/growing`, truck));
    expect(await epoch()).toBe(before + 1);
    const refused = await w.admin.post(`${w.path}/plans/publish`, { plan_ids: [id] });
    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toContain(`the leg to ${named('across')} states`);
    await plan('growing');
    expect(await metresTo('growing')).toBeGreaterThan(1_500);
    expect((await w.admin.post(`${w.path}/plans/publish`, { plan_ids: [(await planOf('growing')).id] })).status).toBe(200);
  });

  test('other hours are judged by the legs of the truck', async () => {
    await order('across', acrossLightBridge, { window_end: time('11:00'), vehicle_id: 'truck' });
    await plan('truck');
    const impact = async (hours: string) => ok(await w.admin.post(`${w.path}/working-hours/preview`, { vehicle_id: 'truck', working_hours: { weekly: hoursOf(['08:00-16:00']).weekly, overrides: { [day]: [{ start: hours, end: '16:00' }] } } })).affected_order_ids;
    expect(await impact('07:30')).toEqual([]);
    expect(await impact('12:00')).toEqual([named('across')]);
  });

  test('on new roads only the plans of those vehicles change that other limits apply to', async () => {
    await vehicle('light');
    await vehicle('heavy', truck);
    for (const id of ['light', 'heavy']) await order(`for-${id}`, acrossLightBridge, { vehicle_id: id });
    await plan('light', 'heavy');
    const heavy = await planOf('heavy');
    world.maps.on['/town.osm.pbf'] = weakTown;
    const { drift } = (await w.endOf(await w.install())).result;
    expect(drift.changed).toContainEqual(expect.objectContaining({ plan_id: heavy.id, vehicle_id: 'heavy', unreachable_legs: 2 }));
    const lost = drift.changed.map((each: Fields) => each.vehicle_id);
    for (const id of ['van', 'light', 'low']) expect(lost).not.toContain(id);
    expect((await planOf('heavy')).warnings).toEqual(['on the new roads of the region Town there is no way for 2 legs of this plan']);
    expect((await planOf('light')).warnings).toEqual([]);
    expect((await plan('light', 'heavy')).unplanned).toEqual([expect.objectContaining({ order_id: named('for-heavy'), reason: 'unreachable', detail: closed })]);
  });
});
