import { UNREACHABLE } from '../roads/travel-matrix.ts';
import { locatePoints } from './locate-points.ts';
import type { LocateOptions } from './locate-points.ts';
import { POINTS_MAX } from './config.ts';
import { standIns } from './queries.ts';
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
  /** Called with how many sources are done, of those at a road. */
  onProgress?: (done: number, all: number) => void;
}

/** The points of one table that meet a road, as places in it. */
export interface Located {
  points: { sources: readonly Point[]; targets: readonly Point[] };
  sources: number[];
  targets: number[];
}

/** A request should take about as long: no signal is seen meanwhile, and other requests wait. */
const REQUEST_MS = 1000;
/** At most as long, so that the deadline is far, for the sake of fewer requests: each takes all targets to their roads again. */
const REQUEST_MS_MAX = 4000;
const SEARCHES_MAX = 64;

/**
 * A request is some sources with all targets; how many follows from how long the former ones took. There are never more sources than
 * targets in one: Valhalla would search backwards then, which takes turns and ferries for something else than they cost (README.md). Points
 * without a road are found first: one of them would fail a whole request.
 */
export async function travelTable(engine: QueryEngine, points: Located['points'], options: TravelTableOptions): Promise<TravelTable> {
  if (Math.max(points.sources.length, points.targets.length) > POINTS_MAX) throw new RangeError(`a table has at most ${POINTS_MAX} points on a side`);
  const sources = await locatePoints(engine, points.sources, options);
  const targets = points.targets === points.sources ? sources : await locatePoints(engine, points.targets, options);
  const size = sources.length * targets.length;
  const table = { sources, targets, seconds: new Int32Array(size).fill(UNREACHABLE), metres: new Int32Array(size).fill(UNREACHABLE) };
  const from = standIns(points.sources, sources);
  const located = { points: { sources: from, targets: points.targets === points.sources ? from : standIns(points.targets, targets) }, sources: withRoad(sources), targets: withRoad(targets) };
  if (located.sources.length === 0 || located.targets.length === 0) return table;
  await fillTable(engine, table, located, options);
  if (hasUnreachable(table, located)) await recheckUnreachable(engine, table, located, options);
  return table;
}

const withRoad = (snapped: (Snapped | null)[]) => snapped.flatMap((each, i) => (each ? [i] : []));

/** More than the points without a road account for. */
function hasUnreachable(table: TravelTable, { sources, targets }: Located): boolean {
  let reachable = 0;
  for (const seconds of table.seconds) if (seconds < UNREACHABLE) reachable++;
  return reachable < sources.length * targets.length;
}

async function fillTable(engine: QueryEngine, table: TravelTable, located: Located, options: TravelTableOptions): Promise<void> {
  const { profile, limitMetres, signal, onProgress } = options;
  const { points, sources, targets } = located;
  // Nothing is known of these tiles: the first request is for one source.
  let millisecondsEach = REQUEST_MS_MAX;
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < sources.length) {
      signal?.throwIfAborted();
      const share = Math.ceil((sources.length - next) / engine.threads);
      const count = Math.min(targets.length, share, searchesFor(targets.length, millisecondsEach));
      const some = sources.slice(next, next += count);
      const answer = await engine.ask({
        kind: 'matrix', sources: some.map((i) => points.sources[i]!), targets: targets.map((i) => points.targets[i]!), profile, limitMetres,
      }, signal);
      write(table, { sources: some, targets }, answer);
      millisecondsEach = Math.max(0.1, answer.milliseconds / some.length);
      done += some.length;
      onProgress?.(done, sources.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: engine.threads }, work));
  } finally {
    // Where one fails the others have nothing left to do.
    next = sources.length;
  }
}

/** How many sources the next request should have, when each took so long in the last one. */
function searchesFor(targets: number, millisecondsEach: number): number {
  const wanted = REQUEST_MS / millisecondsEach;
  // With fewer than these, taking the targets to their roads is more than a tenth of the work on the extracts.
  const worthwhile = Math.min(4 + targets / 32, REQUEST_MS_MAX / millisecondsEach);
  return Math.floor(Math.max(1, Math.min(SEARCHES_MAX, Math.max(wanted, worthwhile))));
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
