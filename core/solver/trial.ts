import { otherOf } from './place.ts';
import type { Place } from './place.ts';
import { refresh } from './refresh.ts';
import { link, unlink } from './state.ts';
import type { State } from './state.ts';

/** Tests a position by doing it and undoing it: slow and always exact. */
export function tryPosition(state: State, best: Place, task: number, after: number): void {
  const slot = state.slotOf[after];
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
