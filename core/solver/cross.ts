import { isAllowed, mayChangeShift } from './eligibility.ts';
import { isEmptyLeg, legBetween, legInto } from './place.ts';
import { NONE } from './problem.ts';
import { refresh, refreshStretch } from './refresh.ts';
import { arrive } from './slot-times.ts';
import { exchangeTails } from './state.ts';
import type { State } from './state.ts';

/**
 * Two routes, cut behind `a` and behind `b`, go on with the rest of one another (2-opt*, Potvin & Rousseau 1995).
 *
 * How much more is travelled then, in constant time; Infinity where that is above `most`, or somebody comes too late. That is exact where both slots have the same
 * roads, hours, drivers' bounds and places at their ends, and a first test otherwise: `crossRoutes` decides.
 */
export function crossTravel(state: State, a: number, b: number, most = Infinity): number {
  const { next, legTravel, slotOf, firstEnd } = state;
  const behindA = next[b] < firstEnd ? next[b] : firstEnd + slotOf[a];
  const behindB = next[a] < firstEnd ? next[a] : firstEnd + slotOf[b];
  const more = legBetween(state, a, behindA) + legInto(state, b, behindB) - legTravel[next[a]] - legTravel[next[b]]
    + otherEnd(state, a, slotOf[b]) + otherEnd(state, b, slotOf[a]);
  return more <= most && isReached(state, a, behindA) && isReached(state, b, behindB) ? more : Infinity;
}

/** How much more the last leg is where the rest behind a cut, if any, ends in another slot. */
function otherEnd({ next, prev, slotOf, place, travel, legTravel, firstEnd, compiled }: State, cut: number, slot: number): number {
  const end = firstEnd + slotOf[cut];
  if (next[cut] === end || place[end] === place[firstEnd + slot]) return 0;
  return travel[compiled.slotMatrix[slot] + place[prev[end]] * compiled.placeCount + place[firstEnd + slot]] - legTravel[end];
}

/** Does it; false where it is not feasible, with everything as it was. Both slots must be saved and up to date. */
export function crossRoutes(state: State, a: number, b: number): boolean {
  if (!mayChangeOver(state, a, b)) return false;
  exchangeTails(state, a, b);
  if (bringUpToDate(state, a, b)) return true;
  exchangeTails(state, a, b);
  if (!bringUpToDate(state, a, b)) throw new Error('routes that were feasible no longer are');
  return false;
}

function isReached(state: State, from: number, to: number): boolean {
  if (isEmptyLeg(state, from, to)) return true;
  const slot = state.slotOf[from];
  const leg = state.compiled.seconds[state.compiled.slotMatrix[slot] + state.place[from] * state.compiled.placeCount + state.place[to]];
  const at = state.slotIsSimple[slot] === 1 ? state.ready[from] + leg : arrive(state, slot, state.ready[from], leg);
  return at <= state.latest[to];
}

/** Shift and load of everything behind the cuts. Handovers, odd shifts and vehicles on other roads are left alone. */
function mayChangeOver(state: State, a: number, b: number): boolean {
  const [one, other] = [state.slotOf[a], state.slotOf[b]];
  const { slotShift, slotMatrix, isOdd } = state.compiled;
  if (slotMatrix[one] !== slotMatrix[other]) return false;
  if (isOdd[slotShift[one]] === 1 || isOdd[slotShift[other]] === 1) return false;
  const [loadA, loadB] = [looseLoad(state, a, slotShift[other]), looseLoad(state, b, slotShift[one])];
  return loadA !== NONE && loadB !== NONE && state.slotRoom[one] + loadA >= loadB && state.slotRoom[other] + loadB >= loadA;
}

/** Load behind a cut; NONE where something there may not change to the shift. */
function looseLoad({ next, firstEnd, compiled }: State, cut: number, shift: number): number {
  const { demand } = compiled;
  let load = 0;
  for (let node = next[cut]; node < firstEnd; node = next[node]) {
    if (!mayChangeShift(compiled, node) || !isAllowed(compiled, node, shift)) return NONE;
    load += demand[node];
  }
  return load;
}

function bringUpToDate(state: State, a: number, b: number): boolean {
  return restOf(state, a) && restOf(state, b);
}

function restOf(state: State, cut: number): boolean {
  const slot = state.slotOf[cut];
  return state.slotIsAlone[slot] === 1 ? refreshStretch(state, slot, state.next[cut], state.firstEnd + slot) : refresh(state, slot);
}
