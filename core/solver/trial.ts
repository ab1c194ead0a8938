import { insertionTravel, otherOf } from './place.ts';
import type { Place } from './place.ts';
import { refresh } from './refresh.ts';
import { arrive, fitInSlot } from './slot-times.ts';
import { link, unlink } from './state.ts';
import type { State } from './state.ts';

/** Tests a position by doing it and undoing it: slow and always exact. */
export function tryPosition(state: State, best: Place, task: number, after: number): void {
  const slot = state.slotOf[after];
  if (state.compiled.isOdd[state.compiled.slotShift[slot]] === 0 && (insertionTravel(state, task, after) > best.travel || !mayFollow(state, task, after))) return;
  const { travel, other } = state.sum;
  link(state, task, after);
  const isFeasible = refresh(state, slot);
  const moreTravel = state.sum.travel - travel;
  const moreOther = state.sum.other - other;
  unlink(state, task);
  if (!refresh(state, slot)) throw new Error('routes that were feasible no longer are');
  if (!isFeasible) return;
  if (moreTravel < best.travel || moreTravel === best.travel && moreOther < otherOf(state, best, task)) {
    best.after = after;
    best.travel = moreTravel;
    best.other = moreOther;
  }
}

/** Can it begin in its window behind `after`, and can its successor in its own? Whoever drives, what comes before `after` stays as it is. */
function mayFollow(state: State, task: number, after: number): boolean {
  const { ready, place, duration, windowStart, windowLatest, slotCloses, next, slotOf, compiled: { seconds, placeCount: size, slotMatrix } } = state;
  const slot = slotOf[after];
  const before = next[after];
  const base = slotMatrix[slot];
  const reached = Math.max(arrive(state, slot, ready[after], seconds[base + place[after] * size + place[task]]), windowStart[task]);
  const at = fitInSlot(state, slot, reached, duration[task]);
  if (at > windowLatest[task]) return false;
  return arrive(state, slot, at + duration[task], seconds[base + place[task] * size + place[before]]) <= (before < state.firstStart ? windowLatest[before] : slotCloses[slot]);
}
