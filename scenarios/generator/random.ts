/**
 * Numbers from a seed, the same on every machine: the generator mulberry32, whose steps are 32-bit integer operations.
 */
export interface Random {
  /** An integer from 0 to `end` - 1. */
  below: (end: number) => number;
  /** An integer from `least` to `most`, both included. */
  between: (least: number, most: number) => number;
  /** True in so many of a hundred cases. */
  chance: (percent: number) => boolean;
  pick: <T>(items: readonly T[]) => T;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (end: number) => next() % end;
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (percent) => below(100) < percent,
    pick: (items) => items[below(items.length)]!,
  };
}
