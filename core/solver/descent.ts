import { isSameRoute } from './links.ts';
import type { Links } from './links.ts';
import { createFinder } from './place.ts';
import type { Finder } from './place.ts';
import { NONE } from './problem.ts';
import { isBetter, readValue, valueOf, worstValue } from './search-value.ts';
import type { SearchValue } from './search-value.ts';
import type { State } from './state.ts';
import { commitStep, rollback } from './undo.ts';
import type { Undo } from './undo.ts';

/** Stands in `seen` for a task that is to be looked at in all routes, even in those that are known. */
export const NEVER = -2;

/** A local search: see `descend.ts`. */
export interface Descent {
  state: State;
  undo: Undo;
  /** Overlooks nothing. */
  finder: Finder;
  value: SearchValue;
  next: SearchValue;
  /** How many moves have made the plan better; the last of them that changed each slot, and how many there were when each task was looked at. */
  moves: number;
  changed: Int32Array;
  seen: Int32Array;
  /** The slots that the task under consideration may go to. */
  near: Int32Array;
  isNear: Uint8Array;
  nearCount: number;
  /** Scratch of `swap-star.ts`. */
  least: Float64Array;
}

export function createDescent(state: State, undo: Undo, known: Links | null): Descent {
  const { taskCount, slotCount } = state.compiled;
  const isNewlyLeftOut = (task: number) => known !== null && known.slotOf[task] !== NONE && state.slotOf[task] === NONE;
  return {
    state, undo, finder: createFinder(), value: valueOf(state), next: worstValue(),
    moves: 0, changed: Int32Array.from({ length: slotCount }, (_, slot) => (known !== null && isSameRoute(state, known, slot) ? -1 : 0)),
    seen: Int32Array.from({ length: taskCount }, (_, task) => (isNewlyLeftOut(task) ? NEVER : -1)), near: new Int32Array(slotCount), isNear: new Uint8Array(slotCount), nearCount: 0,
    least: new Float64Array(taskCount),
  };
}

/** Keeps what was done since the slots were saved, if it is feasible and better, and takes it back otherwise. */
export function settle(descent: Descent, isFeasible: boolean): boolean {
  const { state, undo, value, next, changed } = descent;
  if (isFeasible) readValue(state, next);
  if (!isFeasible || !isBetter(next, value)) {
    rollback(undo, state);
    return false;
  }
  descent.moves++;
  for (let i = 0; i < undo.slotsCount; i++) changed[undo.slots[i]] = descent.moves;
  commitStep(undo);
  descent.value = next;
  descent.next = value;
  return true;
}
