import { compareMissing, countMissing, createAbsences, keepMissing, missesAny } from './absences.ts';
import { createBest } from './best-plan.ts';
import type { Best } from './best-plan.ts';
import { checkState } from './check-state.ts';
import { BESIDE_USUAL, FLAG, leastTravel } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { createDescent } from './descent.ts';
import type { Descent } from './descent.ts';
import { allowOverload, forbidOverload, isNearlyFull, keepOverload, loadAbove, loadLeft, withAllowance } from './overload.ts';
import { createFinder } from './place.ts';
import type { Finder } from './place.ts';
import type { Problem } from './problem.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { createRecreate, isDue, offer, offersAny, recreate, sortByDraw, sortCheapest, sortMissed, sortOffer } from './recreate.ts';
import type { Recreate } from './recreate.ts';
import { crossRuined, ruin } from './ruin.ts';
import type { Ruin } from './ruin.ts';
import { copyValue, isBetter, readValue, valueOf, worstValue } from './search-value.ts';
import { mayBeCut } from './split.ts';
import { createState } from './state.ts';
import type { Part, State } from './state.ts';
import { NOISE_SIZE, noise, temperatureAt } from './temperature.ts';
import { commitStep, createUndo, rollback } from './undo.ts';
import type { Undo } from './undo.ts';

/** The clock is read and the temperature set once in so many steps. */
const STEPS_PER_LOOK = 64;
/** In a small plan there are few positions, and a second best one has to be tried more often. */
const SMALL_TASKS_MAX = 20;
const BLINK_PERCENT = { small: 10, usual: 1 };
const GENEROUS_PERCENT = 30;
/** How often a step looks at all likely neighbours that are kept, not at the likeliest only: where a route passes by whose stops are all far. */
const WIDE_PERCENT = 30;
/** How often the order is by cost while tasks that were not served are offered, and by absences in a hunt. */
const CHEAPEST_PERCENT = { usual: 20, lacksRoom: 40 };
const MISSED_PERCENT = 30;
/**
 * First and last temperature in mean legs to the nearest other task, for up to `tasks` tasks. Bigger plans get fewer steps for each
 * task and end warmer: with the root of their size, up to twice that. Plans that are searched in parts begin colder: each part goes on
 * from what was found before.
 */
const TEMPERATURE = { first: { whole: 5, inParts: 2 }, last: 0.25, tasks: 250, factorMax: 2 };

/** What one search in one thread works with: the routes, and everything that changes them. */
export interface Searcher {
  state: State;
  random: Random;
  finder: Finder;
  undo: Undo;
  descent: Descent;
  putBack: Recreate;
  strings: Ruin;
  best: Best;
  temperatures: { first: number; last: number };
}

export function createSearcher(compiled: Compiled, seed: number, part: Part | null = null): Searcher {
  const random = createRandom(seed);
  const state = createState(compiled, part);
  const putBack = createRecreate(state);
  const strings = createRuin(state, putBack);
  const undo = createUndo(state);
  return {
    state, random, finder: createBlinking(state, random), undo, descent: createDescent(state, undo), putBack, strings, best: createBest(state),
    temperatures: temperatures(state, strings),
  };
}

/** Puts everything that is not served where it fits, the farthest first. */
export function construct({ state, putBack, finder, undo, random }: Searcher): void {
  const { unserved } = state.sum;
  putBack.list.set(state.unserved.subarray(0, unserved));
  putBack.count = unserved;
  putBack.wasServed.fill(1);
  if (unserved > 0) sortOffer(putBack, random, 'far');
  recreate(state, putBack, finder, undo, { payAlone: state.compiled.countsServedFirst === 0, rankMax: Infinity, travelMax: Infinity, loadMax: Infinity });
  commitStep(undo);
}

export interface AnnealOptions {
  /** How much of the budget is used up after so many steps: it ends at 1. */
  share: (steps: number) => number;
  iterationsMax: number;
  /** The part of the whole cooling, from 0 to 1. */
  cooling: { from: number; until: number };
  /** Looks for a plan that leaves out less, whatever it travels: with `most_served` only. */
  hunts?: boolean;
  shouldStop?: () => boolean;
  onStep?: (steps: number) => void;
  /** With the problem given, every step is compared with a full re-evaluation: for tests. */
  checks?: Problem;
}

/** Ruins and recreates from the present state on and keeps the best; how many steps it did. */
export function anneal(searcher: Searcher, options: AnnealOptions): number {
  const { state, putBack, finder, undo, random, best, strings: plan, temperatures: range } = searcher;
  const { share, iterationsMax, cooling: { from, until } } = options;
  const paysAlone = state.compiled.countsServedFirst === 0;
  const cheapestPercent = putBack.lacksRoom ? CHEAPEST_PERCENT.lacksRoom : CHEAPEST_PERCENT.usual;
  const rules = { payAlone: false, rankMax: Infinity, travelMax: Infinity, loadMax: Infinity };
  const absences = options.hunts === true && !paysAlone ? createAbsences(state) : null;
  const overload = absences === null && mayOverload(searcher, from) ? allowOverload(state, range.last) : null;
  const checks = overload !== null && options.checks !== undefined ? withAllowance(options.checks) : options.checks;
  const current = valueOf(state);
  const next = worstValue();
  let temperature = range.first;
  let steps = 0;
  for (; steps < iterationsMax; steps++) {
    if (steps % STEPS_PER_LOOK === 0) {
      const used = share(steps);
      if (!(used < 1) || options.shouldStop?.() === true) break;
      temperature = temperatureAt(from + used * (until - from), range);
      options.onStep?.(steps);
    }
    finder.reach = random.below(100) < WIDE_PERCENT ? state.compiled.besideCount : BESIDE_USUAL;
    if (!ruin(state, plan, undo, random)) {
      rollback(undo, state);
      continue;
    }
    crossRuined(state, plan, undo, random);
    const hunts = absences !== null && missesAny(absences);
    offer(state, putBack, random, plan);
    if (hunts && random.below(100) < MISSED_PERCENT) sortMissed(putBack, absences);
    else if (!hunts && random.below(100) < cheapestPercent && offersAny(putBack, plan)) sortCheapest(state, putBack, finder, undo, random);
    else sortByDraw(putBack, random);
    const costMax = current.cost + temperature * noise[random.bits() & (NOISE_SIZE - 1)];
    rules.rankMax = paysAlone ? Infinity : current.rank;
    rules.travelMax = hunts ? Infinity : costMax;
    rules.payAlone = paysAlone && random.below(100) >= GENEROUS_PERCENT;
    if (overload !== null) rules.loadMax = loadLeft(overload, state, undo);
    const isWhole = recreate(state, putBack, finder, undo, rules);
    readValue(state, next);
    const above = overload === null ? 0 : loadAbove(overload, state, undo);
    if (overload !== null) next.cost += overload.price * above;
    if (checks !== undefined) checkState(state, checks);
    const misses = hunts ? compareMissing(absences, state) : 0;
    if (hunts) countMissing(absences, state);
    // What serves more than any plan so far has to fit at once: above capacity it may never come to.
    const mayStand = isWhole && (above === 0 || next.rank >= best.value.rank);
    const isAccepted = mayStand && (next.rank < current.rank || next.rank === current.rank && (misses < 0 || misses === 0 && next.cost <= costMax));
    if (!isAccepted) {
      rollback(undo, state);
      if (checks !== undefined) checkState(state, checks);
      continue;
    }
    commitStep(undo);
    copyValue(next, current);
    if (absences !== null) keepMissing(absences, state);
    if (overload !== null) keepOverload(overload, state);
    if (above === 0 && isBetter(current, best.value)) best.offer();
  }
  if (overload !== null) forbidOverload(overload, state, best);
  finder.reach = BESIDE_USUAL;
  return steps;
}

/** Only a plan that is searched whole: in one that is cut every part is full for itself. Of a first plan nothing is known yet. */
function mayOverload({ state, putBack }: Searcher, from: number): boolean {
  return putBack.lacksRoom && !mayBeCut(state.compiled.taskCount, state.compiled.shiftCount) && (from === 0 || isNearlyFull(state));
}

function createRuin(state: State, putBack: Recreate): Ruin {
  const { taskCount, slotCount, nearest, nearestCount } = state.compiled;
  return {
    nearest, nearestCount, seeds: state.loose, seeksUnserved: true, isWanted: (task) => isDue(state, putBack, task),
    removed: new Int32Array(taskCount), removedCount: 0, string: new Int32Array(taskCount), gapAfter: new Int32Array(slotCount), gapBefore: new Int32Array(slotCount),
  };
}

function createBlinking({ compiled: { taskCount } }: State, random: Random): Finder {
  const gaps = blinkGaps(taskCount <= SMALL_TASKS_MAX ? BLINK_PERCENT.small : BLINK_PERCENT.usual);
  const nextSight = () => gaps[random.bits() & (gaps.length - 1)];
  return { ...createFinder(), sight: nextSight(), nextSight };
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
  const { taskCount, shiftCount } = state.compiled;
  const first = mayBeCut(taskCount, shiftCount) ? TEMPERATURE.first.inParts : TEMPERATURE.first.whole;
  const size = Math.min(TEMPERATURE.factorMax, Math.max(1, Math.sqrt(taskCount / TEMPERATURE.tasks)));
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
