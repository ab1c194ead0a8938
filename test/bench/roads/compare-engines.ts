import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { roadMapOf } from '../../../core/roads/map/build-road-map.ts';
import { journeyLine } from '../../../core/roads/map/journey-line.ts';
import { JourneySearch, type Journey } from '../../../core/roads/map/journey-search.ts';
import { findPlace, type Place } from '../../../core/roads/map/places.ts';
import { nodesOf, vehicleGraph, type VehicleGraph } from '../../../core/roads/map/vehicle-graph.ts';
import { buildTiles } from '../../../core/valhalla/build-tiles.ts';
import { openValhalla, type Valhalla } from '../../../core/valhalla/open-valhalla.ts';
import { pointsOnRoads } from './points-on-roads.ts';
import type { Trace } from './trace-process.ts';

const metresMax = 1_000;
const about = { profile: { costing: 'auto' }, limitMetres: metresMax } as const;

/**
 * The times of random pairs on `engine_b` against Valhalla's routes. The difference of a pair is taken apart: on our way both drive the same stretches, so
 * each kind of road and the turns have their share of it, and what Valhalla saves by its own way is the rest.
 */
export async function compareEngines(pbf: string, { pairs: count }: { pairs: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'milkrun-compare-roads-'));
  const tiles = join(folder, 'tiles');
  try {
    await buildTiles({ pbf, directory: tiles, memoryLimitMb: 4_000 });
    const graph = vehicleGraph(roadMapOf(pbf, { kinds: ['car'] }).map, { kind: 'car' });
    const points = pointsOnRoads(graph.map, 2 * count);
    const valhalla = openValhalla(tiles);
    const tracer = fork(fileURLToPath(new URL('./trace-process.ts', import.meta.url)), [tiles]);
    const search = new JourneySearch(graph);
    const pairs: Pair[] = [];
    for (let nth = 0; nth < count; nth++) pairs.push(await comparePair({ graph, search, valhalla, tracer }, points[2 * nth], points[2 * nth + 1]));
    tracer.disconnect();
    await valhalla.close();
    console.log(JSON.stringify({ map: basename(pbf), ...summaryOf(pairs) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Pair {
  /** Null where there is no way. */
  ours: number | null;
  theirs: number | null;
  /** Seconds that ours is slower by, by cause; null where our way is none to Valhalla. */
  causes: Map<string, number> | null;
  /** On our way, by kind of road. */
  roads: Map<string, { metres: number; ours: number; theirs: number }>;
  turns: { ours: number; theirs: number };
}

interface Engines {
  graph: VehicleGraph;
  search: JourneySearch;
  valhalla: Valhalla;
  tracer: ChildProcess;
}

type Point = [longitude: number, latitude: number];

async function comparePair({ graph, search, valhalla, tracer }: Engines, start: Point, end: Point): Promise<Pair> {
  const [from, to] = [start, end].map(([longitude, latitude]) => findPlace(graph, longitude, latitude, { metresMax }));
  const { legs: [leg] } = await valhalla.route([start, end], about);
  const journey = from && to && search.journey(from, to);
  const pair: Pair = { ours: journey && journey.milliseconds / 1_000, theirs: leg && leg.seconds, causes: null, roads: new Map(), turns: { ours: 0, theirs: 0 } };
  if (!journey || !leg) return pair;
  const trace = await traceOf(tracer, journeyLine(graph, { from, to, ...journey }).coordinates);
  if (trace === null) return pair;
  const pieces = piecesOf(graph, { from, to, journey });
  const scale = pieces.metres / trace.stretches.reduce((sum, { metres }) => sum + metres, 0);
  let metres = 0;
  for (const stretch of trace.stretches) {
    const road = pair.roads.get(stretch.road) ?? { metres: 0, ours: 0, theirs: 0 };
    road.metres += stretch.metres;
    road.ours += pieces.drivenBetween(metres, metres += stretch.metres * scale);
    road.theirs += stretch.seconds;
    pair.roads.set(stretch.road, road);
  }
  pair.turns = { ours: pieces.turnSeconds, theirs: trace.seconds - trace.stretches.reduce((sum, { seconds }) => sum + seconds, 0) };
  pair.causes = new Map([...pair.roads].map(([road, { ours, theirs }]) => [road, ours - theirs]));
  pair.causes.set('turns', pair.turns.ours - pair.turns.theirs).set('another way', trace.seconds - leg.seconds);
  return pair;
}

async function traceOf(tracer: ChildProcess, line: Point[]): Promise<Trace | null> {
  const answer = once(tracer, 'message') as Promise<[Trace | 'no way']>;
  tracer.send(line);
  const [found] = await answer;
  return found === 'no way' ? null : found;
}

/** The edges of a journey one after the other, and its turns. */
function piecesOf({ map, roads }: VehicleGraph, { from, to, journey: { firstDirected, nodes, milliseconds } }: { from: Place; to: Place; journey: Journey }) {
  const ends: { metres: number; seconds: number }[] = [{ metres: 0, seconds: 0 }];
  const add = (centimetres: number, driven: number) => {
    const last = ends.at(-1)!;
    ends.push({ metres: last.metres + centimetres / 100, seconds: last.seconds + driven / 1_000 });
  };
  const partOf = (place: Place, directed: number) => place.directions.find((direction) => direction.directed === directed)!;
  const start = partOf(from, firstDirected);
  const whole = (directed: number) => ({ centimetres: map.centimetres[directed >> 1], milliseconds: roads.milliseconds[nodesOf(roads, directed).plain] });
  let turnMilliseconds = 0;
  if (nodes.length === 0) {
    const end = partOf(to, firstDirected);
    add(end.centimetres - start.centimetres, end.milliseconds - start.milliseconds);
  } else {
    const first = whole(firstDirected);
    add(first.centimetres - start.centimetres, first.milliseconds - start.milliseconds);
    for (const node of nodes.slice(0, -1)) add(map.centimetres[roads.directedOf[node] >> 1], roads.milliseconds[node]);
    const end = partOf(to, roads.directedOf[nodes.at(-1)!]);
    add(end.centimetres, end.milliseconds);
    turnMilliseconds = milliseconds - 1_000 * ends.at(-1)!.seconds;
  }
  const secondsAt = (metres: number): number => {
    const after = ends.findIndex((end) => end.metres >= metres);
    if (after === -1) return ends.at(-1)!.seconds;
    if (after === 0) return 0;
    const [a, b] = [ends[after - 1], ends[after]];
    return a.seconds + (b.seconds - a.seconds) * (metres - a.metres) / (b.metres - a.metres);
  };
  return { metres: ends.at(-1)!.metres, turnSeconds: turnMilliseconds / 1_000, drivenBetween: (a: number, b: number) => secondsAt(b) - secondsAt(a) };
}

function summaryOf(pairs: readonly Pair[]) {
  const both = pairs.filter(({ ours, theirs }) => ours !== null && theirs !== null) as (Pair & { ours: number; theirs: number })[];
  const percent = both.map(percentOf);
  const seconds = both.map(({ ours, theirs }) => ours - theirs);
  const offTracks = both.filter((pair) => pair.causes !== null && ![...pair.roads.keys()].some((road) => road.startsWith('track')));
  const isLargeFrom = quantile(percent.map(Math.abs), 0.95);
  const large = both.filter((_, nth) => Math.abs(percent[nth]) >= isLargeFrom);
  const roads = Map.groupBy(both.flatMap((pair) => [...pair.roads]), ([road]) => road);
  const known = both.filter(({ causes }) => causes !== null);
  return {
    pairs: pairs.length, only_ours: pairs.filter(({ ours, theirs }) => ours !== null && theirs === null).length, only_valhalla: pairs.filter(({ ours, theirs }) => ours === null && theirs !== null).length,
    valhalla_seconds_median: round(quantile(both.map(({ theirs }) => theirs), 0.5)),
    percent: spreadOf(percent), seconds: spreadOf(seconds), without_tracks: { pairs: offTracks.length, percent: spreadOf(offTracks.map(percentOf)), seconds: spreadOf(offTracks.map(({ ours, theirs }) => ours - theirs)) },
    large_percent_from: round(isLargeFrom), large_slower: countsOf(large.filter(({ ours, theirs }) => ours > theirs)), large_faster: countsOf(large.filter(({ ours, theirs }) => ours < theirs)),
    turns_seconds_each_way: { ours: round(mean(known.map(({ turns }) => turns.ours))), valhalla: round(mean(known.map(({ turns }) => turns.theirs))) },
    roads_kmh: Object.fromEntries([...roads].map(([road, found]) => {
      const sum = (of: 'metres' | 'ours' | 'theirs') => found.reduce((total, [, each]) => total + each[of], 0);
      return [road, { km: round(sum('metres') / 1_000), ours: round(3.6 * sum('metres') / sum('ours')), valhalla: round(3.6 * sum('metres') / sum('theirs')) }] as const;
    }).sort(([, a], [, b]) => b.km - a.km)),
  };
}

const percentOf = ({ ours, theirs }: { ours: number; theirs: number }): number => 100 * (ours - theirs) / Math.max(1, theirs);

/** How many pairs have their largest part of the difference, in its direction, in each cause. */
function countsOf(pairs: readonly (Pair & { ours: number; theirs: number })[]): Record<string, number> {
  const counts = Map.groupBy(pairs, ({ ours, theirs, causes }) => {
    if (causes === null) return 'our way is closed to Valhalla';
    const sign = Math.sign(ours - theirs);
    return [...causes].reduce((most, each) => (sign * each[1] > sign * most[1] ? each : most))[0];
  });
  return Object.fromEntries([...counts].map(([cause, { length }]) => [cause, length] as const).sort(([, a], [, b]) => b - a));
}

const spreadOf = (differences: number[]) => ({ median: round(quantile(differences, 0.5)), median_size: round(quantile(differences.map(Math.abs), 0.5)), size_95th: round(quantile(differences.map(Math.abs), 0.95)) });
const quantile = (values: readonly number[], share: number): number => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
const round = (value: number): number => Math.round(value * 10) / 10;
