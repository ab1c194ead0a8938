import { BESIDE_TASK, BESIDE_USUAL } from './compiled.ts';
import { isSameRoute } from './links.ts';
import type { Links } from './links.ts';
import { createFinder, removalGain } from './place.ts';
import type { Finder } from './place.ts';
import { NONE } from './problem.ts';
import { isBetter, readValue, worstValue } from './search-value.ts';
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
  /** 1 for tasks that are to be looked at: their route has changed since they were, or one of a likely neighbour. */
  isDue: Uint8Array;
  /** How much less is travelled without each task that is served. */
  gainOf: Int32Array;
  /** The tasks that have a task among their likely neighbours; null where all routes are near, or until it is needed. */
  askers: Askers | null;
  /** The slots that the task under consideration may go to. */
  near: Int32Array;
  isNear: Uint8Array;
  nearCount: number;
  /** Scratch of `swap-star.ts`. */
  least: Float64Array;
}

/** Those of task t are `tasks[begin[t] .. begin[t + 1])`. */
interface Askers {
  begin: Int32Array;
  tasks: Int32Array;
}

export function createDescent(state: State, undo: Undo): Descent {
  const { taskCount, slotCount } = state.compiled;
  return {
    state, undo, finder: createFinder(), value: worstValue(), next: worstValue(),
    moves: 0, changed: new Int32Array(slotCount), seen: new Int32Array(taskCount), isDue: new Uint8Array(taskCount), gainOf: new Int32Array(taskCount), askers: null,
    near: new Int32Array(slotCount), isNear: new Uint8Array(slotCount), nearCount: 0, least: new Float64Array(taskCount),
  };
}

/** From the present plan on; of a plan that was known, only what has changed since is to be looked at. */
export function beginDescent(descent: Descent, known: Links | null): void {
  const { state, changed, seen, isDue } = descent;
  const { taskCount, slotCount, besideCount } = state.compiled;
  if (besideCount > 0) descent.askers ??= findAskers(state);
  readValue(state, descent.value);
  descent.moves = 0;
  seen.fill(-1);
  changed.fill(-1);
  isDue.fill(known === null ? 1 : 0);
  for (let slot = 0; slot < slotCount; slot++) {
    readGains(descent, slot);
    if (known === null || !isSameRoute(state, known, slot)) noteChange(descent, slot);
  }
  if (known === null) return;
  for (let task = 0; task < taskCount; task++) {
    if (known.slotOf[task] === NONE || state.slotOf[task] !== NONE) continue;
    seen[task] = NEVER;
    isDue[task] = 1;
  }
}

function readGains({ state, gainOf }: Descent, slot: number): void {
  const { next, firstStart, firstEnd } = state;
  for (let node = next[firstStart + slot]; node !== firstEnd + slot; node = next[node]) gainOf[node] = removalGain(state, node);
}

function noteChange({ state: { next, firstStart, firstEnd }, changed, moves, isDue, askers }: Descent, slot: number): void {
  changed[slot] = moves;
  if (askers === null) {
    isDue.fill(1);
    return;
  }
  const { begin, tasks } = askers;
  for (let node = next[firstStart + slot]; node !== firstEnd + slot; node = next[node]) {
    isDue[node] = 1;
    for (let i = begin[node]; i < begin[node + 1]; i++) isDue[tasks[i]] = 1;
  }
}

/** For every task those that look at its route: it is among their likely neighbours. */
function findAskers({ compiled: { taskCount, beside, besideCount } }: State): Askers {
  const begin = new Int32Array(taskCount + 2);
  const tasks = new Int32Array(2 * BESIDE_USUAL * taskCount);
  const eachNeighbour = (take: (task: number, neighbour: number) => void): void => {
    for (let list = 0; list < 2 * taskCount; list++) {
      for (let nth = 0; nth < BESIDE_USUAL; nth++) take(list >> 1, beside[list * besideCount + nth] & BESIDE_TASK);
    }
  };
  eachNeighbour((_, neighbour) => begin[neighbour + 2]++);
  for (let task = 0; task < taskCount; task++) begin[task + 1] += begin[task];
  eachNeighbour((task, neighbour) => {
    tasks[begin[neighbour + 1]++] = task;
  });
  return { begin, tasks };
}

/** Keeps what was done since the slots were saved, if it is feasible and better, and takes it back otherwise. */
export function settle(descent: Descent, isFeasible: boolean): boolean {
  const { state, undo, value, next } = descent;
  if (isFeasible) readValue(state, next);
  if (!isFeasible || !isBetter(next, value)) {
    rollback(undo, state);
    return false;
  }
  descent.moves++;
  for (let i = 0; i < undo.slotsCount; i++) {
    readGains(descent, undo.slots[i]);
    noteChange(descent, undo.slots[i]);
  }
  commitStep(undo);
  descent.value = next;
  descent.next = value;
  return true;
}
