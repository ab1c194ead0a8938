import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildDataset, filesIn } from '../../../../core/roads/dataset/build-dataset.ts';
import { openDataset, type Place, type RoadDataset, type Vehicle, type VehicleRoads } from '../../../../core/roads/dataset/open-dataset.ts';
import { JourneySearch } from '../../../../core/roads/map/journey-search.ts';
import { findPlace } from '../../../../core/roads/map/places.ts';
import { RoadMapError } from '../../../../core/roads/map/road-map.ts';
import { vehicleGraph } from '../../../../core/roads/map/vehicle-graph.ts';
import { destroyRoadThreads } from '../../../../core/roads/road-threads.ts';
import { createRandom } from '../../../../core/solver/random.ts';
import { writeOsmFile } from '../../../support/osm-files.ts';
import { osmTown, TOWN, townPlace } from '../../../support/osm-town.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const metresMax = 1_000;
const directory = join(temporaryFolder(), 'dataset');
let dataset: RoadDataset;
const said: [number, string][] = [];

beforeAll(async () => {
  buildDataset(writeOsmFile(osmTown()), directory, (fraction, message) => said.push([fraction, message]));
  dataset = await openDataset(directory);
});
afterAll(() => destroyRoadThreads());

const random = createRandom(11);
const points = Array.from({ length: 40 }, () => {
  const { longitude, latitude } = townPlace(random.below(100 * TOWN.columns) / 100, random.below(100 * TOWN.rows) / 100);
  return [longitude, latitude] as const;
});

const van = { kind: 'car' as const };
const truck = { kind: 'truck' as const, heightCentimetres: 380, weightKilograms: 12_000 };
const lowTruck = { kind: 'truck' as const };

/** The same by plain searches over the same map. */
function plainly(vehicle: Vehicle) {
  const graph = vehicleGraph(dataset.map, vehicle);
  const places = points.map(([longitude, latitude]) => findPlace(graph, longitude, latitude, { metresMax }));
  return { graph, places, search: new JourneySearch(graph) };
}

describe.each([['a van', van], ['a heavy truck', truck], ['a truck without limits', lowTruck]])('for %s', (_name, vehicle) => {
  let roads: VehicleRoads;
  let places: (Place | null)[];
  beforeAll(async () => {
    roads = await dataset.for(vehicle);
    places = await roads.find(points, metresMax);
  });

  test('places are those of the map', () => {
    expect(places).toEqual(plainly(vehicle).places);
  });

  test('tables are those of plain searches', async () => {
    const wanted = plainly(vehicle).search.matrix(places as Place[]);
    const found = await roads.rectangle(places, places);
    expect([found!.seconds, found!.metres]).toEqual([wanted.seconds, wanted.metres]);
  });

  test('legs are those of the table, also from a place to itself and along one street', async () => {
    const pairs = places.flatMap((_from, from) => [from, (from * 7 + 3) % places.length, 5].map((to) => [from, to] as const));
    const table = (await roads.rectangle(places, places))!;
    const found = await roads.legs(pairs.map(([from, to]) => [places[from], places[to]]));
    expect([...found.seconds]).toEqual(pairs.map(([from, to]) => table.seconds[from * places.length + to]));
    expect([...found.metres]).toEqual(pairs.map(([from, to]) => table.metres[from * places.length + to]));
  });

  test('lines begin and end at their places and are as long as the table says', async () => {
    const pairs = places.map((_place, nth) => [nth, (nth * 11 + 4) % places.length] as const);
    const lines = await roads.lines(pairs.map(([from, to]) => [places[from], places[to]]));
    const { seconds, metres } = await roads.legs(pairs.map(([from, to]) => [places[from], places[to]]));
    for (const [nth, [from, to]] of pairs.entries()) {
      const line = lines[nth];
      expect(line === null).toBe(seconds[nth] >= 0x3fffffff);
      if (line === null) continue;
      expect([line.coordinates[0], line.coordinates.at(-1)]).toEqual([places[from], places[to]].map((place) => [place!.longitude, place!.latitude]));
      expect(Math.abs(lengthOf(line.coordinates) - metres[nth])).toBeLessThan(2 + 0.001 * metres[nth]);
    }
  });
});

function lengthOf(line: readonly (readonly [number, number])[]): number {
  const radians = Math.PI / 180;
  return line.slice(1).reduce((sum, [longitude, latitude], nth) => {
    const [before, north] = line[nth];
    const x = (longitude - before) * radians * Math.cos(((latitude + north) / 2) * radians);
    return sum + 6_371_008.8 * Math.hypot(x, (latitude - north) * radians);
  }, 0);
}

test('what serves both kinds of vehicles takes less than four times the memory that its files take on the disk', async () => {
  const files = filesIn(directory);
  const onDisk = [files.map, files.hierarchy('car'), files.hierarchy('truck')].reduce((sum, file) => sum + statSync(file).size, 0);
  const [car, truckOfAnySize] = await Promise.all([dataset.for(van), dataset.for(lowTruck)]);
  expect(dataset.map.buffer.byteLength + car.bytes + truckOfAnySize.bytes).toBeLessThan(4 * onDisk);
});

test('vehicles that the same limits stop have the same roads', () => {
  expect(dataset.keyOf(truck)).not.toBe(dataset.keyOf(lowTruck));
  expect(dataset.keyOf({ ...truck, weightKilograms: 12_001 })).toBe(dataset.keyOf(truck));
  expect(dataset.for({ ...truck, weightKilograms: 12_001 })).toBe(dataset.for(truck));
});

test('a point far from all roads has no place, and nobody gets there', async () => {
  const roads = await dataset.for(van);
  const [far, near] = await roads.find([[TOWN.west - 1, TOWN.south], points[0]], metresMax);
  expect(far).toBeNull();
  const { seconds } = (await roads.rectangle([far, near], [far, near]))!;
  expect([...seconds]).toEqual([0x3fffffff, 0x3fffffff, 0x3fffffff, 0]);
  expect([...(await roads.legs([[far, near], [near, near]])).seconds]).toEqual([0x3fffffff, 0]);
  expect(await roads.lines([[near, far]])).toEqual([null]);
});

test('building tells how far it is', () => {
  const fractions = said.map(([fraction]) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions[0]).toBeLessThan(0.1);
  expect(fractions.at(-1)).toBe(1);
  expect(new Set(said.map(([, message]) => message)).size).toBeGreaterThan(5);
});

test('a damaged file is refused, and a missing hierarchy is made anew', async () => {
  const other = join(temporaryFolder(), 'dataset');
  buildDataset(writeOsmFile(osmTown()), other);
  const { hierarchy } = filesIn(other);
  const bytes = readFileSync(hierarchy('car'));
  writeFileSync(hierarchy('car'), bytes.with(bytes.length >> 1, bytes[bytes.length >> 1] ^ 1));
  await expect((await openDataset(other)).for(van)).rejects.toThrow('damaged');
  writeFileSync(hierarchy('car'), 'not one');
  await expect((await openDataset(other)).for(van)).rejects.toThrow('not a hierarchy');
  const map = readFileSync(filesIn(other).map);
  writeFileSync(filesIn(other).map, map.with(map.length >> 1, map[map.length >> 1] ^ 1));
  await expect(openDataset(other)).rejects.toThrow(RoadMapError);
  writeFileSync(filesIn(other).map, map);
  rmSync(hierarchy('car'));
  expect(existsSync(hierarchy('truck'))).toBe(true);
  const [wanted, found] = await Promise.all([dataset, await openDataset(other)].map(async (each) => {
    const roads = await each.for(van);
    const places = await roads.find(points, metresMax);
    return [...(await roads.rectangle(places, places))!.seconds];
  }));
  expect(found).toEqual(wanted);
});

test('of those who will drive here the most frequent that limits apply to find their roads ready', async () => {
  const other = join(temporaryFolder(), 'dataset');
  const high = { kind: 'car' as const, heightCentimetres: 300 };
  buildDataset(writeOsmFile(osmTown({ hasNarrows: true })), other, undefined, { vehicles: [van, truck, high, { ...truck, weightKilograms: 7_500 }, van] });
  const opened = await openDataset(other);
  const { hierarchy } = filesIn(other);
  expect(opened.keyOf(truck)).toBe(opened.keyOf({ ...truck, weightKilograms: 7_500 }));
  expect([van, lowTruck, truck, high, { ...truck, heightCentimetres: 250 }].map((vehicle) => existsSync(hierarchy(opened.keyOf(vehicle))))).toEqual([true, true, true, true, false]);
  const seconds = async (from: RoadDataset) => {
    const roads = await from.for(truck);
    const places = await roads.find(points, metresMax);
    return [...(await roads.rectangle(places, places))!.seconds];
  };
  const ready = await seconds(opened);
  writeFileSync(hierarchy(opened.keyOf(truck)), 'not one');
  await expect(seconds(await openDataset(other))).rejects.toThrow('not a hierarchy');
  rmSync(hierarchy(opened.keyOf(truck)));
  expect(await seconds(await openDataset(other))).toEqual(ready);
});
