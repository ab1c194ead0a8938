import { UNREACHABLE } from '../roads/travel-matrix.ts';
import type { VehicleNetwork } from './road-network.ts';
import { recentlyUsed, type RecentlyUsed } from './recently-used.ts';

export interface KnownLeg {
  seconds: number;
  metres: number;
}

/** Legs on one network that are computed once and remembered in this process. */
export interface KnownTravel {
  /** Makes sure that single legs are known. */
  learn(pairs: Iterable<readonly [from: number, to: number]>): Promise<void>;
  /** A leg that has been learned; UNREACHABLE where there is no way. */
  leg(from: number, to: number): KnownLeg;
}

/** Networks of which something is remembered: those of each size of vehicle are their own. */
const networksMax = 16;
const legsMax = 100_000;
/** Places have smaller numbers than this, so that two of them make one exact number. */
export const placesMax = 2 ** 26;

const known = recentlyUsed<string, RecentlyUsed<number, KnownLeg>>(networksMax);

/** What is remembered of a network. It is found by its numbering, so that neither a change of the roads nor one of the places' numbers can be missed. */
export function knownTravel(network: VehicleNetwork): KnownTravel {
  const legs = known.get(network.numbering) ?? recentlyUsed(legsMax);
  known.set(network.numbering, legs);
  return travelOn(network, legs);
}

function travelOn(network: VehicleNetwork, legs: RecentlyUsed<number, KnownLeg>): KnownTravel {
  const keyOf = (from: number, to: number) => from * placesMax + to;
  return {
    async learn(pairs) {
      const unknown = new Map<number, readonly [number, number]>();
      for (const [from, to] of pairs) if (from !== to && legs.get(keyOf(from, to)) === undefined) unknown.set(keyOf(from, to), [from, to]);
      if (unknown.size === 0) return;
      const found = await network.legs([...unknown.values()]);
      [...unknown.keys()].forEach((key, index) => legs.set(key, { seconds: found.seconds[index], metres: found.metres[index] }));
    },
    leg(from, to) {
      if (from === to) return nowhere;
      const leg = legs.get(keyOf(from, to));
      if (leg === undefined) throw new Error('a leg has not been learned');
      return leg;
    },
  };
}

const nowhere: KnownLeg = { seconds: 0, metres: 0 };

export const isReachable = (leg: KnownLeg): boolean => leg.seconds < UNREACHABLE;
