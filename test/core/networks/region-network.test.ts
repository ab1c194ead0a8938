import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inBusiness, openStore, type Store } from '../../../core/db/store.ts';
import { knownTravel } from '../../../core/networks/known-travel.ts';
import { regionNetwork } from '../../../core/networks/region-network.ts';
import { serveRegions, type RegionMaps } from '../../../core/networks/region-maps.ts';
import { startWorkers, type Workers } from '../../../workers/main.ts';
import { hoursOf, ok, time as timeOn } from '../../support/line-world.ts';
import { osmTown, townPlace } from '../../support/osm-town.ts';
import { writeOsmFile } from '../../support/osm-files.ts';
import { regionBusiness, startRegionWorld, type RegionBusiness, type RegionWorld } from '../../support/region-world.ts';

type Fields = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const day = '2031-03-03';
const time = (clock: string): string => timeOn(clock, day);

const town = readFileSync(writeOsmFile(osmTown()));
const nextTown = readFileSync(writeOsmFile(osmTown({ edition: 2 })));

let world: RegionWorld;
let workers: Workers;
let store: Store;
let maps: RegionMaps;
beforeAll(async () => {
  world = await startRegionWorld();
  store = await openStore(world.service.databaseUrl);
  maps = serveRegions(store, world.config);
  workers = await startWorkers(world.config);
});
afterAll(async () => {
  await maps.close();
  await store.close();
  await workers.close();
  await world.close();
});
beforeEach(() => {
  Object.assign(world.maps.on, { '/town.osm.pbf': town, '/inner.osm.pbf': town });
});

const corners = [[2, 2], [6, 3], [9, 8], [1, 7]].map(([column, row]) => townPlace(column, row));
const window = { window_start: time('08:00'), window_end: time('16:00') };
const order = (w: RegionBusiness, id: string, location: object) => w.admin.post(`${w.path}/orders`, { id, location, duration_seconds: 600, ...window });

async function dispatch(w: RegionBusiness, locations: Record<string, object>) {
  ok(await w.admin.post(`${w.path}/warehouses`, { id: 'depot', name: 'Depot', location: townPlace(2, 2) }));
  ok(await w.admin.post(`${w.path}/vehicles`, { id: 'van', name: 'Van', warehouse_id: 'depot', working_hours: hoursOf(['08:00-16:00']) }));
  for (const [id, location] of Object.entries(locations)) ok(await order(w, id, location));
}

async function plan(w: RegionBusiness): Promise<Fields> {
  const { job_id: id } = ok(await w.admin.post(`${w.path}/planning/preview`, { vehicle_ids: ['van'], date_start: day, date_end: day, seed: 1, max_iterations: 400, include_planned: true }));
  return w.endOf(id);
}

const planOf = async (w: RegionBusiness): Promise<Fields> => ok(await w.admin.get(`${w.path}/plans?state=planning`)).items[0];

describe.each(['engine_a', 'engine_b'])('on the roads of %s', (engine) => {
  let w: RegionBusiness;
  beforeEach(async () => { w = await regionBusiness(world, { engine }); });

  test('orders are planned, published and offered, and what is on no road says so', async () => {
    await dispatch(w, { near: townPlace(6, 3), across: townPlace(9, 8), nowhere: { longitude: 9.96, latitude: 53.53 }, outside: { longitude: 11, latitude: 53.55 } });
    await expect(plan(w)).rejects.toThrow(/answered 503: .*the business has no road network: install a region/);
    await w.endOf(await w.install());
    const { result } = await plan(w);
    expect(result.planned).toBe(2);
    expect(result.unplanned).toEqual(expect.arrayContaining([
      expect.objectContaining({ order_id: 'nowhere', reason: 'unreachable', detail: 'no road of the region Town is within 1000 m of it' }),
      expect.objectContaining({ order_id: 'outside', reason: 'unreachable', detail: 'it lies outside of every region that is installed' }),
    ]));
    const planned = await planOf(w);
    expect(planned.warnings).toEqual([]);
    const driven = planned.stops.reduce((sum: number, stop: Fields) => sum + stop.travel_meters, planned.return_leg.travel_meters);
    // As the crow flies there and back, and not more than the streets make of it.
    expect(driven).toBeGreaterThan(2_000);
    expect(driven).toBeLessThan(12_000);
    const offered = ok(await w.admin.post(`${w.path}/availability`, { start: time('08:00'), end: time('16:00'), location: townPlace(4, 2), duration_seconds: 600, candidate_windows: [{ start: time('08:00'), end: time('12:00') }] }));
    expect(offered.windows).toEqual([expect.objectContaining({ available: true })]);
    expect((await w.admin.post(`${w.path}/plans/publish`, { plan_ids: [planned.id] })).status).toBe(200);
  });

  test('of a new dataset the next plan makes use, and the one before answers until then', async () => {
    await dispatch(w, { near: townPlace(6, 3), across: townPlace(9, 8) });
    await w.endOf(await w.install());
    expect((await plan(w)).result.planned).toBe(2);
    world.maps.on['/town.osm.pbf'] = nextTown;
    const [job, ...plans] = await Promise.all([w.install().then((id) => w.endOf(id)), ...[1, 2, 3].map(() => plan(w))]);
    expect(job.result.outcome).toBe('installed');
    for (const each of plans) expect([each.status, each.result?.planned]).toEqual(['completed', 2]);
    expect((await plan(w)).result.planned).toBe(2);
  });

  test('after a rest its roads are opened anew, and nothing that was known by the old numbers of places is taken for the new ones', async () => {
    await w.endOf(await w.install());
    const learned = async (asked: number[]) => {
      const network = (await regionNetwork(inBusiness(store.em.fork(), w.id), w.id))!;
      const roads = network.for({});
      for (const nth of asked) await roads.find([corners[nth]]);
      const [from, to] = [roads.placeAt(corners[0]), roads.placeAt(corners[1])];
      const travel = knownTravel(roads);
      await travel.learn([[from, to]]);
      return { network, leg: travel.leg(from, to) };
    };
    const before = await learned([0, 1]);
    expect((await learned([2])).network).toBe(before.network);
    await maps.closeIdle(0);
    const after = await learned([2, 3, 1, 0]);
    expect(after.network).not.toBe(before.network);
    expect(after.network.version).toBe(before.network.version);
    expect(after.leg).toEqual(before.leg);
  });

  test('vehicles that the roads treat alike share them, and no others', async () => {
    await w.endOf(await w.install());
    const network = (await regionNetwork(inBusiness(store.em.fork(), w.id), w.id))!;
    const truck = network.for({ heightMeters: 3.8, weightKg: 12_000 });
    expect(network.for({ weightKg: 900 })).toBe(network.for({}));
    expect(network.for({ heightMeters: 3.799, weightKg: 12_000 })).toBe(truck);
    expect(truck.numbering).not.toBe(network.for({}).numbering);
    // The town's limits are 3.5 t and 2.8 m: what is above them is one to the engine that knows that.
    const isOne = network.for({ heightMeters: 4, weightKg: 40_000 }) === truck;
    expect(isOne).toBe(engine === 'engine_b');
    const across = [townPlace(4, 4.5), townPlace(4, 6.5)];
    const metres = await Promise.all([network.for({}), truck].map(async (roads) => {
      await roads.find(across);
      return (await roads.legs([[roads.placeAt(across[0]), roads.placeAt(across[1])]])).metres[0];
    }));
    expect(metres[0]).toBeLessThan(500);
    expect(metres[1]).toBeGreaterThan(1_200);
  });

  test('roads that are at work are not closed, however long it takes them', async () => {
    await w.endOf(await w.install());
    const roads = (await regionNetwork(inBusiness(store.em.fork(), w.id), w.id))!.for({});
    await roads.find(corners);
    const numbers = corners.map((corner) => roads.placeAt(corner));
    const [matrix] = await Promise.all([roads.matrix(numbers), maps.closeIdle(0)]);
    expect([...(await roads.matrix(numbers))!.seconds]).toEqual([...matrix!.seconds]);
  });
});

test('of several regions the smallest that holds all places serves, and without one nobody drives from one into another', async () => {
  const w = await regionBusiness(world, { engine: 'engine_b' });
  const { longitude: west, latitude: south } = townPlace(-0.5, -0.5);
  const { longitude: east, latitude: north } = townPlace(4.5, 4.5);
  const inner = { type: 'Polygon', coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] };
  ok(await w.admin.post(`${w.path}/regions`, { id: 'inner', name: 'Inner town', geometry: inner }));
  await dispatch(w, { near: townPlace(4, 3) });
  const serving = async (): Promise<string> => {
    await plan(w);
    const [region] = await w.sql(`select region_id from region_datasets d join region_dataset_holds h on h.version = d.version where d.business_id = $1 order by h.expires_at desc limit 1`, [w.id]);
    return region.region_id;
  };
  for (const id of ['town', 'inner']) await w.endOf(ok(await w.admin.post(`${w.path}/regions/${id}/install`)).job_id);
  expect(await serving()).toBe('inner');
  ok(await order(w, 'across', townPlace(9, 8)));
  expect((await plan(w)).result).toMatchObject({ planned: 2, unplanned: [] });
  expect(await serving()).toBe('town');
  ok(await order(w, 'outside', { longitude: 11, latitude: 53.55 }));
  const { result } = await plan(w);
  expect(result.unplanned).toEqual([expect.objectContaining({ order_id: 'outside', detail: 'it lies outside of every region that is installed' })]);
  expect(result.planned).toBe(2);
});
