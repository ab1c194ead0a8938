import { FLAG } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import type { State } from './state.ts';

/** May this task be in this slot at all: shift, load and hours, whatever else is in it? */
export function mayServe(state: State, task: number, slot: number): boolean {
  const { compiled } = state;
  return isAllowed(compiled, task, compiled.slotShift[slot])
    && compiled.demand[task] <= state.slotRoom[slot]
    && state.windowLatest[task] >= state.slotOpens[slot]
    && state.windowStart[task] + state.duration[task] <= state.slotCloses[slot];
}

export function isAllowed({ flags, allowed, allowedWords }: Compiled, task: number, shift: number): boolean {
  return (flags[task] & FLAG.isRestricted) === 0 || (allowed[task * allowedWords + (shift >> 5)] >>> (shift & 31) & 1) === 1;
}
