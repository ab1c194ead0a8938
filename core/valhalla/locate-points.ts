import type { Profile } from './profile.ts';
import type { Point, Snapped } from './queries.ts';
import type { QueryEngine } from './query-engine.ts';

export interface LocateOptions {
  profile: Profile;
  /** A point farther than this from any road that the profile may use is at none. */
  limitMetres: number;
  signal?: AbortSignal;
}

/** A tenth of a millisecond each. */
const POINTS_PER_REQUEST = 500;

export async function locatePoints(engine: QueryEngine, points: readonly Point[], { profile, limitMetres, signal }: LocateOptions): Promise<(Snapped | null)[]> {
  checkPoints(points);
  const found: (Snapped | null)[] = [];
  for (let first = 0; first < points.length; first += POINTS_PER_REQUEST) {
    const some = points.slice(first, first + POINTS_PER_REQUEST);
    found.push(...await engine.ask({ kind: 'locate', points: some, profile, limitMetres }, signal));
  }
  return found;
}

function checkPoints(points: readonly Point[]): void {
  for (const [i, [longitude, latitude]] of points.entries()) {
    if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) throw new RangeError(`point ${i} is not on the Earth: ${longitude}, ${latitude}`);
  }
}
