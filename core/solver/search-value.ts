import type { State } from './state.ts';

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
  const hard = (sum.mandatory * STEP + sum.breaks) * STEP;
  value.rank = countsFirst ? hard + sum.unserved : hard;
  value.cost = countsFirst ? sum.travel : sum.travel + sum.alone;
  value.tie = countsFirst ? 0 : sum.unserved;
  value.other = sum.other;
}

/** With `most_served`: a plan that leaves out more than so many tasks is worse in any case. */
export function unservedMax({ rank }: SearchValue): number {
  return rank < STEP ? rank : Infinity;
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
