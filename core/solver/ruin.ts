import { crossRoutes, crossTravel } from './cross.ts';
import { mayLeave } from './pinned.ts';
import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import { refreshStretch } from './refresh.ts';
import { unlinkRun } from './state.ts';
import type { State } from './state.ts';
import { saveSlot } from './undo.ts';
import type { Undo } from './undo.ts';

export interface Ruin {
  /** For every task its nearest others, `nearestCount` for each. */
  nearest: Int32Array;
  nearestCount: number;
  /** Where strings may begin. */
  seeds: Int32Array;
  /** Do half of them begin at a task that is not served, if any, instead? */
  seeksUnserved: boolean;
  /** May they begin at this one? */
  isWanted: (task: number) => boolean;
  removed: Int32Array;
  removedCount: number;
  /** The string under consideration. */
  string: Int32Array;
  /** Per slot that lost something in this step the nodes before and behind all that it lost. */
  gapAfter: Int32Array;
  gapBefore: Int32Array;
}

/**
 * Parameters of the adjacent string removal of Christiaens & Vanden Berghe (2020), by the mean number of tasks of a route: how many
 * tasks are removed on average (c in the paper), and how long a removed string may be (L max). The paper has 10 for both; where routes
 * are long, strings of ten leave too much of them as it is.
 */
const MEAN_REMOVED = { least: 10, most: 15, ofRoute: 0.45 };
const STRING_MAX = { least: 10, most: 20, ofRoute: 0.6 };

const SPLIT_PERCENT = 50;
const SPLIT_GROWS_PERCENT = 1;

/**
 * Removes strings of tasks that lie near one another from several routes; false where that alone breaks a route (a shorter route
 * may come later to its next stop when a gap lies between).
 */
export function ruin(state: State, plan: Ruin, undo: Undo, random: Random): boolean {
  plan.removedCount = 0;
  const seed = pickSeed(state, plan, random);
  if (seed === NONE) return true;
  const meanLength = meanRoute(state);
  const stringMax = Math.max(1, Math.min(byRoute(STRING_MAX, meanLength), meanLength));
  const stringsMax = 4 * byRoute(MEAN_REMOVED, meanLength) / (1 + stringMax) - 1;
  let strings = 1 + Math.floor(random.fraction() * Math.max(1, stringsMax));
  removeStringAt(seed);
  for (let i = seed * plan.nearestCount; strings > 0 && i < (seed + 1) * plan.nearestCount; i++) removeStringAt(plan.nearest[i]);
  for (let i = 0; i < undo.slotsCount; i++) {
    const slot = undo.slots[i];
    if (plan.gapAfter[slot] !== NONE && !refreshStretch(state, slot, plan.gapAfter[slot], plan.gapBefore[slot])) return false;
  }
  return true;

  function removeStringAt(task: number): void {
    const slot = state.slotOf[task];
    if (slot === NONE || undo.isSaved[slot] === 1) return;
    saveSlot(undo, state, slot);
    removeString(state, plan, random, { task, lengthMax: Math.min(stringMax, state.slotCount[slot]) });
    strings--;
  }
}

function byRoute({ least, most, ofRoute }: typeof STRING_MAX, meanLength: number): number {
  return Math.max(least, Math.min(most, ofRoute * meanLength));
}

/**
 * Lets two of the routes that lost strings go on with the rest of one another where they were cut, if that takes no more travel: one string
 * after the other such an exchange is far. As often as strings are shorter than routes; a string as long as its route has cut it already.
 */
export function crossRuined(state: State, plan: Ruin, undo: Undo, random: Random): void {
  const meanLength = meanRoute(state);
  const rest = 1 - byRoute(STRING_MAX, meanLength) / meanLength;
  if (rest <= 0 || undo.slotsCount < 2 || random.fraction() >= rest) return;
  const first = random.below(undo.slotsCount);
  const a = cutOf(state, plan, random, undo.slots[first]);
  const b = cutOf(state, plan, random, undo.slots[(first + 1 + random.below(undo.slotsCount - 1)) % undo.slotsCount]);
  if (a !== NONE && b !== NONE && crossTravel(state, a, b, 0) !== Infinity) crossRoutes(state, a, b);
}

/** Where a route that lost something is cut: before or behind what stayed in the middle of the string. */
function cutOf(state: State, plan: Ruin, random: Random, slot: number): number {
  if (plan.gapAfter[slot] === NONE) return NONE;
  return (random.bits() & 1) === 0 ? plan.gapAfter[slot] : state.prev[plan.gapBefore[slot]];
}

/** Half the time a task that is not served, if any: room is then made where it is wanted. */
function pickSeed({ unserved, sum }: State, { seeds, seeksUnserved, isWanted }: Ruin, random: Random): number {
  if (seeds.length === 0) return NONE;
  if (seeksUnserved && sum.unserved > 0 && (random.bits() & 1) === 0) {
    const wanted = unserved[random.below(sum.unserved)];
    if (isWanted(wanted)) return wanted;
  }
  return seeds[random.below(seeds.length)];
}

function meanRoute({ tasks, sum: { unserved, usedSlots } }: State): number {
  return usedSlots === 0 ? 1 : (tasks.length - unserved) / usedSlots;
}

/** One string of a route that contains the task; half the time with a piece in the middle that stays. */
function removeString(state: State, plan: Ruin, random: Random, at: { task: number; lengthMax: number }): void {
  const slot = state.slotOf[at.task];
  const count = state.slotCount[slot];
  const length = 1 + Math.floor(random.fraction() * at.lengthMax);
  let kept = 0;
  if (length > 1 && length < count && random.below(100) < SPLIT_PERCENT) {
    kept = 1;
    while (length + kept < count && random.below(100) < SPLIT_GROWS_PERCENT) kept++;
  }
  const taken = Math.min(count, length + kept);
  takeString(state, plan, random, { task: at.task, length: taken });
  const keptFrom = kept === 0 ? taken : 1 + random.below(length - 1);
  plan.gapAfter[slot] = NONE;
  removeRuns(state, plan, { slot, from: 0, until: keptFrom });
  removeRuns(state, plan, { slot, from: keptFrom + kept, until: taken });
}

/** Removes a part of the string, except what has to stay where it is. */
function removeRuns(state: State, plan: Ruin, { slot, from, until }: { slot: number; from: number; until: number }): void {
  for (let i = from; i < until;) {
    const first = i;
    while (i < until && mayLeave(state, plan.string[i])) plan.removed[plan.removedCount++] = plan.string[i++];
    if (i > first) {
      if (plan.gapAfter[slot] === NONE) plan.gapAfter[slot] = state.prev[plan.string[first]];
      unlinkRun(state, plan.string[first], i - first);
      plan.gapBefore[slot] = state.next[plan.string[i - 1]];
    }
    i++;
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
