import { BESIDE_USUAL } from './compiled.ts';
import { NONE } from './problem.ts';
import type { State } from './state.ts';

/** The best place found for a task so far: behind `after`, for that much more travel. */
export interface Place {
  after: number;
  travel: number;
  /** The same in the other metric, or NONE: see `otherOf`. */
  other: number;
}

export interface Finder extends Place {
  /** Positions until the next one is overlooked ("blink"); Infinity never overlooks any. */
  sight: number;
  nextSight: () => number;
  /** How many of a task's likely neighbours on either side are looked at. */
  reach: number;
}

/** More travel than any insertion costs, as an integer: what is compared in loops stays an integer. */
export const FAR = 0x7fffffff;

/** A finder that overlooks nothing and looks as far as most steps do. */
export function createFinder(): Finder {
  return { after: NONE, travel: FAR, other: FAR, sight: Infinity, nextSight: () => Infinity, reach: BESIDE_USUAL };
}

/** Nothing is found yet. What is found from now on costs at most `travelMax` more travel, an integer. */
export function resetPlace(place: Place, travelMax = FAR): void {
  place.after = NONE;
  place.travel = Math.min(travelMax, FAR - 1) + 1;
  place.other = -FAR;
}

export function takePlace(place: Place, after: number, travel: number): void {
  place.after = after;
  place.travel = travel;
  place.other = NONE;
}

/** What the place costs in the other metric. It is asked for only where two places cost the same. */
export function otherOf(state: State, place: Place, task: number): number {
  if (place.other === NONE) place.other = otherCost(state, task, place.after);
  return place.other;
}

/** How much more is travelled with the task behind `after`. */
export function insertionTravel({ place, next, slotOf, travel, legTravel, compiled: { placeCount: size, slotMatrix } }: State, task: number, after: number): number {
  const before = next[after];
  const base = slotMatrix[slotOf[after]];
  return travel[base + place[after] * size + place[task]] + travel[base + place[task] * size + place[before]] - legTravel[before];
}

/** The same in the other metric: what decides between two positions with the same travel. */
export function otherCost({ place, next, slotOf, other, legOther, compiled: { placeCount: size, slotMatrix } }: State, task: number, after: number): number {
  const before = next[after];
  const base = slotMatrix[slotOf[after]];
  return other[base + place[after] * size + place[task]] + other[base + place[task] * size + place[before]] - legOther[before];
}

/** How much less is travelled without a task, or without all from it to another one in its route. */
export function removalGain(state: State, first: number, last = first): number {
  const [after, before] = [state.prev[first], state.next[last]];
  return state.legTravel[first] + state.legTravel[before] - legBetween(state, after, before);
}

/** Travel from one node to another one with the vehicle that the first one is in. */
export function legBetween(state: State, from: number, to: number): number {
  return isEmptyLeg(state, from, to) ? 0 : state.travel[state.compiled.slotMatrix[state.slotOf[from]] + state.place[from] * state.compiled.placeCount + state.place[to]];
}

/** The same where many are asked for that lead to one place. */
export function legInto(state: State, from: number, to: number): number {
  if (isEmptyLeg(state, from, to)) return 0;
  const { place, slotOf, travelTo, stepTo, compiled: { placeCount: size, slotMatrix } } = state;
  return travelTo[slotMatrix[slotOf[from]] + place[to] * (stepTo === 1 ? size : 1) + place[from] * stepTo];
}

/** A route without tasks does not drive from its start to its end. */
export function isEmptyLeg({ firstStart }: State, from: number, to: number): boolean {
  return from >= firstStart && to >= firstStart;
}
