import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { roadMapOf } from '../../../../core/roads/map/build-road-map.ts';
import { JourneySearch } from '../../../../core/roads/map/journey-search.ts';
import { findPlace } from '../../../../core/roads/map/places.ts';
import type { Place } from '../../../../core/roads/map/places.ts';
import type { RoadMap } from '../../../../core/roads/map/road-map.ts';
import { strongParts } from '../../../../core/roads/map/strong-parts.ts';
import { headingAtEnd, headingAtStart, turnDegrees, turnMilliseconds, U_TURN_MILLISECONDS } from '../../../../core/roads/map/turn-cost.ts';
import { nodesOf, vehicleGraph } from '../../../../core/roads/map/vehicle-graph.ts';
import { writeOsmFile } from '../../../support/osm-files.ts';
import type { OsmContent } from '../../../support/osm-files.ts';
import { STEP } from './little-map.ts';

const SIDE = 3;

interface Street {
  id: number;
  from: number;
  to: number;
  oneway: boolean;
  isPrivate: boolean;
  maxspeed: string;
}

interface Ban {
  kind: 'no' | 'only';
  streets: number[];
}

interface RandomMap {
  streets: Street[];
  bans: Ban[];
  content: OsmContent;
}

/** A small grid whose streets are each a way of one stretch, so that ways, edges and restrictions name the same things. */
function randomMaps({ withPrivate }: { withPrivate: boolean }): fc.Arbitrary<RandomMap> {
  const pairs = Array.from({ length: SIDE * SIDE }, (_, node) => [
    ...((node + 1) % SIDE === 0 ? [] : [[node, node + 1]]), ...(node + SIDE < SIDE * SIDE ? [[node, node + SIDE]] : []),
  ]).flat();
  const street = ([a, b]: number[], i: number) => fc.record({
    id: fc.constant(i + 1), isThere: fc.integer({ min: 0, max: 9 }).map((n) => n < 8), isTurned: fc.boolean(), oneway: fc.integer({ min: 0, max: 9 }).map((n) => n < 3),
    isPrivate: withPrivate ? fc.integer({ min: 0, max: 9 }).map((n) => n < 4) : fc.constant(false), maxspeed: fc.constantFrom('20', '30', '50'),
  }).map(({ isThere, isTurned, ...rest }) => ({ isThere, ...rest, from: isTurned ? b : a, to: isTurned ? a : b }));
  return fc.tuple(fc.tuple(...pairs.map(street)), fc.array(fc.tuple(fc.constantFrom('no' as const, 'no' as const, 'only' as const), fc.array(fc.nat(), { minLength: 4, maxLength: 5 })), { maxLength: 6 })).map(([all, picks]) => {
    const streets: Street[] = all.filter(({ isThere }) => isThere);
    const bans = picks.flatMap(([kind, choice]) => banFrom(streets, kind, choice) ?? []);
    return { streets, bans, content: contentOf(streets, bans) };
  }).filter(({ streets }) => streets.length > 2);
}

/** A walk of two to four different streets, as the numbers choose. */
function banFrom(streets: Street[], kind: Ban['kind'], choice: number[]): Ban | null {
  if (streets.length === 0) return null;
  const length = 2 + (choice[0] % 3);
  let street = streets[choice[1] % streets.length];
  let at = choice[0] % 2 === 0 ? street.to : street.from;
  const path = [street.id];
  for (let i = 2; path.length < length && i < choice.length; i++) {
    const options = streets.filter(({ id, from, to }) => !path.includes(id) && (from === at || to === at));
    if (options.length === 0) return null;
    street = options[choice[i] % options.length];
    path.push(street.id);
    at = street.from === at ? street.to : street.from;
  }
  return path.length === length ? { kind, streets: path } : null;
}

function contentOf(streets: Street[], bans: Ban[]): OsmContent {
  const node = (index: number) => index + 1;
  return {
    nodes: Array.from({ length: SIDE * SIDE }, (_, i) => ({ id: node(i), longitude: (i % SIDE) * STEP * (1 + (i % 2) / 10), latitude: Math.floor(i / SIDE) * STEP })),
    ways: streets.map(({ id, from, to, oneway, isPrivate, maxspeed }) => ({
      id, refs: [node(from), node(to)], tags: { highway: 'residential', maxspeed, ...(oneway && { oneway: 'yes' }), ...(isPrivate && { access: 'private' }) },
    })),
    relations: bans.map(({ kind, streets: path }, i) => ({
      id: i + 1, tags: { type: 'restriction', restriction: kind === 'no' ? 'no_left_turn' : 'only_left_turn' },
      members: [
        { type: 'way' as const, id: path[0], role: 'from' },
        ...(path.length > 2 ? path.slice(1, -1).map((id) => ({ type: 'way' as const, id, role: 'via' })) : [{ type: 'node' as const, id: node(common(streets, path[0], path[1])), role: 'via' }]),
        { type: 'way' as const, id: path.at(-1)!, role: 'to' },
      ],
    })),
  };
}

function common(streets: Street[], a: number, b: number): number {
  const [one, two] = [a, b].map((id) => streets.find((street) => street.id === id)!);
  return [one.from, one.to].find((node) => node === two.from || node === two.to)!;
}

/** A street in a direction: its number, negative against its points. */
type Drive = number;

/**
 * The same rules told differently: what may follow a whole history of streets, by looking at the bans themselves. Journeys are found by
 * Dijkstra's search over histories, which remember as many streets as the longest ban has.
 */
class SlowDriver {
  private readonly streets: Map<number, Street>;
  private readonly bans: { kind: Ban['kind']; drives: Drive[] }[];

  constructor({ streets, bans }: RandomMap) {
    this.streets = new Map(streets.map((street) => [street.id, street]));
    this.bans = bans.flatMap(({ kind, streets: path }) => {
      const drives = this.drivesAlong(path);
      return drives.every((drive) => this.mayDrive(drive)) ? [{ kind, drives }] : [];
    });
  }

  start(drive: Drive): number {
    const { from, to } = this.streets.get(Math.abs(drive))!;
    return drive > 0 ? from : to;
  }

  end(drive: Drive): number {
    return this.start(-drive);
  }

  mayDrive(drive: Drive): boolean {
    return drive > 0 || !this.streets.get(-drive)!.oneway;
  }

  all(): Drive[] {
    return [...this.streets.keys()].flatMap((id) => [id, -id]).filter((drive) => this.mayDrive(drive));
  }

  /** What may be driven after a history; turning back only where there is nothing else. */
  next(history: Drive[]): Drive[] {
    const last = history.at(-1)!;
    const following = this.all().filter((drive) => this.start(drive) === this.end(last));
    const allowed = following.filter((drive) => this.isAllowed(history, drive));
    const others = allowed.filter((drive) => drive !== -last);
    return others.length > 0 ? others : allowed;
  }

  private isAllowed(history: Drive[], next: Drive): boolean {
    const endsWith = (path: Drive[], tail: Drive[]) => tail.length <= path.length && tail.every((drive, i) => path[path.length - tail.length + i] === drive);
    if (this.bans.some(({ kind, drives }) => kind === 'no' && endsWith([...history, next], drives))) return false;
    const orders = this.bans.filter(({ kind, drives }) => kind === 'only' && endsWith(history, drives.slice(0, -1)));
    return Object.values(Object.groupBy(orders, ({ drives }) => drives.slice(0, -1).join())).every((group) => group!.some(({ drives }) => drives.at(-1) === next));
  }

  private drivesAlong(path: number[]): Drive[] {
    const streets = [...this.streets.values()];
    return path.map((id, i) => {
      const street = this.streets.get(id)!;
      const meeting = i < path.length - 1 ? common(streets, id, path[i + 1]) : common(streets, path[i - 1], id);
      const isForward = i < path.length - 1 ? street.to === meeting : street.from === meeting;
      return isForward ? id : -id;
    });
  }
}

/** The edge of each street in the map, forwards: found by its points. */
function edgesOfStreets({ streets, content }: RandomMap, map: RoadMap): Map<number, number> {
  const point = (node: number) => [content.nodes[node].longitude, content.nodes[node].latitude].map((value) => Math.round(value * 1e7)).join();
  const at = (i: number) => `${map.points[2 * i]},${map.points[2 * i + 1]}`;
  const edges = new Map(Array.from({ length: map.edgeCount }, (_, edge) => [`${at(map.firstPoint[edge])} ${at(map.firstPoint[edge + 1] - 1)}`, edge]));
  return new Map(streets.map(({ id, from, to }) => [id, edges.get(`${point(from)} ${point(to)}`)!]));
}

const HISTORY = 4;
/** Nowhere else, even if that street leads nowhere. */
const ON_THE_SPOT = { betterWithinMetres: 0 };

describe('on random maps', () => {
  test('journeys are the best of all that restrictions allow', () => {
    fc.assert(fc.property(randomMaps({ withPrivate: false }), fc.nat(), (random, pick) => {
      const { map } = roadMapOf(writeOsmFile(random.content), { kinds: ['car'], drivingSide: 'right' });
      const graph = vehicleGraph(map, { kind: 'car' });
      const search = new JourneySearch(graph);
      const edges = edgesOfStreets(random, map);
      const driver = new SlowDriver(random);
      const places = random.streets.map(({ from, to }) => {
        const [a, b] = [random.content.nodes[from], random.content.nodes[to]];
        return findPlace(graph, 0.6 * a.longitude + 0.4 * b.longitude, 0.6 * a.latitude + 0.4 * b.latitude, ON_THE_SPOT)!;
      });
      const from = pick % places.length;
      const best = slowJourneys(driver, map, { edges, start: random.streets[from].id, place: places[from] });
      for (const [to, place] of places.entries()) {
        const journey = search.journey(places[from], place);
        const expected = arrival(random.streets[to].id, place, { from: from === to ? place : null, best });
        expect(journey && [journey.milliseconds, journey.centimetres]).toEqual(expected);
      }
    }), { numRuns: 150 });
  });

  test('whatever is reached when private roads are open to all is reached as well when they are not', () => {
    fc.assert(fc.property(randomMaps({ withPrivate: true }), (random) => {
      const open: OsmContent = { ...random.content, ways: random.content.ways.map((way) => ({ ...way, tags: { ...way.tags, access: 'yes' } })) };
      const [closedMatrix, openMatrix] = [random.content, open].map((content) => {
        const { map } = roadMapOf(writeOsmFile(content), { kinds: ['car'], drivingSide: 'right' });
        const graph = vehicleGraph(map, { kind: 'car' });
        const places = random.streets.map(({ from, to }) => {
          const [a, b] = [random.content.nodes[from], random.content.nodes[to]];
          return findPlace(graph, (a.longitude + b.longitude) / 2, (a.latitude + b.latitude) / 2, ON_THE_SPOT)!;
        });
        return new JourneySearch(graph).matrix(places).seconds;
      });
      closedMatrix.forEach((seconds, i) => {
        if (openMatrix[i] < 0x3fffffff) expect(seconds).toBeLessThan(0x3fffffff);
      });
    }), { numRuns: 150 });
  });

  test('the parts that hang together are those that reach each other', () => {
    const graphs = fc.integer({ min: 1, max: 9 }).chain((count) => fc.record({
      count: fc.constant(count), arcs: fc.array(fc.tuple(fc.nat({ max: count - 1 }), fc.nat({ max: count - 1 })), { maxLength: 20 }), leftOut: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    }));
    fc.assert(fc.property(graphs, ({ count, arcs, leftOut }) => {
      const sorted = arcs.toSorted(([a], [b]) => a - b);
      const firstArc = Int32Array.from({ length: count + 1 }, (_, node) => sorted.filter(([tail]) => tail < node).length);
      const { partOf, sizes } = strongParts({ nodeCount: count, firstArc, head: Int32Array.from(sorted, ([, head]) => head) }, Uint8Array.from(leftOut, Number));
      const reach = Array.from({ length: count }, (_, i) => Array.from({ length: count }, (__, j) => i === j || arcs.some(([a, b]) => a === i && b === j)));
      const isThere = (node: number) => !leftOut[node];
      for (let k = 0; k < count; k++) for (let i = 0; i < count; i++) for (let j = 0; j < count; j++) if (isThere(k) && reach[i][k] && reach[k][j]) reach[i][j] = true;
      for (let i = 0; i < count; i++) {
        expect(partOf[i] === -1).toBe(leftOut[i]);
        if (isThere(i)) expect(sizes[partOf[i]]).toBe(partOf.filter((part) => part === partOf[i]).length);
        for (let j = 0; j < count; j++) if (isThere(i) && isThere(j)) expect(partOf[i] === partOf[j]).toBe(reach[i][j] && reach[j][i]);
      }
    }), { numRuns: 150 });
  });
});

type Way = [milliseconds: number, centimetres: number];

/** The least cost at the beginning of each street and direction, by history. */
function slowJourneys(driver: SlowDriver, map: RoadMap, { edges, start, place }: { edges: Map<number, number>; start: number; place: Place }): Map<Drive, Way> {
  const roads = map.graphs.car!;
  const directed = (drive: Drive) => 2 * edges.get(Math.abs(drive))! + (drive > 0 ? 0 : 1);
  const line = (drive: Drive) => {
    const edge = edges.get(Math.abs(drive))!;
    const points = map.points.slice(2 * map.firstPoint[edge], 2 * map.firstPoint[edge + 1]);
    return drive > 0 ? points : Int32Array.of(points[2], points[3], points[0], points[1]);
  };
  const meeting = (node: number) => new Set(driver.all().filter((drive) => driver.start(drive) === node || driver.end(drive) === node).map(Math.abs)).size;
  const turn = (a: Drive, b: Drive) => {
    if (b === -a) return U_TURN_MILLISECONDS.car + turnMilliseconds(180, 'car', 'right');
    const heading = (value: number) => Math.fround(value);
    return meeting(driver.end(a)) > 2 ? turnMilliseconds(turnDegrees(heading(headingAtEnd(line(a))), heading(headingAtStart(line(b)))), 'car', 'right') : 0;
  };
  const milliseconds = (drive: Drive) => roads.milliseconds[nodesOf(roads, directed(drive)).plain];
  const centimetres = (drive: Drive) => map.centimetres[directed(drive) >> 1];

  const open = new Map<string, { history: Drive[]; way: Way }>();
  const settled = new Set<string>();
  const best = new Map<Drive, Way>();
  const offer = (history: Drive[], way: Way) => {
    const key = history.join();
    if (settled.has(key)) return;
    const known = open.get(key);
    if (!known || isLess(way, known.way)) open.set(key, { history, way });
  };
  const expand = (history: Drive[], [ms, cm]: Way) => {
    for (const next of driver.next(history)) offer([...history, next].slice(-HISTORY), [ms + turn(history.at(-1)!, next), cm]);
  };
  for (const direction of place.directions) {
    const drive = direction.directed === directed(start) ? start : -start;
    expand([drive], [milliseconds(drive) - direction.milliseconds, centimetres(drive) - direction.centimetres]);
  }
  while (open.size > 0) {
    const [key, { history, way }] = [...open].reduce((least, each) => (isLess(each[1].way, least[1].way) ? each : least));
    open.delete(key);
    settled.add(key);
    const drive = history.at(-1)!;
    const known = best.get(drive);
    if (!known || isLess(way, known)) best.set(drive, way);
    expand(history, [way[0] + milliseconds(drive), way[1] + centimetres(drive)]);
  }
  return best;
}

function arrival(street: number, place: Place, { from, best }: { from: Place | null; best: Map<Drive, Way> }): Way | null {
  // To where one already is there is nothing to drive.
  if (from !== null) return [0, 0];
  let least: Way | null = null;
  for (const { directed, milliseconds, centimetres } of place.directions) {
    const way = best.get((directed & 1) === 0 ? street : -street);
    if (!way) continue;
    const total: Way = [way[0] + milliseconds, way[1] + centimetres];
    if (least === null || isLess(total, least)) least = total;
  }
  return least;
}

function isLess(a: Way, b: Way): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}
