import { FLAG } from './compiled.ts';
import type { State, Sum } from './state.ts';

/** The objective inside the search: `rank` decides first, then `cost`, then `tie`, then `other`; less is better. */
export interface SearchValue {
  rank: number;
  cost: number;
  tie: number;
  other: number;
}

/** Tasks, breaks and mandatory ones are counted in one exact double: fewer than 2^17 of each. */
const STEP = 0x20000;

export function readValue(state: State, value: SearchValue): void {
  const { sum } = state;
  const countsFirst = state.compiled.countsServedFirst === 1;
  value.rank = rankOfSum(sum) - (countsFirst ? 0 : sum.unserved);
  value.cost = countsFirst ? sum.travel : sum.travel + sum.alone;
  value.tie = countsFirst ? 0 : sum.unserved;
  value.other = sum.other;
}

export function valueOf(state: State): SearchValue {
  const value = worstValue();
  readValue(state, value);
  return value;
}

/** The rank with `most_served`. */
export function rankOfSum({ mandatory, breaks, unserved }: Sum): number {
  return (mandatory * STEP + breaks) * STEP + unserved;
}

/** How much of it is one task that is left out. */
export function rankOf(flags: number): number {
  return 1 + (flags & FLAG.isBreak ? STEP : 0) + (flags & (FLAG.isMandatory | FLAG.isPinned) ? STEP ** 2 : 0);
}

export function isBetter(a: SearchValue, b: SearchValue): boolean {
  if (a.rank !== b.rank) return a.rank < b.rank;
  if (a.cost !== b.cost) return a.cost < b.cost;
  if (a.tie !== b.tie) return a.tie < b.tie;
  return a.other < b.other;
}

export function copyValue(from: SearchValue, to: SearchValue): void {
  to.rank = from.rank;
  to.cost = from.cost;
  to.tie = from.tie;
  to.other = from.other;
}

export function worstValue(): SearchValue {
  return { rank: Infinity, cost: Infinity, tie: Infinity, other: Infinity };
}
