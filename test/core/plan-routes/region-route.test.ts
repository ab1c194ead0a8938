import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWorkers, type Workers } from '../../../workers/main.ts';
import { hoursOf, ok, time as timeOn } from '../../support/line-world.ts';
import { osmTown, townPlace } from '../../support/osm-town.ts';
import { writeOsmFile } from '../../support/osm-files.ts';
import { regionBusiness, startRegionWorld, type RegionBusiness, type RegionWorld } from '../../support/region-world.ts';

type Fields = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
type Position = [longitude: number, latitude: number];

const day = '2031-03-03';
const time = (clock: string): string => timeOn(clock, day);

let world: RegionWorld;
let workers: Workers;
beforeAll(async () => {
  world = await startRegionWorld();
  workers = await startWorkers(world.config);
  world.maps.on['/town.osm.pbf'] = readFileSync(writeOsmFile(osmTown()));
});
afterAll(async () => {
  await workers.close();
  await world.close();
});

/** Beside its street, as houses are. */
const house = (column: number, row: number) => townPlace(column + 0.3, row + 0.05);
const metresBetween = ([west, south]: Position, [east, north]: Position): number => Math.hypot((east - west) * Math.cos((south * Math.PI) / 180), north - south) * 111_195;
const lengthOf = (line: Position[]): number => line.slice(1).reduce((sum, to, index) => sum + metresBetween(line[index], to), 0);
const placeOf = ({ longitude, latitude }: { longitude: number; latitude: number }): Position => [longitude, latitude];
const legsOf = ({ features }: Fields): Fields[] => features.filter(({ geometry }: Fields) => geometry.type === 'LineString');

async function dispatch(w: RegionBusiness, locations: Record<string, object>): Promise<Fields> {
  ok(await w.admin.post(`${w.path}/warehouses`, { id: 'depot', name: 'Depot', location: townPlace(2, 2) }));
  ok(await w.admin.post(`${w.path}/vehicles`, { id: 'van', name: 'Van', warehouse_id: 'depot', working_hours: hoursOf(['08:00-16:00']) }));
  await w.endOf(await w.install());
  let hour = 9;
  for (const [id, location] of Object.entries(locations)) {
    ok(await w.admin.post(`${w.path}/orders`, { id, location, duration_seconds: 600, window_start: time('08:00'), window_end: time('16:00'), vehicle_id: 'van', scheduled_at: time(`${String(hour++).padStart(2, '0')}:00`) }));
  }
  return ok(await w.admin.get(`${w.path}/plans?state=planning`)).items[0];
}

const routeOf = async (w: RegionBusiness, plan: Fields): Promise<Fields> => ok(await w.admin.get(`${w.path}/plans/${plan.id}/route`));

describe.each(['engine_a', 'engine_b'])('on the roads of %s a route', (engine) => {
  test('runs along the streets from stop to stop, each leg as long as the plan says, and names the map', async () => {
    const w = await regionBusiness(world, { engine });
    const plan = await dispatch(w, { near: house(6, 3), across: house(9, 8), same: house(9, 8), back: house(3, 8) });
    const route = await routeOf(w, plan);
    expect(route.attribution).toBe('© OpenStreetMap contributors');
    const legs = legsOf(route);
    const ends = [townPlace(2, 2), ...plan.stops.map(({ location }: Fields) => location), townPlace(2, 2)].map(placeOf);
    expect(legs).toHaveLength(5);
    for (const [index, { geometry, properties }] of legs.entries()) {
      const line: Position[] = geometry.coordinates;
      expect(properties.on_roads).toBe(true);
      // A house is some ten metres from its street.
      expect(metresBetween(line[0], ends[index])).toBeLessThan(15);
      expect(metresBetween(line.at(-1)!, ends[index + 1])).toBeLessThan(15);
      if (index > 0) expect(metresBetween(line[0], legs[index - 1].geometry.coordinates.at(-1))).toBeLessThan(0.5);
      expect(Math.abs(lengthOf(line) - properties.travel_meters)).toBeLessThan(5 + properties.travel_meters / 100);
    }
    const all: Position[] = legs.flatMap(({ geometry }) => geometry.coordinates);
    const [west, south, east, north] = route.bbox;
    for (const [longitude, latitude] of all) expect(longitude >= west && longitude <= east && latitude >= south && latitude <= north).toBe(true);
    expect(lengthOf(legs[1].geometry.coordinates)).toBeGreaterThan(metresBetween(ends[1], ends[2]));
  });

  test('is straight to what no road reaches', async () => {
    const w = await regionBusiness(world, { engine });
    const nowhere = { longitude: 9.96, latitude: 53.53 };
    const outside = { longitude: 11, latitude: 53.55 };
    const legs = legsOf(await routeOf(w, await dispatch(w, { near: house(6, 3), nowhere, outside })));
    expect(legs.map(({ properties }) => properties.on_roads)).toEqual([true, false, false, false]);
    expect(legs[2].geometry.coordinates).toEqual([placeOf(nowhere), placeOf(outside)]);
  });
});
