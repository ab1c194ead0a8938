import { unavailable } from '../contract/errors.ts';
import type { Location } from '../contract/schemas.ts';
import { UNREACHABLE, type TravelMatrix } from '../roads/travel-matrix.ts';
import type { RoadNetwork } from './road-network.ts';

/** Places by number and the travel between them. Points that stand on the same place of the network are one. */
export interface TravelTable {
  networkVersion: string;
  matrix: TravelMatrix;
  placeOf(location: Location): number;
  /** Null where no road leads. */
  travel(from: number, to: number): { seconds: number; metres: number } | null;
}

/** Computes the travel between all these points. Null when cancelled. */
export async function travelTable(network: RoadNetwork, locations: Iterable<Location>, cancel?: Int32Array): Promise<TravelTable | null> {
  const all = [...locations];
  await network.find(all);
  const places = new Map<number, number>();
  for (const location of all) {
    const place = network.placeAt(location);
    if (!places.has(place)) places.set(place, places.size);
  }
  const matrix = await network.matrix([...places.keys()], cancel);
  if (matrix === null) return null;
  return {
    networkVersion: network.version,
    matrix,
    placeOf(location) {
      const place = places.get(network.placeAt(location));
      if (place === undefined) throw new Error('a point is not in the travel table');
      return place;
    },
    travel(from, to) {
      const seconds = matrix.seconds[from * matrix.size + to];
      return seconds >= UNREACHABLE ? null : { seconds, metres: matrix.metres[from * matrix.size + to] };
    },
  };
}

/** The same, where nobody can cancel. */
export async function travelBetween(network: RoadNetwork, locations: Iterable<Location>): Promise<TravelTable> {
  const table = await travelTable(network, locations);
  if (table === null) throw unavailable('the travel times could not be computed');
  return table;
}
