import type { Reach } from '../roads/reach.ts';
import { UNREACHABLE } from '../roads/travel-matrix.ts';
import type { RoadNetwork } from './active-network.ts';
import { recentlyUsed, type RecentlyUsed } from './recently-used.ts';

export interface KnownLeg {
  seconds: number;
  metres: number;
}

/** Travel on one network that is computed once and remembered in this process. */
export interface KnownTravel {
  /** From a node to all others and back: two searches when the node is new. */
  reach(node: number): Promise<Reach>;
  /** Makes sure that single legs are known. */
  learn(pairs: Iterable<readonly [from: number, to: number]>): Promise<void>;
  /** A leg that has been learned; UNREACHABLE where there is no way. */
  leg(from: number, to: number): KnownLeg;
}

/** Networks of which something is remembered. */
const networksMax = 8;
const reachBytesMax = 64 * 1024 * 1024;
const legsMax = 200_000;

const known = recentlyUsed<string, KnownTravel>(networksMax);

/** What is remembered of a network. It is found by the network's version, so that a change of the roads can never be missed. */
export function knownTravel(network: RoadNetwork): KnownTravel {
  const there = known.get(network.version);
  if (there !== undefined) return there;
  const travel = emptyTravel(network);
  known.set(network.version, travel);
  return travel;
}

function emptyTravel(network: RoadNetwork): KnownTravel {
  /** Two rows of two numbers for each node. */
  const bytesPerReach = 16 * network.nodeCount;
  const reaches: RecentlyUsed<number, Promise<Reach>> = recentlyUsed(Math.max(4, Math.floor(reachBytesMax / 2 / bytesPerReach)));
  const legs = recentlyUsed<number, KnownLeg>(legsMax);
  const keyOf = (from: number, to: number) => from * network.nodeCount + to;
  return {
    reach(node) {
      const asked = reaches.get(node);
      if (asked !== undefined) return asked;
      const reach = network.reach(node);
      reaches.set(node, reach);
      reach.catch(() => reaches.delete(node));
      return reach;
    },
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
