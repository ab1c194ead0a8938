import { mayLeave } from './pinned.ts';
import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import { refresh } from './refresh.ts';
import { unlink } from './state.ts';
import type { State } from './state.ts';
import { saveSlot } from './undo.ts';
import type { Undo } from './undo.ts';

/** Parameters of the adjacent string removal of Christiaens & Vanden Berghe (2020), in their letters' order. */
export interface RuinOptions {
  /** c: how many tasks are removed on average. */
  meanRemoved: number;
  /** L max: how long a removed string may be. */
  stringMax: number;
}

export interface Ruin extends RuinOptions {
  /** For every task its nearest others, `nearestCount` for each. */
  nearest: Int32Array;
  nearestCount: number;
  removed: Int32Array;
  removedCount: number;
  /** The string under consideration. */
  string: Int32Array;
}

const SPLIT_PERCENT = 50;
const SPLIT_GROWS_PERCENT = 1;

/**
 * Removes strings of tasks that lie near one another from several routes; false where that alone breaks a route (a shorter route
 * may come later to its next stop when a gap lies between).
 */
export function ruin(state: State, plan: Ruin, undo: Undo, random: Random): boolean {
  plan.removedCount = 0;
  const seed = pickSeed(state, random);
  if (seed === NONE) return true;
  const meanLength = meanRoute(state);
  const stringMax = Math.max(1, Math.min(plan.stringMax, meanLength));
  const stringsMax = 4 * plan.meanRemoved / (1 + stringMax) - 1;
  let strings = 1 + Math.floor((random.bits() >>> 0) / 0x100000000 * Math.max(1, stringsMax));
  removeStringAt(seed);
  for (let i = seed * plan.nearestCount; strings > 0 && i < (seed + 1) * plan.nearestCount; i++) removeStringAt(plan.nearest[i]);
  for (let i = 0; i < undo.slotsCount; i++) if (!refresh(state, undo.slots[i])) return false;
  return true;

  function removeStringAt(task: number): void {
    const slot = state.slotOf[task];
    if (slot === NONE || undo.isSaved[slot] === 1) return;
    saveSlot(undo, state, slot);
    removeString(state, plan, random, { task, lengthMax: Math.min(stringMax, state.slotCount[slot]) });
    strings--;
  }
}

/** Half the time a task that is not served, if any: room is then made where it is wanted. */
function pickSeed(state: State, random: Random): number {
  const { taskCount } = state.compiled;
  const { unserved } = state.sum;
  if (taskCount === 0) return NONE;
  if (unserved > 0 && (random.bits() & 1) === 0) return state.unserved[random.below(unserved)];
  return random.below(taskCount);
}

function meanRoute(state: State): number {
  let used = 0;
  const { slotCount } = state.compiled;
  for (let slot = 0; slot < slotCount; slot++) if (state.slotCount[slot] > 0) used++;
  return used === 0 ? 1 : (state.compiled.taskCount - state.sum.unserved) / used;
}

/** One string of a route that contains the task; half the time with a piece in the middle that stays. */
function removeString(state: State, plan: Ruin, random: Random, at: { task: number; lengthMax: number }): void {
  const count = state.slotCount[state.slotOf[at.task]];
  const length = 1 + Math.floor((random.bits() >>> 0) / 0x100000000 * at.lengthMax);
  let kept = 0;
  if (length > 1 && length < count && random.below(100) < SPLIT_PERCENT) {
    kept = 1;
    while (length + kept < count && random.below(100) < SPLIT_GROWS_PERCENT) kept++;
  }
  takeString(state, plan, random, { task: at.task, length: Math.min(count, length + kept) });
  const keptFrom = kept === 0 ? 0 : 1 + random.below(length - 1);
  for (let i = 0; i < length + kept && i < count; i++) {
    if (i >= keptFrom && i < keptFrom + kept) continue;
    const task = plan.string[i];
    if (!mayLeave(state, task)) continue;
    unlink(state, task);
    plan.removed[plan.removedCount++] = task;
  }
}

/** Writes `length` neighbouring tasks of a route, the given one among them at a random place, to `plan.string`. */
function takeString(state: State, plan: Ruin, random: Random, at: { task: number; length: number }): void {
  const { prev, next, firstStart } = state;
  let behind = 0;
  for (let node = next[at.task]; node < firstStart && behind < at.length - 1; node = next[node]) behind++;
  let ahead = 0;
  for (let node = prev[at.task]; node < firstStart && ahead < at.length - 1; node = prev[node]) ahead++;
  const least = at.length - 1 - behind;
  let back = least + random.below(ahead - least + 1);
  let node = at.task;
  while (back-- > 0) node = prev[node];
  for (let i = 0; i < at.length; i++, node = next[node]) plan.string[i] = node;
}
