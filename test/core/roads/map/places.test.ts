import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { roadMapOf } from '../../../../core/roads/map/build-road-map.ts';
import { journeyLine } from '../../../../core/roads/map/journey-line.ts';
import { JourneySearch } from '../../../../core/roads/map/journey-search.ts';
import { directWays, findPlace, travelAlongEdge } from '../../../../core/roads/map/places.ts';
import type { Place } from '../../../../core/roads/map/places.ts';
import { vehicleGraph, vehicleGraphFromBuffer, vehicleKey } from '../../../../core/roads/map/vehicle-graph.ts';
import { writeOsmFile } from '../../../support/osm-files.ts';
import { osmTown, townPlace } from '../../../support/osm-town.ts';
import { littleMap, STEP } from './little-map.ts';

const town = roadMapOf(writeOsmFile(osmTown())).map;
const graph = vehicleGraph(town, { kind: 'car' });

describe('a place', () => {
  test('is the nearest point of a road, with its distance', () => {
    const { map } = littleMap('a b c', { ways: { abc: {} } });
    const place = findPlace(vehicleGraph(map, { kind: 'car' }), 0.5 * STEP, 0.1 * STEP)!;
    expect(place.longitude).toBeCloseTo(0.5 * STEP, 7);
    expect(place.latitude).toBe(0);
    expect(place.metres).toBeCloseTo(10, 2);
    expect(place.directions.map(({ centimetres }) => centimetres).toSorted((a, b) => a - b)).toEqual([5000, 15_000]);
  });

  test('is none where no road is near enough', () => {
    const { map } = littleMap('a b', { ways: { ab: {} } });
    const little = vehicleGraph(map, { kind: 'car' });
    expect(findPlace(little, 0, 3 * STEP)!.metres).toBeCloseTo(300, 1);
    expect(findPlace(little, 0, 3 * STEP, { metresMax: 299 })).toBeNull();
    expect(findPlace(little, 0, 30 * STEP)).toBeNull();
    expect(findPlace(little, 120, -45)).toBeNull();
  });

  test('is on the nearest road of all that a slow search looks at', () => {
    const coordinate = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true });
    const [low, high] = [townPlace(-8, -3), townPlace(31, 14)];
    fc.assert(fc.property(coordinate(low.longitude, high.longitude), coordinate(low.latitude, high.latitude), fc.constantFrom(0, 100, 500), (longitude, latitude, betterWithinMetres) => {
      const place = findPlace(graph, longitude, latitude, { betterWithinMetres, metresMax: 700 });
      expect(place && [place.edge, place.metres]).toEqual(slowPlace(longitude, latitude, betterWithinMetres, 700));
    }), { numRuns: 300 });
  });

  test('is rather on roads that hang together with the rest, if they are not much farther', () => {
    const rest = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`${String.fromCharCode(97 + i)}${String.fromCharCode(98 + i)}`, {}]));
    const picture = `${'abcdefghijklmnopqrstuvwxyz'.split('').join(' ')}\n\nA B`;
    // Fifty directed edges are the largest part; that beside them is an island.
    const { map } = littleMap(picture, { ways: { ...rest, AB: {} } });
    const little = vehicleGraph(map, { kind: 'car' });
    const onIsland = (place: Place | null) => place!.latitude < -1.5 * STEP;
    const point = (metres: number): [number, number] => [0.5 * STEP, (-metres / 100) * STEP];
    expect(onIsland(findPlace(little, ...point(120)))).toBe(false);
    expect(onIsland(findPlace(little, ...point(160)))).toBe(true);
    expect(onIsland(findPlace(little, ...point(160), { betterWithinMetres: 200 }))).toBe(false);
  });

  test('is rather beside a motorway or above a tunnel than on it', () => {
    for (const tags of [{ highway: 'motorway' }, { highway: 'primary', tunnel: 'yes' }] as Record<string, string>[]) {
      const map = littleMap('a b\nc d', { ways: { ab: { ...tags, oneway: 'no' }, cd: {}, ac: {}, bd: {} } });
      expect(map.place('cd').latitude).toBeCloseTo(-STEP, 7);
      const place = findPlace(vehicleGraph(map.map, { kind: 'car' }), 0.5 * STEP, -0.3 * STEP)!;
      expect(place.latitude).not.toBeCloseTo(0, 7);
    }
  });

  test('ahead on the same street is driven to directly, one behind on a one-way street all around', () => {
    const map = littleMap('x a b\n  d c', { ways: { xa: {}, abcda: { oneway: 'yes' } } });
    const [first, second] = [findPlace(vehicleGraph(map.map, { kind: 'car' }), 1.2 * STEP, 0)!, findPlace(vehicleGraph(map.map, { kind: 'car' }), 1.8 * STEP, 0)!];
    expect(travelAlongEdge(first, second)).toMatchObject({ centimetres: 6000 });
    expect(travelAlongEdge(second, first)).toBeNull();
    const search = new JourneySearch(vehicleGraph(map.map, { kind: 'car' }));
    expect(search.journey(first, second)!.centimetres).toBe(6000);
    expect(Math.abs(search.journey(second, first)!.centimetres - 34_000)).toBeLessThan(3);
    expect(directWays([first, second], [first, second]).map(({ source, target, centimetres }) => [source, target, centimetres])).toEqual([[0, 0, 0], [0, 1, 6000], [1, 1, 0]]);
  });

  test('splits the time of its street without loss', () => {
    const map = littleMap('a b', { ways: { ab: { maxspeed: '37' } } });
    const little = vehicleGraph(map.map, { kind: 'car' });
    const places = [0, 0.1, 0.33, 0.5, 0.77, 1].map((share) => findPlace(little, share * STEP, 0)!);
    const matrix = (from: number, to: number) => new JourneySearch(little).journey(places[from], places[to])!;
    for (let i = 0; i < places.length; i++) for (let j = i; j < places.length; j++) {
      const steps = Array.from({ length: j - i }, (_, k) => matrix(i + k, i + k + 1));
      expect(steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBe(matrix(i, j).milliseconds);
      expect(steps.reduce((sum, { centimetres }) => sum + centimetres, 0)).toBe(matrix(i, j).centimetres);
      expect([matrix(j, i).milliseconds, matrix(j, i).centimetres]).toEqual([matrix(i, j).milliseconds, matrix(i, j).centimetres]);
    }
  });
});

describe('a journey through the town', () => {
  const search = new JourneySearch(graph);
  const at = (column: number, row: number) => {
    const { longitude, latitude } = townPlace(column, row);
    return findPlace(graph, longitude, latitude)!;
  };

  test('has a line of its length from place to place', () => {
    fc.assert(fc.property(fc.double({ min: 0, max: 13, noNaN: true }), fc.double({ min: 0, max: 10, noNaN: true }), fc.double({ min: 0, max: 13, noNaN: true }), fc.double({ min: 0, max: 10, noNaN: true }), (a, b, c, d) => {
      const [from, to] = [at(a, b), at(c, d)];
      const journey = search.journey(from, to)!;
      const { coordinates } = journeyLine(graph, { from, to, ...journey });
      expect([coordinates[0], coordinates.at(-1)]).toEqual([[from.longitude, from.latitude], [to.longitude, to.latitude]]);
      expect(Math.abs(lengthOf(coordinates) - journey.centimetres / 100)).toBeLessThan(0.5);
    }), { numRuns: 100 });
  });

  test('leads over the ferry to the islet and back', () => {
    const [quay, islet] = [at(19, 2.3), at(28.5, 3.2)];
    for (const journey of [search.journey(quay, islet), search.journey(islet, quay)]) expect(journey!.milliseconds).toBeGreaterThan(720_000);
  });

  test('differs for those whom the bridge does not bear', () => {
    const [south, north] = [townPlace(4, 4.5), townPlace(4, 6.5)];
    const metres = (weightKilograms: number, kind: 'car' | 'truck') => {
      const vehicle = vehicleGraph(town, { kind, weightKilograms });
      const [from, to] = [south, north].map(({ longitude, latitude }) => findPlace(vehicle, longitude, latitude)!);
      return new JourneySearch(vehicle).journey(from, to)!.centimetres / 100;
    };
    expect(metres(2000, 'car')).toBeLessThan(310);
    expect(metres(7500, 'truck')).toBeGreaterThan(800);
  });

  test('of no length has a line of two positions', () => {
    const place = at(3, 3);
    const journey = search.journey(place, place)!;
    expect(journey).toMatchObject({ milliseconds: 0, centimetres: 0, nodes: [] });
    expect(journeyLine(graph, { from: place, to: place, ...journey }).coordinates).toHaveLength(2);
  });
});

describe('the graph of a vehicle', () => {
  test('is the same for all whom the map treats alike, and its key says so', () => {
    const key = (heightCentimetres: number | null, kind: 'car' | 'truck' = 'truck') => vehicleKey(town, { kind, heightCentimetres });
    expect([key(null), key(250), key(280), key(null, 'car')]).toEqual(['truck', 'truck', 'truck', 'car']);
    expect(key(281)).toBe(key(400));
    expect(key(281)).not.toBe(key(280));
  });

  test('goes to a thread as its buffer', () => {
    const vehicle = vehicleGraph(town, { kind: 'truck', heightCentimetres: 400, weightKilograms: 20_000 });
    const { buffer, ...copy } = vehicleGraphFromBuffer(vehicle.buffer, town, 'truck');
    const { buffer: original, ...whole } = vehicle;
    expect(copy).toEqual(whole);
    expect(buffer).toBe(original);
  });

  test('keeps to the rules of graphs: arcs ascend by head, none is double and none leads to where it began', () => {
    for (const vehicle of [graph, vehicleGraph(town, { kind: 'truck', heightCentimetres: 400 })]) {
      for (let node = 0; node < vehicle.nodeCount; node++) {
        const heads = vehicle.head.subarray(vehicle.firstArc[node], vehicle.firstArc[node + 1]);
        heads.forEach((head, i) => expect(head !== node && (i === 0 || head > heads[i - 1])).toBe(true));
      }
      expect(vehicle.firstArc[vehicle.nodeCount]).toBe(vehicle.arcCount);
    }
  });

  test('is refused where the map was built without the vehicle', () => {
    const { map } = roadMapOf(writeOsmFile(osmTown()), { kinds: ['car'] });
    expect(() => vehicleGraph(map, { kind: 'truck' })).toThrow('this road map was built without roads for a truck');
  });
});

/** Edge and metres of the place that `findPlace` should find, from all stretches of all roads. */
function slowPlace(longitude: number, latitude: number, betterWithinMetres: number, metresMax: number): [edge: number, metres: number] | null {
  const [x, y] = [Math.round(longitude * 1e7), Math.round(latitude * 1e7)];
  const north = (6_371_008.8 * Math.PI) / 180e7;
  const east = north * Math.cos((y / 1e7 / 180) * Math.PI);
  const best: Record<'any' | 'good', [edge: number, millimetres: number] | null> = { any: null, good: null };
  for (let edge = 0; edge < town.edgeCount; edge++) {
    const { stops } = town.graphs.car!;
    if (stops[edge] === 0) continue;
    for (let point = town.firstPoint[edge]; point < town.firstPoint[edge + 1] - 1; point++) {
      const [ax, ay, bx, by] = town.points.subarray(2 * point, 2 * point + 4);
      const [px, py, dx, dy] = [(x - ax) * east, (y - ay) * north, (bx - ax) * east, (by - ay) * north];
      const share = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
      const millimetres = Math.round(1000 * Math.hypot(px - share * dx, py - share * dy));
      for (const which of stops[edge] === 3 ? (['any', 'good'] as const) : (['any'] as const)) if (best[which] === null || millimetres < best[which][1]) best[which] = [edge, millimetres];
    }
  }
  const { any, good } = best;
  const found = any !== null && good !== null && good[1] <= any[1] + 1000 * betterWithinMetres && good[1] <= 1000 * metresMax ? good : any;
  return found !== null && found[1] <= 1000 * metresMax ? [found[0], found[1] / 1000] : null;
}

function lengthOf(coordinates: [number, number][]): number {
  return coordinates.slice(1).reduce((sum, [longitude, latitude], i) => {
    const [before] = [coordinates[i]];
    const east = (longitude - before[0]) * Math.cos((((latitude + before[1]) / 2) * Math.PI) / 180);
    return sum + ((6_371_008.8 * Math.PI) / 180) * Math.hypot(east, latitude - before[1]);
  }, 0);
}
