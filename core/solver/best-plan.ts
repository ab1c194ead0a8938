import type { SearchProgress, SlotPlan } from './search.ts';
import { readValue, valueOf, worstValue } from './search-value.ts';
import type { SearchValue } from './search-value.ts';
import type { State, Sum } from './state.ts';

/** The best state so far, as a copy of its links. */
export interface Best {
  value: SearchValue;
  next: Int32Array;
  /** Takes the state as it is. */
  offer(): void;
  progress(iterations: number): SearchProgress;
  plan(): SlotPlan;
}

export function createBest(state: State): Best {
  const next = new Int32Array(state.nodeCount);
  const value = worstValue();
  const sum = { ...state.sum };
  return {
    value, next,
    offer() {
      readValue(state, value);
      next.set(state.next);
      Object.assign(sum, state.sum);
    },
    progress: (iterations) => ({ iterations, unserved: sum.unserved, ...travelsOf(state, sum) }),
    plan: () => ({ slots: slotsOf(state, next), value: { ...value }, unserved: sum.unserved, ...travelsOf(state, sum) }),
  };
}

/** The state's own plan. */
export function presentPlan(state: State): SlotPlan {
  return { slots: slotsOf(state, state.next), value: valueOf(state), unserved: state.sum.unserved, ...travelsOf(state, state.sum) };
}

function slotsOf(state: State, next: Int32Array): number[][] {
  return Array.from({ length: state.compiled.slotCount }, (_, slot) => {
    const tasks: number[] = [];
    for (let node = next[state.firstStart + slot]; node !== state.firstEnd + slot; node = next[node]) tasks.push(node);
    return tasks;
  });
}

function travelsOf({ compiled }: State, sum: Sum): { travelSeconds: number; travelMetres: number } {
  return compiled.metricIsMetres
    ? { travelMetres: sum.travel, travelSeconds: sum.other }
    : { travelSeconds: sum.travel, travelMetres: sum.other };
}
