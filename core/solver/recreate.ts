import { exceedsRoom } from './absences.ts';
import type { Absences } from './absences.ts';
import { FLAG, leastTravel } from './compiled.ts';
import { isAllowed } from './eligibility.ts';
import { findAnywhere, findInSlots, findNear, hasPlaceNear } from './insertion.ts';
import { findPinned } from './pinned.ts';
import { FAR, resetPlace } from './place.ts';
import type { Finder } from './place.ts';
import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import { refreshStretch } from './refresh.ts';
import { rankOf, rankOfSum } from './search-value.ts';
import { link } from './state.ts';
import type { State } from './state.ts';
import { saveSlot } from './undo.ts';
import type { Undo } from './undo.ts';

/** The orders in which tasks are put back, and how often each is drawn. */
const SORTS = [
  { name: 'random', weight: 4 }, { name: 'load', weight: 4 }, { name: 'far', weight: 2 }, { name: 'near', weight: 1 },
  { name: 'width', weight: 2 }, { name: 'ready', weight: 2 }, { name: 'due', weight: 2 },
] as const;
type SortName = (typeof SORTS)[number]['name'];
const SORT_WHEEL = SORTS.flatMap(({ name, weight }) => Array<SortName>(weight).fill(name));

/** What load costs at most in an order by cost, in mean costs of the tasks for a mean load. */
const LOAD_PRICE_MAX = 4;

/** More than any other part of a sorting key. */
const RANK_KEY = 0x100000000 * 4;

/** How many tasks that were not served before a step are offered in it. */
const OFFERED_MAX = 20;
/**
 * What was not served before the step found no place then, so that only routes that the step has changed are worth a look; one time
 * in sixteen everything is.
 */
const OFFERS_MASK = 15;

/**
 * What was not served and has found no place so many times in a row is offered in every second step only, after as many times again in every third
 * one, and so on: there is always something that fits nowhere, because of rest or of stops that stay where they are.
 */
const DOUBT = { after: 256, periodMax: 16 };

export interface Recreate {
  /** Smaller comes first, one array for each order of `SORTS` but `random`. */
  keys: Record<Exclude<SortName, 'random'>, Float64Array>;
  /** 0 for mandatory and pinned tasks, 1 for breaks, 2 for the rest. */
  rank: Uint8Array;
  /** How much of the rank each is. */
  weight: Float64Array;
  /** 1 where every position is tried in any case: handover breaks, and tasks for so few shifts that their neighbours say little. */
  scansAll: Uint8Array;
  /** Is there more load than room? */
  lacksRoom: boolean;
  /** Of the listed tasks: 1 where this step took it out of its route, 0 where it was not served before. */
  wasServed: Uint8Array;
  /** How often a task that was not served before has been offered. */
  offers: number;
  /** How often in a row each task has found no place in a step before which it was not served. */
  refusals: Int32Array;
  steps: number;
  list: Int32Array;
  count: number;
  sortKeys: Float64Array;
}

export function createRecreate(state: State): Recreate {
  const { compiled, place, windowStart, windowLatest, duration } = state;
  const { taskCount, flags, demand } = compiled;
  const tasks = Array.from({ length: taskCount }, (_, task) => task);
  const hasLoads = demand.some((load) => load > 0);
  const warehouses = [...new Set(compiled.warehouse)];
  const distance = (task: number) => Math.min(...warehouses.map((warehouse) => leastTravel(compiled, warehouse, place[task])));
  const column = (key: (task: number) => number) => Float64Array.from(tasks, key);
  return {
    keys: {
      load: column((task) => -(hasLoads ? demand[task] : duration[task])),
      far: column((task) => -distance(task)),
      near: column(distance),
      width: column((task) => windowLatest[task] - windowStart[task]),
      ready: column((task) => windowStart[task]),
      due: column((task) => -windowLatest[task]),
    },
    rank: Uint8Array.from(flags, (flag) => (flag & (FLAG.isMandatory | FLAG.isPinned) ? 0 : flag & FLAG.isBreak ? 1 : 2)),
    weight: Float64Array.from(flags, rankOf),
    scansAll: Uint8Array.from(tasks, (task) => (compiled.handoverTo[task] !== NONE || isForFew(state, task) ? 1 : 0)),
    lacksRoom: exceedsRoom(compiled), wasServed: new Uint8Array(taskCount), offers: 0, refusals: new Int32Array(taskCount), steps: 0,
    list: new Int32Array(taskCount), count: 0, sortKeys: new Float64Array(taskCount),
  };
}

function isForFew(state: State, task: number): boolean {
  const { shiftCount, flags } = state.compiled;
  if ((flags[task] & FLAG.isRestricted) === 0) return false;
  let allowed = 0;
  for (let shift = 0; shift < shiftCount; shift++) if (isAllowed(state.compiled, task, shift)) allowed++;
  return allowed < shiftCount / 4;
}

export interface Offer {
  removed: Int32Array;
  removedCount: number;
}

/** Chooses what a step puts back: all that it removed, and some of what was not served before. */
export function offer(state: State, plan: Recreate, random: Random, { removed, removedCount }: Offer): void {
  plan.count = 0;
  plan.steps++;
  for (let i = 0; i < removedCount; i++) {
    plan.wasServed[removed[i]] = 1;
    plan.list[plan.count++] = removed[i];
  }
  const waiting = state.sum.unserved - removedCount;
  const offered = Math.min(OFFERED_MAX, waiting);
  for (let i = 0; i < offered; i++) {
    // What was removed was marked last, so the tasks left out before are the first ones of the list.
    swapUnserved(state, i, i + random.below(waiting - i));
    const task = state.unserved[i];
    if (!isDue(state, plan, task)) continue;
    plan.wasServed[task] = 0;
    plan.list[plan.count++] = task;
  }
}

/** Is a task that is not served to be offered in this step? */
export function isDue({ compiled }: State, { refusals, steps }: Recreate, task: number): boolean {
  return (compiled.flags[task] & FLAG.isHopeless) === 0 && (steps + task) % (1 + Math.min(DOUBT.periodMax - 1, Math.floor(refusals[task] / DOUBT.after))) === 0;
}

/** Is anything offered that was not served before the step? */
export function offersAny({ count }: Recreate, { removedCount }: Offer): boolean {
  return count > removedCount;
}

/**
 * Puts the cheapest first, by what each would cost before any of them is put back: where not all find a place, that leaves out the dear ones. Where
 * there is too much load, it has a price too: a cheap task that is heavy keeps others out.
 */
export function sortCheapest(state: State, plan: Recreate, finder: Finder, undo: Undo, random: Random): void {
  const { list, count, sortKeys, rank } = plan;
  const { demand } = state.compiled;
  let travel = 0;
  let load = 0;
  for (let i = 0; i < count; i++) {
    resetPlace(finder);
    findPlace(state, plan, finder, undo, list[i]);
    sortKeys[i] = finder.travel + rank[list[i]] * RANK_KEY;
    if (finder.after === NONE) continue;
    travel += finder.travel;
    load += demand[list[i]];
  }
  if (plan.lacksRoom && load > 0) {
    const price = LOAD_PRICE_MAX * random.fraction() * travel / load;
    for (let i = 0; i < count; i++) sortKeys[i] += price * demand[list[i]];
  }
  sortByKeys(plan);
}

/** Puts first what was missed most often. */
export function sortMissed(plan: Recreate, { counts }: Absences): void {
  const { list, count, sortKeys, rank } = plan;
  for (let i = 0; i < count; i++) sortKeys[i] = rank[list[i]] * RANK_KEY - counts[list[i]];
  sortByKeys(plan);
}

export function sortByDraw(plan: Recreate, random: Random): void {
  sortOffer(plan, random, SORT_WHEEL[random.below(SORT_WHEEL.length)]);
}

export function sortOffer(plan: Recreate, random: Random, name: SortName): void {
  const { list, count, sortKeys, rank } = plan;
  const ranksFirst = (random.bits() & 1) === 0;
  for (let i = 0; i < count; i++) {
    const key = name === 'random' ? random.bits() : plan.keys[name][list[i]];
    sortKeys[i] = ranksFirst ? key + rank[list[i]] * RANK_KEY : key;
  }
  sortByKeys(plan);
}

function sortByKeys({ list, count, sortKeys }: Recreate): void {
  for (let i = 1; i < count; i++) {
    const task = list[i];
    const key = sortKeys[i];
    let at = i;
    for (; at > 0 && sortKeys[at - 1] > key; at--) {
      list[at] = list[at - 1];
      sortKeys[at] = sortKeys[at - 1];
    }
    list[at] = task;
    sortKeys[at] = key;
  }
}

function swapUnserved(state: State, a: number, b: number): void {
  const { unserved, unservedAt } = state;
  const taskA = unserved[a];
  const taskB = unserved[b];
  unserved[a] = taskB;
  unserved[b] = taskA;
  unservedAt[taskB] = a;
  unservedAt[taskA] = b;
}

interface RecreateRules {
  /** A task that may be left out is, where it costs more travel than a trip for it alone. */
  payAlone: boolean;
  /** Leaving out more than this (see `rankOfSum`), or as much and more travel, is not worth going on for. */
  rankMax: number;
  travelMax: number;
  /** No more load than this is put back. */
  loadMax: number;
}

/**
 * Inserts the offered tasks one after the other at their best place; false where that was given up, because travel only grows and
 * the rest can not make up for what could not be served.
 */
export function recreate(state: State, plan: Recreate, finder: Finder, undo: Undo, rules: RecreateRules): boolean {
  const { sum, compiled: { demand } } = state;
  const { list, count, weight } = plan;
  // Of what will be left out in the end: with all that is still to come put back.
  let rankLeast = rankOfSum(sum);
  let loadLeft = rules.loadMax;
  for (let i = 0; i < count; i++) if (state.slotOf[list[i]] === NONE) rankLeast -= weight[list[i]];
  for (let i = 0; i < count; i++) {
    const task = list[i];
    if (state.slotOf[task] !== NONE) continue;
    // Where nothing more can be gained but travel, a place that costs too much is no better than none.
    const isBound = rankLeast === rules.rankMax;
    resetPlace(finder, isBound ? Math.floor(rules.travelMax - sum.travel) : FAR);
    if (demand[task] <= loadLeft) findPlace(state, plan, finder, undo, task);
    if (plan.wasServed[task] === 0 && !isBound) plan.refusals[task] = finder.after === NONE ? plan.refusals[task] + 1 : 0;
    if (finder.after === NONE && rankLeast + weight[task] > rules.rankMax) return false;
    const pays = !rules.payAlone || plan.rank[task] !== 2 || finder.travel <= state.compiled.alone[task];
    if (finder.after !== NONE && pays) {
      insert(state, undo, task, finder.after);
      loadLeft -= demand[task];
    } else rankLeast += weight[task];
    if (rankLeast === rules.rankMax && sum.travel > rules.travelMax) return false;
  }
  return true;
}

function findPlace(state: State, plan: Recreate, finder: Finder, undo: Undo, task: number): void {
  const { flags, besideCount } = state.compiled;
  if (flags[task] & FLAG.isPinned) findPinned(state, finder, task);
  else if (plan.wasServed[task] === 0 && plan.rank[task] !== 0 && (++plan.offers & OFFERS_MASK) !== 0) findInSlots(state, finder, task, undo);
  else if (besideCount > 0 && plan.scansAll[task] === 0) {
    findNear(state, finder, task);
    if (finder.after === NONE && !hasPlaceNear(state, finder, task)) findAnywhere(state, finder, task);
  } else findAnywhere(state, finder, task);
}

/** Puts a task where `findAnywhere` and its like have found a place for it. */
export function insert(state: State, undo: Undo, task: number, after: number): void {
  const slot = state.slotOf[after];
  saveSlot(undo, state, slot);
  link(state, task, after);
  if (!refreshStretch(state, slot, task, task)) throw new Error(`inserting task ${task} was tested and is not feasible`);
}
