import { UNREACHABLE } from '../roads/travel-matrix.ts';
import { locatePoints } from './locate-points.ts';
import type { LocateOptions } from './locate-points.ts';
import { POINTS_MAX } from './config.ts';
import type { Point, Snapped } from './queries.ts';
import type { QueryEngine } from './query-engine.ts';
import { recheckUnreachable } from './recheck-unreachable.ts';

/** Travel from sources to targets, row-major: `seconds[source * targets.length + target]`; UNREACHABLE where there is no way. */
export interface TravelTable {
  /** Rounded up. */
  seconds: Int32Array;
  /** Of the fastest way. */
  metres: Int32Array;
  /** Where each point meets the roads. What is null here is unreachable for that reason. */
  sources: (Snapped | null)[];
  targets: (Snapped | null)[];
}

export interface TravelTableOptions extends LocateOptions {
  /** Called with the searches done, of as many as there are points on the smaller side. */
  onProgress?: (done: number, all: number) => void;
}

/** The points of one table that meet a road, as places in it. */
export interface Located {
  points: { sources: readonly Point[]; targets: readonly Point[] };
  sources: number[];
  targets: number[];
}

/** A request should take about as long: no signal is seen meanwhile, and other requests wait. */
const REQUEST_MS = 500;
const SEARCHES_MAX = 64;

/**
 * Valhalla searches once for each point of the smaller side, and a request is some points of that side with all of the other. How many
 * follows from how long the former ones took. Points without a road are found first: one of them would fail a whole request.
 */
export async function travelTable(engine: QueryEngine, points: Located['points'], options: TravelTableOptions): Promise<TravelTable> {
  if (Math.max(points.sources.length, points.targets.length) > POINTS_MAX) throw new RangeError(`a table has at most ${POINTS_MAX} points on a side`);
  const sources = await locatePoints(engine, points.sources, options);
  const targets = points.targets === points.sources ? sources : await locatePoints(engine, points.targets, options);
  const size = sources.length * targets.length;
  const table = { sources, targets, seconds: new Int32Array(size).fill(UNREACHABLE), metres: new Int32Array(size).fill(UNREACHABLE) };
  const located = { points, sources: withRoad(sources), targets: withRoad(targets) };
  if (located.sources.length === 0 || located.targets.length === 0) return table;
  await fillTable(engine, table, located, options);
  await recheckUnreachable(engine, table, located, options);
  return table;
}

const withRoad = (snapped: (Snapped | null)[]) => snapped.flatMap((each, i) => (each ? [i] : []));

async function fillTable(engine: QueryEngine, table: TravelTable, located: Located, options: TravelTableOptions): Promise<void> {
  const { profile, limitMetres, signal, onProgress } = options;
  const searched = located.sources.length <= located.targets.length ? 'sources' : 'targets';
  const all = located[searched].length;
  let millisecondsEach = REQUEST_MS / 4;
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < all) {
      signal?.throwIfAborted();
      const count = Math.max(1, Math.min(SEARCHES_MAX, Math.floor(REQUEST_MS / millisecondsEach), Math.ceil((all - next) / engine.threads)));
      const part = { ...located, [searched]: located[searched].slice(next, next += count) };
      const answer = await engine.ask({
        kind: 'matrix', sources: part.sources.map((i) => located.points.sources[i]!), targets: part.targets.map((i) => located.points.targets[i]!), profile, limitMetres,
      }, signal);
      write(table, part, answer);
      millisecondsEach = Math.max(0.1, answer.milliseconds / part[searched].length);
      done += part[searched].length;
      onProgress?.(done, all);
    }
  };
  await Promise.all(Array.from({ length: engine.threads }, work));
}

function write(table: TravelTable, part: { sources: number[]; targets: number[] }, answer: { seconds: Int32Array; metres: Int32Array }): void {
  let at = 0;
  for (const source of part.sources) {
    for (const target of part.targets) {
      const cell = source * table.targets.length + target;
      table.seconds[cell] = answer.seconds[at]!;
      table.metres[cell] = answer.metres[at++]!;
    }
  }
}
