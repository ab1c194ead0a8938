import { BESIDE_TASK, FLAG } from './compiled.ts';
import { crossRoutes, crossTravel } from './cross.ts';
import { beginDescent, settle } from './descent.ts';
import type { Descent } from './descent.ts';
import { mayChangeShift, mayServe } from './eligibility.ts';
import type { Links } from './links.ts';
import { removalGain } from './place.ts';
import { NONE } from './problem.ts';
import { refreshStretch } from './refresh.ts';
import { link, unlinkRun } from './state.ts';
import type { State } from './state.ts';
import { replaceIn, swapInto } from './swap-star.ts';
import { saveSlot } from './undo.ts';

/** So many tasks that follow one another move together at most. */
const RUN_MAX = 3;

/**
 * Local search from the present plan on, until no move makes it better; how many moves it took. As many are served as before. Three neighbourhoods,
 * each between the route of a loose task and those of its likely neighbours, and each with a first test in constant time:
 *
 * - up to three tasks in a row move to another place (relocate, or-opt);
 * - two routes go on with the rest of one another (2-opt*, see `cross.ts`);
 * - two tasks change their routes (SWAP*, see `swap-star.ts`), or one that is not served takes the place of one that is.
 *
 * Of a plan that is known to be as good as that, and was changed in some routes since, only those are looked at and what is near them.
 */
export function descend({ descent }: { descent: Descent }, shouldStop: () => boolean, known: Links | null = null): number {
  const { state, seen, isDue } = descent;
  beginDescent(descent, known);
  let before = -1;
  while (before < descent.moves && !shouldStop()) {
    before = descent.moves;
    for (const task of state.loose) {
      if (isDue[task] === 0 || !mayChangeShift(state.compiled, task) || state.compiled.flags[task] & FLAG.isHopeless) continue;
      if (shouldStop()) break;
      const { moves } = descent;
      isDue[task] = 0;
      improveAt(descent, task);
      seen[task] = moves;
    }
  }
  return descent.moves;
}

function improveAt(descent: Descent, task: number): void {
  findNearSlots(descent, task);
  const { near, nearCount } = descent;
  for (let i = 0; i < nearCount; i++) {
    const slot = near[i];
    if (!isNews(descent, task, slot)) continue;
    if (descent.state.slotOf[task] === NONE) replaceIn(descent, task, slot);
    else while (relocate(descent, task, slot) || crossInto(descent, task, slot) || swapInto(descent, task, slot));
  }
}

/** The slots of its likely neighbours; of a small plan all that are used. */
function findNearSlots(descent: Descent, task: number): void {
  const { near, isNear, finder: { reach }, state: { slotOf, slotCount, compiled: { beside, besideCount } } } = descent;
  descent.nearCount = 0;
  if (besideCount === 0) {
    slotCount.forEach((count, slot) => {
      if (count > 0) near[descent.nearCount++] = slot;
    });
    return;
  }
  for (const first of [2 * task * besideCount, (2 * task + 1) * besideCount]) {
    for (let i = first; i < first + reach; i++) {
      const slot = slotOf[beside[i] & BESIDE_TASK];
      if (slot === NONE || isNear[slot] === 1) continue;
      isNear[slot] = 1;
      near[descent.nearCount++] = slot;
    }
  }
  for (let i = 0; i < descent.nearCount; i++) isNear[near[i]] = 0;
}

/** Has either of the two routes changed since the task was looked at last? */
function isNews({ state: { slotOf }, changed, seen }: Descent, task: number, slot: number): boolean {
  return changed[slot] > seen[task] || slotOf[task] !== NONE && changed[slotOf[task]] > seen[task];
}

/** Moves the task, with one or two that follow it or without, to another place, or into another route. */
function relocate(descent: Descent, task: number, slot: number): boolean {
  const { state, gainOf } = descent;
  const { next, slotOf, firstStart, firstEnd, ready, latest, legTravel, place, travel, windowStart, windowLatest, duration, slotRoom, compiled } = state;
  const isElsewhere = slotOf[task] !== slot;
  const { placeCount: size, demand } = compiled;
  const base = compiled.slotMatrix[slot];
  const end = firstEnd + slot;
  const to = base + place[task];
  let last = task;
  let load = 0;
  for (let count = 1; count <= RUN_MAX; count++, last = next[last]) {
    if (last >= firstStart || !mayChangeShift(compiled, last)) return false;
    load += demand[last];
    if (isElsewhere && (load > slotRoom[slot] || !mayServe(state, last, slot))) return false;
    // Even without a gain here it may pay: roads need not be shortest ways.
    const gain = (count === 1 ? gainOf[task] : removalGain(state, task, last)) - moreWithin(state, task, last, slot);
    const row = base + place[last] * size;
    const done = windowStart[last] + duration[last];
    for (let after = firstStart + slot; after !== end; after = next[after]) {
      const before = next[after];
      if (before === task) after = last;
      else if (travel[place[after] * size + to] + travel[row + place[before]] - legTravel[before] < gain) {
        if (isElsewhere && (ready[after] > windowLatest[task] || latest[before] < done)) continue;
        if (moveRun(descent, { first: task, last, count, after })) return true;
      }
    }
  }
  return false;
}

/** How much more is travelled within a run with the vehicle of another slot. */
function moreWithin({ next, slotOf, place, travel, legTravel, compiled }: State, first: number, last: number, slot: number): number {
  const base = compiled.slotMatrix[slot];
  if (compiled.slotMatrix[slotOf[first]] === base) return 0;
  let more = 0;
  for (let node = first; node !== last; node = next[node]) more += travel[base + place[node] * compiled.placeCount + place[next[node]]] - legTravel[next[node]];
  return more;
}

function moveRun(descent: Descent, { first, last, count, after }: { first: number; last: number; count: number; after: number }): boolean {
  const { state, undo } = descent;
  const { next, prev, slotOf } = state;
  const from = slotOf[first];
  const to = slotOf[after];
  saveSlot(undo, state, from);
  saveSlot(undo, state, to);
  const [left, right] = [prev[first], next[last]];
  unlinkRun(state, first, count);
  if (!refreshStretch(state, from, left, right)) return settle(descent, false);
  let node = first;
  let at = after;
  for (let i = 0; i < count; i++) {
    const following = next[node];
    link(state, node, at);
    at = node;
    node = following;
  }
  return settle(descent, refreshStretch(state, to, first, last));
}

/** Cuts both routes, one of them behind the task. */
function crossInto(descent: Descent, task: number, slot: number): boolean {
  const { state, undo } = descent;
  const { next, slotOf, firstStart, firstEnd } = state;
  if (slotOf[task] === slot) return false;
  for (let after = firstStart + slot; after !== firstEnd + slot; after = next[after]) {
    // The other way round it is the same cut.
    if (after < task || crossTravel(state, task, after, -1) === Infinity) continue;
    saveSlot(undo, state, slotOf[task]);
    saveSlot(undo, state, slot);
    if (settle(descent, crossRoutes(state, task, after))) return true;
  }
  return false;
}
