import { compareMissing, countMissing, createAbsences, keepMissing, missesAny } from './absences.ts';
import { NOISE_SIZE, noise, temperatureAt } from './annealing.ts';
import { checkState } from './check-state.ts';
import { FLAG, leastTravel } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { FAR } from './place.ts';
import type { Finder } from './place.ts';
import { NONE } from './problem.ts';
import type { Problem, Solution } from './problem.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { createRecreate, offer, offersAny, recreate, sortByDraw, sortCheapest, sortMissed, sortOffer } from './recreate.ts';
import type { Recreate } from './recreate.ts';
import { crossRuined, ruin } from './ruin.ts';
import type { Ruin } from './ruin.ts';
import { copyValue, isBetter, readValue, unservedMax, worstValue } from './search-value.ts';
import type { SearchValue } from './search-value.ts';
import { PART_TASKS_MIN } from './split.ts';
import { loadSlots, loadStart } from './start.ts';
import { createState } from './state.ts';
import type { Part, State, Sum } from './state.ts';
import { commitStep, createUndo, rollback } from './undo.ts';
import type { Undo } from './undo.ts';

export interface Budget {
  iterations?: number;
  milliseconds?: number;
}

export interface SearchOptions {
  seed: number;
  /** The search ends when either is used up; with iterations alone the result does not depend on the machine. */
  budget: Budget;
  clock: () => number;
  shouldStop?: () => boolean;
  onProgress?: (progress: SearchProgress) => void;
  /** The part of the whole cooling that this search does, from 0 to 1. */
  cooling?: { from: number; until: number };
  /** Where to start instead of the problem's own plan: tasks by slot. */
  slots?: number[][] | null;
  /** Looks for a plan that leaves out less, whatever it travels: with `most_served` only. */
  hunts?: boolean;
  /** The part of the problem that is searched, of which `slots` holds the plan; all of it where absent. */
  part?: Part | null;
  /** With the problem given, every step is compared with a full re-evaluation: for tests. */
  checks?: Problem;
}

export interface SearchProgress {
  iterations: number;
  unserved: number;
  travelSeconds: number;
  travelMetres: number;
}

/** A plan by slots, for a search that goes on from it. */
export interface SlotPlan {
  slots: number[][];
  value: SearchValue;
  travelSeconds: number;
  travelMetres: number;
  unserved: number;
}

export interface SearchResult {
  iterations: number;
  best: SlotPlan;
  /** Where the annealing ended: at a high temperature not the best plan, but the one to go on from. */
  current: SlotPlan;
}

/** The clock is read and the temperature set once in so many steps. */
const STEPS_PER_LOOK = 64;
/** In a small plan there are few positions, and a second best one has to be tried more often. */
const SMALL_TASKS_MAX = 20;
const BLINK_PERCENT = { small: 10, usual: 1 };
const GENEROUS_PERCENT = 30;
/** How often the order is by cost while tasks that were not served are offered, and by absences in a hunt. */
const CHEAPEST_PERCENT = 20;
const MISSED_PERCENT = 30;
/**
 * First and last temperature in mean legs to the nearest other task, for up to `tasks` tasks. Bigger plans get fewer steps for each
 * task and end warmer: with the root of their size, up to twice that. Plans that are searched in parts begin colder: each part goes on
 * from what was found before.
 */
const TEMPERATURE = { first: { whole: 5, inParts: 2 }, last: 0.25, tasks: 250, factorMax: 2 };

/**
 * Slack induction by string removals: ruin strings of neighbouring routes, put everything back greedily, accept by simulated
 * annealing. Every state on the way is feasible. Under an iteration budget the same seed gives the same plan on any machine.
 */
export function search(compiled: Compiled, options: SearchOptions): SearchResult {
  const share = budgetShare(options);
  const random = createRandom(options.seed);
  const state = createState(compiled, options.part);
  const finder = createFinder(state, random);
  const best = createBest(state);
  if (options.slots) loadSlots(state, options.slots);
  else loadStart(state, finder);
  best.offer();
  const undo = createUndo(state);
  const putBack = createRecreate(state);
  construct(state, { putBack, finder, undo, random });
  best.offer();
  const iterations = anneal(state, options, { putBack, finder, undo, random, best, share });
  // What a hunt has passed on its way is as bad as may be: only what it found counts.
  return { iterations, best: best.plan(), current: options.hunts === true ? best.plan() : planOf(state, state.next) };
}

/** The routes and what they leave out, as everybody else knows them. */
export function solutionOf(compiled: Compiled, slots: number[][]): Solution {
  const { slotBegin, taskCount, shiftCount } = compiled;
  const routes = Array.from({ length: shiftCount }, (_, shift) => slots.slice(slotBegin[shift], slotBegin[shift + 1]).flat());
  const isServed = new Uint8Array(taskCount);
  for (const task of slots.flat()) isServed[task] = 1;
  return { routes, unserved: [...isServed.keys()].filter((task) => isServed[task] === 0) };
}

interface Tools {
  putBack: Recreate;
  finder: Finder;
  undo: Undo;
  random: Random;
}

/** Everything that is not served, the farthest first. */
function construct(state: State, { putBack, finder, undo, random }: Tools): void {
  const { unserved } = state.sum;
  putBack.list.set(state.unserved.subarray(0, unserved));
  putBack.count = unserved;
  putBack.wasServed.fill(1);
  if (unserved > 0) sortOffer(putBack, random, 'far');
  recreate(state, putBack, finder, undo, { payAlone: state.compiled.countsServedFirst === 0, unservedMax: Infinity, travelMax: Infinity });
  commitStep(undo);
}

function anneal(state: State, options: SearchOptions, tools: Tools & { best: Best; share: (steps: number) => number }): number {
  const { putBack, finder, undo, random, best, share } = tools;
  const plan = createRuin(state);
  const range = temperatures(state, plan);
  const { from, until } = options.cooling ?? { from: 0, until: 1 };
  const iterationsMax = options.budget.iterations ?? Infinity;
  const paysAlone = state.compiled.countsServedFirst === 0;
  const rules = { payAlone: false, unservedMax: Infinity, travelMax: Infinity };
  const current = worstValue();
  const next = worstValue();
  readValue(state, current);
  const absences = createAbsences(state);
  let temperature = range.first;
  let steps = 0;
  for (; steps < iterationsMax; steps++) {
    if (steps % STEPS_PER_LOOK === 0) {
      const used = share(steps);
      if (!(used < 1) || options.shouldStop?.() === true) break;
      temperature = temperatureAt(from + used * (until - from), range);
      options.onProgress?.(best.progress(steps));
    }
    if (!ruin(state, plan, undo, random)) {
      rollback(undo, state);
      continue;
    }
    crossRuined(state, plan, undo, random);
    const hunts = options.hunts === true && !paysAlone && missesAny(absences);
    offer(state, putBack, random, plan);
    if (hunts && random.below(100) < MISSED_PERCENT) sortMissed(putBack, absences);
    else if (!hunts && random.below(100) < CHEAPEST_PERCENT && offersAny(putBack, plan)) sortCheapest(state, putBack, finder, undo);
    else sortByDraw(putBack, random);
    const costMax = current.cost + temperature * noise[random.bits() & (NOISE_SIZE - 1)];
    rules.unservedMax = paysAlone ? Infinity : unservedMax(current);
    rules.travelMax = hunts ? Infinity : costMax;
    rules.payAlone = paysAlone && random.below(100) >= GENEROUS_PERCENT;
    const isWhole = recreate(state, putBack, finder, undo, rules);
    readValue(state, next);
    if (options.checks !== undefined) checkState(state, options.checks);
    const misses = hunts ? compareMissing(absences, state) : 0;
    if (hunts) countMissing(absences, state);
    const isAccepted = isWhole && (next.rank < current.rank || next.rank === current.rank && (misses < 0 || misses === 0 && next.cost <= costMax));
    if (!isAccepted) {
      rollback(undo, state);
      if (options.checks !== undefined) checkState(state, options.checks);
      continue;
    }
    commitStep(undo);
    copyValue(next, current);
    if (options.hunts === true) keepMissing(absences, state);
    if (isBetter(current, best.value)) best.offer();
  }
  return steps;
}

/** How much of the budget is used up after so many steps, from 0 to 1; the time for preparations counts. */
function budgetShare({ budget: { iterations, milliseconds }, clock }: SearchOptions): (steps: number) => number {
  const started = clock();
  return (steps) => Math.max(
    iterations === undefined ? 0 : steps / iterations,
    milliseconds === undefined ? 0 : (clock() - started) / milliseconds,
  );
}

function createRuin({ compiled }: State): Ruin {
  const { taskCount, slotCount, nearest, nearestCount } = compiled;
  return {
    nearest, nearestCount, removed: new Int32Array(taskCount), removedCount: 0, string: new Int32Array(taskCount),
    gapAfter: new Int32Array(slotCount), gapBefore: new Int32Array(slotCount),
  };
}

function createFinder({ compiled: { taskCount } }: State, random: Random): Finder {
  const gaps = blinkGaps(taskCount <= SMALL_TASKS_MAX ? BLINK_PERCENT.small : BLINK_PERCENT.usual);
  const nextSight = () => gaps[random.bits() & (gaps.length - 1)];
  return { after: NONE, travel: FAR, other: FAR, sight: nextSight(), nextSight };
}

/** How many positions are seen before one is overlooked: quantiles of the geometric distribution, by multiplication only. */
function blinkGaps(percent: number): Int32Array {
  const sees = 1 - percent / 100;
  const gaps = new Int32Array(1024);
  let gap = 0;
  let seen = 1;
  for (let i = 0; i < gaps.length; i++) {
    while (seen * sees > 1 - (i + 0.5) / gaps.length) {
      seen *= sees;
      gap++;
    }
    gaps[i] = gap;
  }
  return gaps;
}

function temperatures(state: State, plan: Ruin): { first: number; last: number } {
  const first = state.compiled.taskCount < 2 * PART_TASKS_MIN ? TEMPERATURE.first.whole : TEMPERATURE.first.inParts;
  const size = Math.min(TEMPERATURE.factorMax, Math.max(1, Math.sqrt(state.compiled.taskCount / TEMPERATURE.tasks)));
  const unit = meanNearestLeg(state, plan) * size;
  // Never quite zero: a plan on one spot has no legs.
  return { first: first * unit + 1e-3, last: TEMPERATURE.last * unit + 1e-3 };
}

function meanNearestLeg(state: State, plan: Ruin): number {
  const { taskCount, taskPlace, flags } = state.compiled;
  if (plan.nearestCount === 0) return 0;
  let count = 0;
  let sum = 0;
  for (let task = 0; task < taskCount; task++) {
    if (flags[task] & FLAG.isFixed) continue;
    count++;
    const nearest = plan.nearest[task * plan.nearestCount];
    sum += Math.min(leastTravel(state.compiled, taskPlace[task], taskPlace[nearest]), 1e6);
  }
  return count === 0 ? 0 : sum / count;
}

interface Best {
  value: SearchValue;
  offer(): void;
  progress(iterations: number): SearchProgress;
  plan(): SlotPlan;
}

/** The best state so far, as a copy of its links. */
function createBest(state: State): Best {
  const next = new Int32Array(state.nodeCount);
  const value = worstValue();
  const sum = { ...state.sum };
  return {
    value,
    offer() {
      readValue(state, value);
      next.set(state.next);
      Object.assign(sum, state.sum);
    },
    progress: (iterations) => ({ iterations, unserved: sum.unserved, ...travelsOf(state, sum) }),
    plan: () => ({ ...planOf(state, next), value: { ...value }, unserved: sum.unserved, ...travelsOf(state, sum) }),
  };
}

function planOf(state: State, next: Int32Array): SlotPlan {
  const slots = Array.from({ length: state.compiled.slotCount }, (_, slot) => {
    const tasks: number[] = [];
    for (let node = next[state.firstStart + slot]; node !== state.firstEnd + slot; node = next[node]) tasks.push(node);
    return tasks;
  });
  const value = worstValue();
  readValue(state, value);
  return { slots, value, unserved: state.sum.unserved, ...travelsOf(state, state.sum) };
}

function travelsOf({ compiled }: State, sum: Sum): { travelSeconds: number; travelMetres: number } {
  return compiled.metricIsMetres
    ? { travelMetres: sum.travel, travelSeconds: sum.other }
    : { travelSeconds: sum.travel, travelMetres: sum.other };
}
