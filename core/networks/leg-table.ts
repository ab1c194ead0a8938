import type { Location } from '../contract/schemas.ts';
import { UNREACHABLE } from '../roads/travel-matrix.ts';
import type { RoadNetwork } from './active-network.ts';
import { knownTravel } from './known-travel.ts';
import type { TravelTable } from './travel-table.ts';

/** A travel table of these legs only: for plans that stand, of which a matrix would be nearly all waste. */
export async function legTable(network: RoadNetwork, legs: Iterable<readonly [from: Location, to: Location]>): Promise<Pick<TravelTable, 'placeOf' | 'travel'>> {
  const known = knownTravel(network);
  await known.learn([...legs].map(([from, to]) => [network.nodeAt(from), network.nodeAt(to)] as const));
  return {
    placeOf: network.nodeAt,
    travel(from, to) {
      const { seconds, metres } = known.leg(from, to);
      return seconds >= UNREACHABLE ? null : { seconds, metres };
    },
  };
}
