import { locatePoints } from './locate-points.ts';
import type { LocateOptions } from './locate-points.ts';
import { standIns } from './queries.ts';
import type { Leg, Point, Snapped } from './queries.ts';
import type { QueryEngine } from './query-engine.ts';

export interface Route {
  /** From each point to the next; null where there is no way, or no road near one of the two. */
  legs: (Leg | null)[];
  /** Where each point meets the roads. */
  points: (Snapped | null)[];
}

/** A request of so many legs takes less than a second on the extracts. */
const LEGS_PER_REQUEST = 25;

export async function routeThrough(engine: QueryEngine, points: readonly Point[], options: LocateOptions): Promise<Route> {
  const snapped = await locatePoints(engine, points, options);
  const ends = standIns(points, snapped);
  const legs: (Leg | null)[] = [];
  for (const { first, end } of stretches(snapped)) {
    while (legs.length < first) legs.push(null);
    for (let from = first; from < end; from += LEGS_PER_REQUEST) {
      legs.push(...await legsOf(engine, ends.slice(from, Math.min(end, from + LEGS_PER_REQUEST) + 1), options));
    }
  }
  while (legs.length < points.length - 1) legs.push(null);
  return { legs, points: snapped };
}

/** Where both ends of every leg meet a road: from point `first` to point `end`. */
function stretches(snapped: (Snapped | null)[]): { first: number; end: number }[] {
  const found: { first: number; end: number }[] = [];
  for (let i = 1; i < snapped.length; i++) {
    if (!snapped[i - 1] || !snapped[i]) continue;
    const last = found.at(-1);
    if (last?.end === i - 1) last.end = i;
    else found.push({ first: i - 1, end: i });
  }
  return found;
}

/** One leg without a way fails a whole request: halving finds it. */
async function legsOf(engine: QueryEngine, points: readonly Point[], options: LocateOptions): Promise<(Leg | null)[]> {
  const { profile, limitMetres, signal } = options;
  const legs = await engine.ask({ kind: 'route', points, profile, limitMetres }, signal);
  if (legs !== null) return legs;
  if (points.length === 2) return [null];
  const middle = points.length >> 1;
  return [...await legsOf(engine, points.slice(0, middle + 1), options), ...await legsOf(engine, points.slice(middle), options)];
}
