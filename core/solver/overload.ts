import { leastLoads, roomOfAll } from './absences.ts';
import type { Best } from './best-plan.ts';
import type { Problem } from './problem.ts';
import { changeTo } from './start.ts';
import type { State } from './state.ts';
import type { Undo } from './undo.ts';

/** So much more than its capacity every slot takes. */
const SHARE = 0.05;
/** So much of all room is free at most where load is what keeps tasks out. */
const FREE_MAX = 0.05;
/** What a mean load above capacity costs, in last temperatures: little at first, and in the end more than hardly any step gains. */
const PRICE = 20;
/** So much of the room that could be left free stays free: where all are full to the last unit, what is above capacity fits nowhere else. */
const RESERVE = 0.5;

/**
 * Loads above the capacity, at a price. Where there is more load than room, hardly any exchange between two vehicles fits, although a few
 * exchanges together would. So while a plan is annealed each slot may take a little more than its capacity, but all together never more than
 * they all may, less a reserve, and only a plan that is nowhere above is kept.
 */
export interface Overload {
  /** How much more each slot takes: `state.slotRoom` holds it. */
  allowance: Int32Array;
  /** Travel for a unit of load above capacity. */
  price: number;
  /** Load that all slots take, and the least that so many tasks have, by their number. */
  room: number;
  leastLoad: number[];
  /** Load above capacity, what all slots together still take, and how much of it stays free: of the present plan. */
  above: number;
  free: number;
  reserve: number;
  /** The first two of the state as it was measured last. */
  measured: { above: number; free: number };
}

/** Could hardly more tasks than are served now, the lightest of all, be served because of their load? Otherwise it is something else that keeps them out. */
export function isNearlyFull(state: State): boolean {
  const room = roomOfAll(state.compiled);
  return room - leastLoads(state.compiled)[servedCount(state)] <= FREE_MAX * room;
}

/** Of a state that has nothing above capacity. */
export function allowOverload(state: State, lastTemperature: number): Overload {
  const { compiled } = state;
  const room = roomOfAll(compiled);
  const leastLoad = leastLoads(compiled);
  const allowance = compiled.slotCapacity.map(allowanceOf);
  allowance.forEach((more, slot) => (state.slotRoom[slot] += more));
  const free = state.slotRoom.reduce((sum, left, slot) => sum + left - allowance[slot], 0);
  const meanLoad = compiled.demand.reduce((sum, load) => sum + load, 0) / compiled.taskCount;
  const overload = { allowance, price: PRICE * lastTemperature / meanLoad, room, leastLoad, above: 0, free, reserve: 0, measured: { above: 0, free } };
  setReserve(overload, state);
  return overload;
}

/** Capacities hold again. A state above them goes back to the best plan. */
export function forbidOverload({ allowance, above }: Overload, state: State, best: Best): void {
  if (above > 0) changeTo(state, best);
  allowance.forEach((more, slot) => (state.slotRoom[slot] -= more));
}

/** After strings were removed: how much load may be put back. A plan that has less than the reserve free keeps at least what it has. */
export function loadLeft(overload: Overload, state: State, undo: Undo): number {
  measure(overload, state, undo);
  return overload.measured.free - Math.min(overload.free, overload.reserve);
}

/** At the end of a step: how much load is above capacity. */
export function loadAbove(overload: Overload, state: State, undo: Undo): number {
  measure(overload, state, undo);
  return overload.measured.above;
}

/** The step stands. */
export function keepOverload(overload: Overload, state: State): void {
  overload.above = overload.measured.above;
  overload.free = overload.measured.free;
  setReserve(overload, state);
}

/** The problem that a plan above capacity is a plan of: for tests. */
export function withAllowance(problem: Problem): Problem {
  return { ...problem, shifts: problem.shifts.map((shift) => (shift.capacity === undefined ? shift : { ...shift, capacity: shift.capacity + allowanceOf(shift.capacity) })) };
}

function allowanceOf(capacity: number): number {
  return Math.ceil(SHARE * capacity);
}

/** A share of what one task more would leave free, so that it has room, or of what can be free now where there is none for it. */
function setReserve(overload: Overload, state: State): void {
  const { leastLoad, room } = overload;
  const served = servedCount(state);
  const isRoomForMore = served + 1 < leastLoad.length && leastLoad[served + 1] <= room;
  overload.reserve = Math.floor(RESERVE * (room - leastLoad[isRoomForMore ? served + 1 : served]));
}

function servedCount({ compiled, sum }: State): number {
  return compiled.taskCount - sum.unserved;
}

function measure({ allowance, above, free, measured }: Overload, { slotRoom }: State, { slots, slotsCount, room }: Undo): void {
  measured.above = above;
  measured.free = free;
  for (let nth = 0; nth < slotsCount; nth++) {
    const slot = slots[nth];
    measured.above += Math.max(0, allowance[slot] - slotRoom[slot]) - Math.max(0, allowance[slot] - room[nth]);
    measured.free += slotRoom[slot] - room[nth];
  }
}
