import { BESIDE_LEG_AT, BESIDE_TASK, FLAG } from './compiled.ts';
import { isAllowed, mayServe } from './eligibility.ts';
import { FAR, insertionTravel, otherCost, otherOf, resetPlace, takePlace } from './place.ts';
import type { Finder } from './place.ts';
import { NONE } from './problem.ts';
import { arrive, fitInSlot } from './slot-times.ts';
import type { State } from './state.ts';
import { tryPosition } from './trial.ts';

/** Every position of every slot, one empty slot of each class. */
export function findAnywhere(state: State, finder: Finder, task: number): void {
  if (state.compiled.flags[task] & FLAG.isRestricted) scanAllowed(state, finder, task);
  else scanUsed(state, finder, task, { from: 0, until: state.compiled.slotCount });
  findEmpty(state, finder, task);
}

function scanUsed(state: State, finder: Finder, task: number, { from, until }: { from: number; until: number }): void {
  for (let slot = from; slot < until; slot++) if (state.slotCount[slot] > 0) scanSlot(state, finder, task, slot);
}

/** The slots of those shifts only that a restricted task is for. */
function scanAllowed(state: State, finder: Finder, task: number): void {
  const { allowed, allowedWords, slotBegin } = state.compiled;
  for (let word = 0; word < allowedWords; word++) {
    for (let shifts = allowed[task * allowedWords + word]; shifts !== 0; shifts &= shifts - 1) {
      const shift = 32 * word + 31 - Math.clz32(shifts & -shifts);
      scanUsed(state, finder, task, { from: slotBegin[shift], until: slotBegin[shift + 1] });
    }
  }
}

/** Every position of the given slots, one empty slot of each class. */
export function findInSlots(state: State, finder: Finder, task: number, { slots, slotsCount }: { slots: Int32Array; slotsCount: number }): void {
  for (let i = 0; i < slotsCount; i++) if (state.slotCount[slots[i]] > 0) scanSlot(state, finder, task, slots[i]);
  findEmpty(state, finder, task);
}

/**
 * The positions directly behind and before the task's likely neighbours, and one empty slot of each class. Not for handover breaks,
 * which a test in constant time does not do justice. This is where the search spends most of its time.
 */
export function findNear(state: State, finder: Finder, task: number): void {
  if (state.compiled.matrixCount > 1) return findNearBySlot(state, finder, task);
  const { slotOf, prev, next, place, ready, latest, legTravel, legIn, legOut, travel, travelTo, secondsTo, stepTo, roomOf, slotIsSimple } = state;
  const { seconds, placeCount: size, slotShift, beside, besideCount, besideShift } = state.compiled;
  const isRestricted = (state.compiled.flags[task] & FLAG.isRestricted) !== 0;
  const here = place[task];
  const row = here * size;
  const rowTo = stepTo === 1 ? row : here;
  const opens = state.windowStart[task];
  const duration = state.duration[task];
  const done = opens + duration;
  const closes = state.windowLatest[task];
  const demand = state.compiled.demand[task];
  const { reach } = finder;
  let { sight } = finder;
  let best = finder.travel;
  let bestAfter = NONE;

  // A position between two tasks is met from the nearer one first. Seen from there the two new legs are at least twice the first of
  // them, and this bound needs no look into the matrix: seen from the farther one the position is known already. Most entries end
  // there, or at a route that is full (or at what is in no route), in a loop so small that the engine keeps all of it in registers.
  const twice = besideShift + 1;
  const behind = 2 * task * besideCount;
  const until = behind + reach;
  for (let i = behind; i < until; i++) {
    while (i < until && ((beside[i] >>> BESIDE_LEG_AT << twice) - legOut[beside[i] & BESIDE_TASK] > best || roomOf[slotOf[beside[i] & BESIDE_TASK] + 1] < demand)) i++;
    if (i >= until) break;
    const after = beside[i] & BESIDE_TASK;
    const slot = slotOf[after];
    if (ready[after] > closes || after === bestAfter) continue;
    const before = next[after];
    const reached = latest[before];
    if (reached < done || isRestricted && !isAllowed(state.compiled, task, slotShift[slot])) continue;
    const there = rowTo + place[after] * stepTo;
    const on = row + place[before];
    const more = travelTo[there] + travel[on] - legTravel[before];
    if (more > best) continue;
    if (slotIsSimple[slot] === 1) {
      let at = ready[after] + secondsTo[there];
      if (at < opens) at = opens;
      if (at > closes || at + duration + seconds[on] > reached) continue;
    } else if (!fitsBetween(state, slot, task, after)) continue;
    if (--sight < 0) sight = finder.nextSight();
    else if (more < best || bestAfter !== NONE && otherCost(state, task, after) < otherCost(state, task, bestAfter)) {
      best = more;
      bestAfter = after;
    }
  }

  const ahead = behind + besideCount;
  const end = ahead + reach;
  for (let i = ahead; i < end; i++) {
    while (i < end && ((beside[i] >>> BESIDE_LEG_AT << twice) - legIn[beside[i] & BESIDE_TASK] > best || roomOf[slotOf[beside[i] & BESIDE_TASK] + 1] < demand)) i++;
    if (i >= end) break;
    const before = beside[i] & BESIDE_TASK;
    const after = prev[before];
    const slot = slotOf[before];
    if (ready[after] > closes || after === bestAfter) continue;
    const reached = latest[before];
    if (reached < done || isRestricted && !isAllowed(state.compiled, task, slotShift[slot])) continue;
    const there = rowTo + place[after] * stepTo;
    const on = row + place[before];
    const more = travelTo[there] + travel[on] - legTravel[before];
    if (more > best) continue;
    if (slotIsSimple[slot] === 1) {
      let at = ready[after] + secondsTo[there];
      if (at < opens) at = opens;
      if (at > closes || at + duration + seconds[on] > reached) continue;
    } else if (!fitsBetween(state, slot, task, after)) continue;
    if (--sight < 0) sight = finder.nextSight();
    else if (more < best || bestAfter !== NONE && otherCost(state, task, after) < otherCost(state, task, bestAfter)) {
      best = more;
      bestAfter = after;
    }
  }
  finder.sight = sight;
  if (bestAfter !== NONE) takePlace(finder, bestAfter, best);
  findEmpty(state, finder, task);
}

/** Does `findNear` find nothing only because all of it costs too much? */
export function hasPlaceNear(state: State, finder: Finder, task: number): boolean {
  const { travel } = finder;
  if (travel === FAR) return false;
  resetPlace(finder);
  findNear(state, finder, task);
  const isFound = finder.after !== NONE;
  resetPlace(finder, travel - 1);
  return isFound;
}

/** The same where the travel between two tasks depends on the slot: the legs in `beside` are the least that any vehicle has, and bounds only. */
function findNearBySlot(state: State, finder: Finder, task: number): void {
  const { slotOf, prev, legIn, legOut, slotRoom } = state;
  const { slotShift, beside, besideCount, besideShift, demand } = state.compiled;
  const twice = besideShift + 1;
  for (const isBehind of [true, false]) {
    const first = (2 * task + (isBehind ? 0 : 1)) * besideCount;
    for (let i = first; i < first + finder.reach; i++) {
      const neighbour = beside[i] & BESIDE_TASK;
      if ((beside[i] >>> BESIDE_LEG_AT << twice) - (isBehind ? legOut : legIn)[neighbour] > finder.travel) continue;
      const slot = slotOf[neighbour];
      if (slot === NONE || slotRoom[slot] < demand[task] || !isAllowed(state.compiled, task, slotShift[slot])) continue;
      const after = isBehind ? neighbour : prev[neighbour];
      if (after !== finder.after && insertionTravel(state, task, after) <= finder.travel) testPosition(state, finder, task, after);
    }
  }
  findEmpty(state, finder, task);
}

/** One empty slot of each class; of a frame, where all cost the same, the first that is feasible. */
function findEmpty(state: State, finder: Finder, task: number): void {
  const { frameCount, frameTravel } = state.compiled;
  for (let frame = 0; frame < frameCount; frame++) {
    if (frameTravel[task * frameCount + frame] <= finder.travel) scanFrame(state, finder, task, frame);
  }
}

/** The classes of a frame that have an empty slot and may take the task, 32 at a time. */
function scanFrame(state: State, finder: Finder, task: number, frame: number): void {
  const { emptyClasses, emptySlots, classBegin } = state;
  const { fits, fitWords, frameStart, frameClassBegin } = state.compiled;
  const { after } = finder;
  const first = frameClassBegin[frame];
  const last = frameClassBegin[frame + 1] - 1;
  for (let word = first >> 5; word <= last >> 5; word++) {
    let classes = fits[task * fitWords + word] & emptyClasses[word];
    if (word === first >> 5) classes &= -1 << (first & 31);
    if (word === last >> 5) classes &= -1 >>> (31 - (last & 31));
    for (; classes !== 0; classes &= classes - 1) {
      scanSlot(state, finder, task, emptySlots[classBegin[32 * word + 31 - Math.clz32(classes & -classes)]]);
      if (frameStart[frame] !== NONE && finder.after !== after) return;
    }
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
  } else scanRoute(state, finder, task, slot);
}

/**
 * Where a test in constant time would not be exact: a handover changes whose hours count, and in an odd shift the first task of a
 * slot changes how other slots begin or end.
 */
export function needsTrial(state: State, task: number, slot: number): boolean {
  const { compiled } = state;
  if (compiled.handoverTo[task] !== NONE) return true;
  const shift = compiled.slotShift[slot];
  return compiled.isOdd[shift] === 1 && state.slotCount[slot] === 0;
}

/**
 * From front to back. Inserting between `after` and `before` is feasible exactly if the task can begin in its window and `before` is
 * still reached by its latest start.
 */
function scanRoute(state: State, finder: Finder, task: number, slot: number): void {
  const { next, place, ready, latest, legTravel, travel, travelTo, secondsTo, stepTo } = state;
  const { seconds, placeCount: size, slotMatrix } = state.compiled;
  const isSimple = state.slotIsSimple[slot] === 1;
  const base = slotMatrix[slot];
  const here = place[task];
  const row = base + here * size;
  const rowTo = stepTo === 1 ? row : base + here;
  const opens = state.windowStart[task];
  const duration = state.duration[task];
  const done = opens + duration;
  const closes = state.windowLatest[task];
  const end = state.firstEnd + slot;
  const bestBefore = finder.after;
  let { sight } = finder;
  let best = finder.travel;
  let bestAfter = bestBefore;
  for (let after = state.firstStart + slot; after !== end; after = next[after]) {
    if (ready[after] > closes) break;
    const before = next[after];
    if (latest[before] < done) continue;
    const there = rowTo + place[after] * stepTo;
    const on = row + place[before];
    const more = travelTo[there] + travel[on] - legTravel[before];
    if (more > best) continue;
    if (isSimple) {
      let at = ready[after] + secondsTo[there];
      if (at < opens) at = opens;
      if (at > closes || at + duration + seconds[on] > latest[before]) continue;
    } else if (!fitsBetween(state, slot, task, after)) continue;
    if (--sight < 0) sight = finder.nextSight();
    else if (more < best || otherCost(state, task, after) < (bestAfter === bestBefore ? otherOf(state, finder, task) : otherCost(state, task, bestAfter))) {
      best = more;
      bestAfter = after;
    }
  }
  finder.sight = sight;
  if (bestAfter !== bestBefore) takePlace(finder, bestAfter, best);
}

/** The same for one position, wherever it is. */
export function testPosition(state: State, finder: Finder, task: number, after: number): void {
  const slot = state.slotOf[after];
  if (!fitsBetween(state, slot, task, after)) return;
  const travel = insertionTravel(state, task, after);
  if (--finder.sight < 0) finder.sight = finder.nextSight();
  else if (travel < finder.travel || travel === finder.travel && otherCost(state, task, after) < otherOf(state, finder, task)) takePlace(finder, after, travel);
}

/** Does the task fit behind `after`, with travel and service that put themselves into several intervals? */
function fitsBetween(state: State, slot: number, task: number, after: number): boolean {
  const { seconds, placeCount: size, slotMatrix } = state.compiled;
  const base = slotMatrix[slot];
  const here = state.place[task];
  const before = state.next[after];
  const reached = Math.max(arrive(state, slot, state.ready[after], seconds[base + state.place[after] * size + here]), state.windowStart[task]);
  const at = fitInSlot(state, slot, reached, state.duration[task]);
  if (at > state.windowLatest[task]) return false;
  return arrive(state, slot, at + state.duration[task], seconds[base + here * size + state.place[before]]) <= state.latest[before];
}
