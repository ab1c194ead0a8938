import { UNREACHABLE } from '../roads/travel-matrix.ts';
import type { QueryEngine } from './query-engine.ts';
import type { Located, TravelTable, TravelTableOptions } from './travel-table.ts';

/** Ten milliseconds each on the extracts. */
const ROUTES_MAX = 200;

/**
 * What `route` can route the table must not call unreachable, and Valhalla's matrices have done so. Points that the same others reach,
 * and that reach the same others, are alike: those of one island, say. So one route settles each pair of islands; only where it finds a
 * way are the other pairs of the two looked at, one by one. The largest blocks come first, and after some routes the rest is believed.
 */
export async function recheckUnreachable(engine: QueryEngine, table: TravelTable, located: Located, options: TravelTableOptions): Promise<void> {
  let routesLeft = ROUTES_MAX;
  const isFound = async (source: number, target: number): Promise<boolean> => {
    routesLeft--;
    return writeRoute(engine, table, { located, source, target }, options);
  };
  for (const { sources, targets } of unreachableBlocks(table, located)) {
    if (routesLeft <= 0) return;
    const pairs = sources.flatMap((source) => targets.map((target) => [source, target] as const));
    const [first, ...others] = pairs;
    if (!await isFound(...first!)) continue;
    for (const pair of others) {
      if (routesLeft <= 0) return;
      await isFound(...pair);
    }
  }
}

interface Pair {
  located: Located;
  source: number;
  target: number;
}

async function writeRoute(engine: QueryEngine, table: TravelTable, { located, source, target }: Pair, { profile, limitMetres, signal }: TravelTableOptions): Promise<boolean> {
  const points = [located.points.sources[source]!, located.points.targets[target]!];
  const legs = await engine.ask({ kind: 'route', points, profile, limitMetres }, signal);
  if (legs === null) return false;
  const cell = source * table.targets.length + target;
  table.seconds[cell] = legs[0]!.seconds;
  table.metres[cell] = legs[0]!.metres;
  return true;
}

/** Sources and targets between which there is no way at all, the most pairs first. */
function unreachableBlocks(table: TravelTable, { sources, targets }: Located): { sources: number[]; targets: number[] }[] {
  const isUnreachable = (source: number, target: number) => table.seconds[source * table.targets.length + target] === UNREACHABLE;
  const sourceGroups = alike(sources, targets, isUnreachable);
  const targetGroups = alike(targets, sources, (target, source) => isUnreachable(source, target));
  return sourceGroups
    .flatMap((some) => targetGroups.map((others) => ({ sources: some, targets: others })))
    .filter((block) => isUnreachable(block.sources[0]!, block.targets[0]!))
    .sort((a, b) => b.sources.length * b.targets.length - a.sources.length * a.targets.length);
}

type Claim = (member: number, other: number) => boolean;

/** Members of which the same holds with regard to all others, together. */
function alike(members: number[], others: number[], claim: Claim): number[][] {
  return [...Map.groupBy(members, (member) => claimsOf(member, others, claim)).values()];
}

/** Fifteen claims in a character, so that the keys of a large table stay small. */
function claimsOf(member: number, others: number[], claim: Claim): string {
  let key = '';
  for (let first = 0; first < others.length; first += 15) {
    let bits = 0;
    for (let i = first; i < Math.min(first + 15, others.length); i++) bits = bits << 1 | Number(claim(member, others[i]!));
    key += String.fromCharCode(bits);
  }
  return key;
}
