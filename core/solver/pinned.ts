import { FLAG } from './compiled.ts';
import { mayServe } from './eligibility.ts';
import { needsTrial, testPosition } from './insertion.ts';
import { resetPlace } from './place.ts';
import type { Finder } from './place.ts';
import { NONE } from './problem.ts';
import type { State } from './state.ts';
import { tryPosition } from './trial.ts';

/**
 * A pinned task keeps its shift and its order among the pinned ones there. In a shift of one slot it is never touched: everything
 * else moves around it. With several tours it may have to change its tour to make room, so it may be taken out and put back, unless only
 * one of them can serve it.
 */
export function mayLeave(state: State, task: number): boolean {
  const { flags, slotBegin } = state.compiled;
  if ((flags[task] & FLAG.isPinned) === 0) return true;
  if (flags[task] & FLAG.isFixed) return false;
  const shift = state.pinShift[task];
  return slotBegin[shift + 1] - slotBegin[shift] > 1;
}

/** The best place for a pinned task: behind the pinned ones that come before it in the plan, before those that come behind it. */
export function findPinned(state: State, finder: Finder, task: number): void {
  resetPlace(finder);
  const shift = state.pinShift[task];
  if (shift === NONE) return;
  const { slotBegin, flags, taskCount } = state.compiled;
  for (let slot = slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) {
    const serves = mayServe(state, task, slot);
    for (let after = state.firstStart + slot; after !== state.firstEnd + slot; after = state.next[after]) {
      if (after < taskCount && flags[after] & FLAG.isPinned) {
        if (state.pinRank[after] > state.pinRank[task]) return;
        resetPlace(finder);
      }
      if (!serves) continue;
      if (needsTrial(state, task, slot)) tryPosition(state, finder, task, after);
      else testPosition(state, finder, task, after);
    }
  }
}
