import { expect, test } from '@jest/globals';
import { contract } from '../../../../core/roads/hierarchy/contract.ts';
import { manyToMany } from '../../../../core/roads/hierarchy/many-to-many.ts';
import { placesOf } from '../../../../core/roads/hierarchy/places.ts';
import { roadMapOf } from '../../../../core/roads/map/build-road-map.ts';
import { journeyLine } from '../../../../core/roads/map/journey-line.ts';
import { JourneySearch } from '../../../../core/roads/map/journey-search.ts';
import { directWays, findPlace } from '../../../../core/roads/map/places.ts';
import type { Place } from '../../../../core/roads/map/places.ts';
import { vehicleGraph } from '../../../../core/roads/map/vehicle-graph.ts';
import type { VehicleGraph } from '../../../../core/roads/map/vehicle-graph.ts';
import { UNREACHABLE } from '../../../../core/roads/travel-matrix.ts';
import { randomFrom } from '../../../../scenarios/generator/random.ts';
import { describeExtracts, extractPath } from '../../../support/osm-files.ts';

/** Places near random points of roads: within some twenty metres. */
function randomPlaces(graph: VehicleGraph, count: number, seed = 42): Place[] {
  const random = randomFrom(seed);
  const { points } = graph.map;
  const noise = () => (random.below(4000) - 2000) / 1e7;
  return Array.from({ length: count }, () => {
    const at = 2 * random.below(points.length / 2);
    return findPlace(graph, points[at] / 1e7 + noise(), points[at + 1] / 1e7 + noise());
  }).filter((place) => place !== null);
}

describeExtracts('Malta', ['malta'], ([name]) => {
  const { map, summary } = roadMapOf(extractPath(name));
  const graph = vehicleGraph(map, { kind: 'car' });
  const search = new JourneySearch(graph);
  const valletta = findPlace(graph, 14.5136, 35.8989)!;
  const victoria = findPlace(graph, 14.2396, 36.0444)!;

  test('drives on the left', () => {
    expect(summary.drivingSide).toBe('left');
  });

  test('reaches Gozo by the ferry, and comes back', () => {
    for (const [from, to] of [[valletta, victoria], [victoria, valletta]]) {
      const journey = search.journey(from, to)!;
      const { coordinates } = journeyLine(graph, { from, to, ...journey });
      // From the quay at Cirkewwa to that at Mgarr.
      expect(coordinates.some(([, latitude], i) => i > 0 && Math.min(latitude, coordinates[i - 1][1]) < 36 && Math.max(latitude, coordinates[i - 1][1]) > 36.01)).toBe(true);
      expect(journey.milliseconds / 60_000).toBeGreaterThan(45);
      expect(journey.milliseconds / 60_000).toBeLessThan(90);
    }
  });

  test('a point at sea has no place', () => {
    expect(findPlace(graph, 14.7, 35.7)).toBeNull();
  });

  test('hangs together but for what no road leads to', () => {
    const good = randomPlaces(graph, 60).filter(({ edge }) => graph.roads.stops[edge] === 3);
    expect(good.length).toBeGreaterThan(50);
    expect(search.matrix(good).seconds.includes(UNREACHABLE)).toBe(false);
  });
});

describeExtracts('each extract', ['andorra', 'malta', 'porto'], (names) => {
  test.each(names)('%s uses nearly all of its turn restrictions', (name) => {
    const { summary } = roadMapOf(extractPath(name), { kinds: ['car'] });
    const { restrictionsUsed, restrictionGaps } = summary.graphs.car!;
    const unclear = (restrictionGaps.ambiguous ?? 0) + (restrictionGaps.incomplete ?? 0);
    expect(restrictionsUsed).toBeGreaterThan(50);
    expect(unclear).toBeLessThan(0.05 * restrictionsUsed);
  });
});

/** The largest takes a minute on a busy machine; `bench:roads` looks at all. */
describeExtracts('by hierarchy and by Dijkstra', ['andorra', 'malta'], (names) => {
  test.each(names)('%s has the same travel', (name) => {
    const { map } = roadMapOf(extractPath(name), { kinds: ['car'] });
    const graph = vehicleGraph(map, { kind: 'car' });
    const places = randomPlaces(graph, 40);
    const matrix = new JourneySearch(graph).matrix(places);
    const rectangle = manyToMany(contract(graph)!, {
      sources: placesOf(places.map(({ sources }) => sources)), targets: placesOf(places.map(({ targets }) => targets)), direct: directWays(places, places),
    })!;
    expect(Buffer.from(rectangle.seconds.buffer).equals(Buffer.from(matrix.seconds.buffer))).toBe(true);
    expect(Buffer.from(rectangle.metres.buffer).equals(Buffer.from(matrix.metres.buffer))).toBe(true);
  }, 120_000);
});
