import type { Profile } from './profile.ts';

/** [longitude, latitude], in degrees. */
export type Point = readonly [longitude: number, latitude: number];

/** Where a point meets the roads. */
export interface Snapped {
  longitude: number;
  latitude: number;
  /** From the point, along the surface. */
  metres: number;
  /** Where journeys begin and end in its stead: see `stepAside`. */
  instead?: Point;
}

/** Where to set out and arrive. */
export const standIns = (points: readonly Point[], snapped: readonly (Snapped | null)[]): Point[] => points.map((point, i) => snapped[i]?.instead ?? point);

export interface Leg {
  /** Rounded up. */
  seconds: number;
  metres: number;
  /** From where the first point meets the roads to where the second does. */
  geometry: [longitude: number, latitude: number][];
}

/** What goes to the process that answers, and what comes back. Points are at most `limitMetres` from a road, or without an answer. */
export type Query = { profile: Profile; limitMetres: number } & (
  | { kind: 'locate'; points: readonly Point[] }
  | { kind: 'matrix'; sources: readonly Point[]; targets: readonly Point[] }
  | { kind: 'route'; points: readonly Point[] }
);

export interface Answers {
  /** null for a point too far from any road of the profile. */
  locate: (Snapped | null)[];
  /** Row-major, by sources; UNREACHABLE where there is no way. `milliseconds` is how long the answer took. */
  matrix: { seconds: Int32Array; metres: Int32Array; milliseconds: number };
  /** Between consecutive points; null when there is no way along all of them. */
  route: Leg[] | null;
}

export type ToProcess = { id: number; query: Query };
export type FromProcess =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; answer: Answers[Query['kind']] }
  | { kind: 'refusal'; id: number; message: string };
