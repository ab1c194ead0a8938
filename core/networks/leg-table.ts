import type { Location } from '../contract/schemas.ts';
import { UNREACHABLE } from '../roads/travel-matrix.ts';
import type { RoadNetwork } from './road-network.ts';
import { knownTravel } from './known-travel.ts';
import type { TravelTable } from './travel-table.ts';

/** A travel table of these legs only: for plans that stand, of which a matrix would be nearly all waste. */
export async function legTable(network: RoadNetwork, legs: Iterable<readonly [from: Location, to: Location]>): Promise<Pick<TravelTable, 'placeOf' | 'travel'>> {
  const known = knownTravel(network);
  const ends = [...legs];
  await network.find(ends.flat());
  await known.learn(ends.map(([from, to]) => [network.placeAt(from), network.placeAt(to)] as const));
  return {
    placeOf: network.placeAt,
    travel(from, to) {
      const { seconds, metres } = known.leg(from, to);
      return seconds >= UNREACHABLE ? null : { seconds, metres };
    },
  };
}
