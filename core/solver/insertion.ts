import { mayServe } from './eligibility.ts';
import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import { arrive, fitInSlot } from './slot-times.ts';
import type { State } from './state.ts';
import { tryPosition } from './trial.ts';

/** The best place found for a task so far: behind `after`, for that much more travel. */
export interface Place {
  after: number;
  travel: number;
  other: number;
}

export interface Finder extends Place {
  random: Random;
  /** Positions until the next one is overlooked ("blink"); Infinity never overlooks any. */
  sight: number;
  nextSight: () => number;
  /** Per task the tasks that go well beside it, `nearCount` for each; empty if every position is tried. */
  near: Int32Array;
  nearCount: number;
}

export function resetPlace(finder: Finder): void {
  finder.after = NONE;
  finder.travel = Infinity;
  finder.other = Infinity;
}

/** Every position of every slot, one empty slot of each class. */
export function findAnywhere(state: State, finder: Finder, task: number): void {
  resetPlace(finder);
  const slots = state.compiled.slotCount;
  for (let slot = 0; slot < slots; slot++) {
    if (state.slotCount[slot] > 0) scanSlot(state, finder, task, slot);
  }
  findEmpty(state, finder, task);
}

/**
 * The positions beside the task's likely neighbours, and one empty slot of each class. Only for tasks that all shifts may serve and
 * that hand nothing over: then load and time are all there is to test.
 */
export function findNear(state: State, finder: Finder, task: number): void {
  resetPlace(finder);
  const { slotOf, prev, next, place, ready, latest, legTravel, travel, travelTo, secondsTo, stepTo, slotLoad, compiled } = state;
  const { seconds, placeCount: size, slotCapacity, slotIntervalBegin, slotIntervalEnd } = compiled;
  const { near, nearCount } = finder;
  const here = place[task];
  const row = here * size;
  const rowTo = stepTo === 1 ? row : here;
  const opens = state.windowStart[task];
  const done = opens + state.duration[task];
  const closes = state.windowLatest[task];
  const duration = state.duration[task];
  const demand = compiled.demand[task];
  for (let i = task * nearCount; i < (task + 1) * nearCount; i++) {
    const neighbour = near[i];
    const slot = slotOf[neighbour];
    if (slot === NONE || slotLoad[slot] + demand > slotCapacity[slot]) continue;
    if (slotIntervalEnd[slot] - slotIntervalBegin[slot] > 1) {
      testPosition(state, finder, task, prev[neighbour]);
      testPosition(state, finder, task, neighbour);
      continue;
    }
    let after = prev[neighbour];
    for (let side = 0; side < 2; side++, after = neighbour) {
      if (ready[after] > closes) break;
      const before = next[after];
      if (latest[before] < done) continue;
      const there = rowTo + place[after] * stepTo;
      const on = row + place[before];
      const more = travelTo[there] + travel[on] - legTravel[before];
      if (more > finder.travel) continue;
      let at = ready[after] + secondsTo[there];
      if (at < opens) at = opens;
      if (at > closes || at + duration + seconds[on] > latest[before]) continue;
      if (--finder.sight < 0) finder.sight = finder.nextSight();
      else if (more < finder.travel || winsTie(state, finder, task, after)) takePlace(state, finder, task, after);
    }
  }
  findEmpty(state, finder, task);
}

function findEmpty(state: State, finder: Finder, task: number): void {
  const { emptyCount, emptySlots, classBegin } = state;
  for (let kind = 0; kind < emptyCount.length; kind++) {
    if (emptyCount[kind] > 0) scanSlot(state, finder, task, emptySlots[classBegin[kind]]);
  }
}

/** Every position of one slot. */
export function scanSlot(state: State, finder: Finder, task: number, slot: number): void {
  if (!mayServe(state, task, slot)) return;
  if (needsTrial(state, task, slot)) {
    for (let after = state.firstStart + slot; after !== state.firstEnd + slot; after = state.next[after]) {
      if (--finder.sight < 0) finder.sight = finder.nextSight();
      else tryPosition(state, finder, task, after);
    }
  } else if (state.compiled.slotIntervalEnd[slot] - state.compiled.slotIntervalBegin[slot] > 1) {
    for (let after = state.firstStart + slot; after !== state.firstEnd + slot; after = state.next[after]) {
      testPosition(state, finder, task, after);
    }
  } else scanSimple(state, finder, task, slot);
}

/**
 * Where a test in constant time would not be exact: a handover changes whose hours count, and in an odd shift the first task of a
 * slot changes how other slots begin or end.
 */
export function needsTrial(state: State, task: number, slot: number): boolean {
  const { compiled } = state;
  if (compiled.handoverTo[task] !== NONE) return true;
  const shift = compiled.slotShift[slot];
  return state.isOdd[shift] === 1 && state.slotCount[slot] === 0;
}

/**
 * Slots of one interval, from front to back. Inserting between `after` and `before` is feasible exactly if the task can begin in its
 * window and `before` is still reached by its latest start.
 */
function scanSimple(state: State, finder: Finder, task: number, slot: number): void {
  const { next, place, ready, latest, legTravel, travel, travelTo, secondsTo, stepTo, compiled } = state;
  const { seconds, placeCount: size } = compiled;
  const here = state.place[task];
  const row = here * size;
  const rowTo = stepTo === 1 ? row : here;
  const opens = state.windowStart[task];
  const duration = state.duration[task];
  const closes = state.windowLatest[task];
  const end = state.firstEnd + slot;
  let { sight } = finder;
  let best = finder.travel;
  for (let after = state.firstStart + slot; after !== end; after = next[after]) {
    if (ready[after] > closes) break;
    const before = next[after];
    if (latest[before] < opens + duration) continue;
    const there = rowTo + place[after] * stepTo;
    const on = row + place[before];
    const more = travelTo[there] + travel[on] - legTravel[before];
    if (more > best) continue;
    let at = ready[after] + secondsTo[there];
    if (at < opens) at = opens;
    if (at > closes || at + duration + seconds[on] > latest[before]) continue;
    if (--sight < 0) {
      sight = finder.nextSight();
      continue;
    }
    if (more === best && !winsTie(state, finder, task, after)) continue;
    best = more;
    takePlace(state, finder, task, after);
  }
  finder.sight = sight;
}

/** The same test where travel and service fit themselves into several intervals. */
export function testPosition(state: State, finder: Finder, task: number, after: number): void {
  const slot = state.slotOf[after];
  const { seconds, placeCount: size } = state.compiled;
  const before = state.next[after];
  const there = state.place[after] * size + state.place[task];
  const on = state.place[task] * size + state.place[before];
  const more = state.travel[there] + state.travel[on] - state.legTravel[before];
  if (more > finder.travel) return;
  const reached = Math.max(arrive(state, slot, state.ready[after], seconds[there]), state.windowStart[task]);
  const at = fitInSlot(state, slot, reached, state.duration[task]);
  if (at > state.windowLatest[task]) return;
  if (arrive(state, slot, at + state.duration[task], seconds[on]) > state.latest[before]) return;
  if (--finder.sight < 0) finder.sight = finder.nextSight();
  else if (more < finder.travel || winsTie(state, finder, task, after)) takePlace(state, finder, task, after);
}

function winsTie(state: State, finder: Finder, task: number, after: number): boolean {
  return otherDelta(state, task, after) < finder.other;
}

function takePlace(state: State, finder: Finder, task: number, after: number): void {
  const { placeCount: size } = state.compiled;
  const before = state.next[after];
  const there = state.place[after] * size + state.place[task];
  const on = state.place[task] * size + state.place[before];
  finder.after = after;
  finder.travel = state.travel[there] + state.travel[on] - state.legTravel[before];
  finder.other = state.other[there] + state.other[on] - state.legOther[before];
}

function otherDelta(state: State, task: number, after: number): number {
  const { placeCount: size } = state.compiled;
  const before = state.next[after];
  return state.other[state.place[after] * size + state.place[task]]
    + state.other[state.place[task] * size + state.place[before]] - state.legOther[before];
}
