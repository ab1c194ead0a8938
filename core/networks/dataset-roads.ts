import type { Location } from '../contract/schemas.ts';
import { openDataset, type Place, type RoadDataset } from '../roads/dataset/open-dataset.ts';
import type { TravelRow } from '../roads/reach.ts';
import { UNREACHABLE } from '../roads/travel-matrix.ts';
import { openValhalla, type Valhalla } from '../valhalla/open-valhalla.ts';
import type { Point } from '../valhalla/queries.ts';
import type { Profile } from '../valhalla/profile.ts';
import type { Line } from './road-network.ts';
import { sizeKey, type RoadUser } from './road-user.ts';
import { valhallaProfile } from './valhalla-profile.ts';

/** As far as a place may be from its road. */
export const roadMetresMax = 1_000;

/** Where a point meets the roads: what it is, only the engine knows. */
export type Spot = { metres: number } & ({ engine: 'built_in'; place: Place } | { engine: 'valhalla'; point: Point });

/** One dataset of a region, whichever engine reads it. */
export interface DatasetRoads {
  /** Vehicles with the same key use the same roads. */
  keyOf(user: RoadUser): string;
  /** Opened when they are first asked for something. */
  for(user: RoadUser): VehicleRoads;
  close(): Promise<void>;
}

/** Its roads as some vehicle may use them. Spots of one vehicle mean nothing for another. */
export interface VehicleRoads {
  /** Null for a point farther than `roadMetresMax` from any road. */
  locate(locations: readonly Location[]): Promise<(Spot | null)[]>;
  /** Row-major, from all to all; null when cancelled. */
  rectangle(from: readonly Spot[], to: readonly Spot[], cancel?: Int32Array): Promise<TravelRow | null>;
  legs(pairs: readonly (readonly [from: Spot, to: Spot])[]): Promise<TravelRow>;
  /** Null where there is no way. */
  lines(pairs: readonly (readonly [from: Spot, to: Spot])[]): Promise<(Line | null)[]>;
}

const placeOf = (spot: Spot): Place => (spot as Extract<Spot, { engine: 'built_in' }>).place;

export async function builtInRoads(directory: string): Promise<DatasetRoads> {
  const dataset = await openDataset(directory);
  return { keyOf: dataset.keyOf, for: (user) => builtInRoadsFor(() => dataset.for(user)), close: async () => {} };
}

function builtInRoadsFor(open: () => ReturnType<RoadDataset['for']>): VehicleRoads {
  const places = (pairs: readonly (readonly [Spot, Spot])[]) => pairs.map(([from, to]) => [placeOf(from), placeOf(to)] as const);
  return {
    async locate(locations) {
      const found = await (await open()).find(locations.map(({ longitude, latitude }) => [longitude, latitude] as const), roadMetresMax);
      return found.map((place) => place && { engine: 'built_in', place, metres: place.metres });
    },
    rectangle: async (from, to, cancel) => (await open()).rectangle(from.map(placeOf), to.map(placeOf), cancel ? { cancel } : {}),
    legs: async (pairs) => (await open()).legs(places(pairs)),
    lines: async (pairs) => (await (await open()).lines(places(pairs))).map((line) => line && line.coordinates),
  };
}

const pointOf = (spot: Spot): Point => (spot as Extract<Spot, { engine: 'valhalla' }>).point;
const cancelIsSeenMs = 200;

export async function valhallaRoads(directory: string): Promise<DatasetRoads> {
  const valhalla = openValhalla(directory);
  return {
    keyOf: (user) => sizeKey(seenByValhalla(user)),
    for: (user) => valhallaRoadsFor(valhalla, { profile: valhallaProfile(user), limitMetres: roadMetresMax }),
    close: () => valhalla.close(),
  };
}

/** Valhalla holds weights against trucks only. */
const seenByValhalla = (user: RoadUser): RoadUser => (user.kind === 'car' ? { ...user, weightKilograms: null } : user);

type About = { profile: Profile; limitMetres: number };

function valhallaRoadsFor(valhalla: Valhalla, about: About): VehicleRoads {
  return {
    async locate(locations) {
      const points = locations.map(({ longitude, latitude }): Point => [longitude, latitude]);
      const found = await valhalla.locate(points, about);
      return found.map((snapped, index) => snapped && { engine: 'valhalla', point: points[index], metres: snapped.metres });
    },
    rectangle: (from, to, cancel) => unlessCancelled(cancel, (signal) => rectangle(valhalla, from, to, { ...about, signal })),
    async legs(pairs) {
      const row: TravelRow = { seconds: new Int32Array(pairs.length).fill(UNREACHABLE), metres: new Int32Array(pairs.length).fill(UNREACHABLE) };
      // One source at a time with all that one goes to from there: a search for each of them anyway.
      for (const [from, indices] of Map.groupBy(pairs.keys(), (index) => pairs[index][0])) {
        const { seconds, metres } = await rectangle(valhalla, [from], indices.map((index) => pairs[index][1]), about);
        indices.forEach((index, nth) => {
          row.seconds[index] = seconds[nth];
          row.metres[index] = metres[nth];
        });
      }
      return row;
    },
    async lines(pairs) {
      const lines: (Line | null)[] = [];
      for (const chain of chainsOf(pairs)) lines.push(...(await valhalla.route(chain.map(pointOf), about)).legs.map((leg) => leg && leg.geometry));
      return lines;
    },
  };
}

async function rectangle(valhalla: Valhalla, from: readonly Spot[], to: readonly Spot[], about: About & { signal?: AbortSignal }): Promise<TravelRow> {
  const [sources, targets] = [from.map(pointOf), to.map(pointOf)];
  const { seconds, metres } = await valhalla.matrix(sources, from === to ? sources : targets, about);
  for (const [row, one] of from.entries()) {
    for (const [column, other] of to.entries()) if (pointOf(one) === pointOf(other)) seconds[row * to.length + column] = metres[row * to.length + column] = 0;
  }
  return { seconds, metres };
}

/** Legs that follow one another, as the points that they run through. */
function chainsOf(pairs: readonly (readonly [from: Spot, to: Spot])[]): Spot[][] {
  const chains: Spot[][] = [];
  for (const [from, to] of pairs) {
    if (chains.at(-1)?.at(-1) === from) chains.at(-1)!.push(to);
    else chains.push([from, to]);
  }
  return chains;
}

/** Runs with a signal that follows a flag in shared memory; null when it was set. */
async function unlessCancelled<T>(cancel: Int32Array | undefined, run: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const ending = new AbortController();
  const timer = cancel && setInterval(() => { if (Atomics.load(cancel, 0) !== 0) ending.abort(); }, cancelIsSeenMs);
  try {
    return await run(ending.signal);
  } catch (error) {
    if (ending.signal.aborted) return null;
    throw error;
  } finally {
    clearInterval(timer);
  }
}
