import { NEVER, settle } from './descent.ts';
import type { Descent } from './descent.ts';
import { isAllowed, mayChangeShift } from './eligibility.ts';
import { scanSlot } from './insertion.ts';
import { insertionTravel, resetPlace } from './place.ts';
import { NONE } from './problem.ts';
import { insert } from './recreate.ts';
import { refreshStretch } from './refresh.ts';
import { unlink } from './state.ts';
import type { State } from './state.ts';
import { saveSlot } from './undo.ts';

/**
 * SWAP* (T. Vidal, *Hybrid genetic search for the CVRP: Open-source implementation and SWAP\* neighborhood*, Computers & Operations Research 140 (2022)):
 * the task and one of another route change their routes, each to its best place there, which need not be the other one's.
 *
 * Of most pairs a bound tells that this does not pay: what both cost at least in the other route, at places whose times before or behind the one that
 * leaves are as they will be.
 */
export function swapInto(descent: Descent, task: number, slot: number): boolean {
  const { state, least, gainOf } = descent;
  const { next, slotOf, firstStart, firstEnd } = state;
  if (slotOf[task] === slot) return false;
  fillLeast(descent, task, slot);
  for (let other = next[firstStart + slot]; other !== firstEnd + slot; other = next[other]) {
    // The other way round it is the same exchange.
    if (other < task) continue;
    const gains = gainOf[task] + gainOf[other];
    if (least[other] < gains && isExchangeable(state, task, other) && least[other] + leastWithout(descent, other, task) < gains && swap(descent, task, other)) return true;
  }
  return false;
}

/** A task that is not served takes the place of one that is, or another one in its route. */
export function replaceIn(descent: Descent, task: number, slot: number): boolean {
  const { state, undo, least, gainOf, seen, isDue } = descent;
  const { next, prev, firstStart, firstEnd, slotRoom, compiled: { alone, demand, countsServedFirst, slotShift } } = state;
  if (!isAllowed(state.compiled, task, slotShift[slot])) return false;
  fillLeast(descent, task, slot);
  for (let other = next[firstStart + slot]; other !== firstEnd + slot; other = next[other]) {
    const gain = gainOf[other] + (countsServedFirst === 1 ? 0 : alone[task] - alone[other]);
    if (least[other] > gain || slotRoom[slot] + demand[other] < demand[task] || !mayChangeShift(state.compiled, other)) continue;
    saveSlot(undo, state, slot);
    const [left, right] = [prev[other], next[other]];
    unlink(state, other);
    if (!settle(descent, refreshStretch(state, slot, left, right) && putInto(descent, task, slot))) continue;
    // It may replace others, in routes that have not changed.
    seen[other] = NEVER;
    isDue[other] = 1;
    return true;
  }
  return false;
}

/**
 * For each task of the slot what another one costs at least in it once that one is gone: at places before it whose earliest times, and at places behind
 * it whose latest ones, do not depend on it, or where it was.
 */
function fillLeast({ state, least, gainOf }: Descent, task: number, slot: number): void {
  const { next, prev, place, firstStart, firstEnd, ready, latest, windowStart, windowLatest, duration, legTravel, travel, travelTo, stepTo } = state;
  const { placeCount: size, slotMatrix } = state.compiled;
  const row = slotMatrix[slot] + place[task] * size;
  const rowTo = stepTo === 1 ? row : slotMatrix[slot] + place[task];
  const [start, end] = [firstStart + slot, firstEnd + slot];
  const closes = windowLatest[task];
  let best = Infinity;
  let cost = Infinity;
  for (let after = start, other = next[start]; other !== end; after = other, other = next[other]) {
    best = Math.min(best, cost);
    least[other] = best;
    cost = ready[after] > closes ? Infinity : travelTo[rowTo + place[after] * stepTo] + travel[row + place[other]] - legTravel[other];
  }
  const done = windowStart[task] + duration[task];
  best = Infinity;
  cost = Infinity;
  for (let before = end, other = prev[end]; other !== start; before = other, other = prev[other]) {
    best = Math.min(best, cost);
    const on = travel[row + place[before]];
    const inPlace = travelTo[rowTo + place[prev[other]] * stepTo] + on - legTravel[other] - legTravel[before] + gainOf[other];
    least[other] = Math.min(least[other], best, inPlace);
    cost = latest[before] < done ? Infinity : travelTo[rowTo + place[other] * stepTo] + on - legTravel[before];
  }
}

/** What a task costs between the neighbours of another one that leaves them. */
function costInPlace({ state, gainOf }: Descent, task: number, leaving: number): number {
  const { next, prev, slotOf, place, travel, legTravel, compiled: { slotMatrix, placeCount: size } } = state;
  const base = slotMatrix[slotOf[leaving]];
  const [after, before] = [prev[leaving], next[leaving]];
  return travel[base + place[after] * size + place[task]] + travel[base + place[task] * size + place[before]] - legTravel[leaving] - legTravel[before] + gainOf[leaving];
}

function isExchangeable(state: State, a: number, b: number): boolean {
  const { slotOf, slotRoom, compiled } = state;
  const { demand, slotShift } = compiled;
  const [one, other] = [slotOf[a], slotOf[b]];
  return mayChangeShift(compiled, b) && slotRoom[one] + demand[a] >= demand[b] && slotRoom[other] + demand[b] >= demand[a]
    && isAllowed(compiled, a, slotShift[other]) && isAllowed(compiled, b, slotShift[one]);
}

/** What a task costs at least in the route of another one that leaves it. */
function leastWithout(descent: Descent, task: number, leaving: number): number {
  const { state } = descent;
  const { next, slotOf, ready, latest, windowStart, windowLatest, duration, firstStart, firstEnd } = state;
  const slot = slotOf[leaving];
  const done = windowStart[task] + duration[task];
  let least = costInPlace(descent, task, leaving);
  let isBehind = false;
  for (let after = firstStart + slot; after !== firstEnd + slot; after = next[after]) {
    if (after === leaving || next[after] === leaving) {
      isBehind = true;
      continue;
    }
    if (isBehind ? latest[next[after]] >= done : ready[after] <= windowLatest[task]) least = Math.min(least, insertionTravel(state, task, after));
  }
  return least;
}

function swap(descent: Descent, a: number, b: number): boolean {
  const { state, undo } = descent;
  const { slotOf, prev, next } = state;
  const [one, other] = [slotOf[a], slotOf[b]];
  saveSlot(undo, state, one);
  saveSlot(undo, state, other);
  const [leftA, rightA, leftB, rightB] = [prev[a], next[a], prev[b], next[b]];
  unlink(state, a);
  unlink(state, b);
  const isLeft = refreshStretch(state, one, leftA, rightA) && refreshStretch(state, other, leftB, rightB);
  return settle(descent, isLeft && putInto(descent, b, one) && putInto(descent, a, other));
}

/** At the best place there, if there is any. */
function putInto({ state, undo, finder }: Descent, task: number, slot: number): boolean {
  resetPlace(finder);
  scanSlot(state, finder, task, slot);
  if (finder.after === NONE) return false;
  insert(state, undo, task, finder.after);
  return true;
}
