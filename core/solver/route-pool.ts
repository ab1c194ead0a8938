import type { Compiled } from './compiled.ts';
import { mayChangeShift } from './eligibility.ts';

/** So many routes are kept; those that were not seen for the longest time go first. */
const ROUTES_MAX = 3000;
/** Steps of the prices, from the mean cost of a task in its cheapest route on and from those of the last time on. */
const PRICE_STEPS = { first: 300, again: 40 };
/** What the bound is thought to miss at most: this much above the best plan. */
const AIM = 1.002;
/** So many steps without a better bound halve the length of the next ones. */
const PATIENCE = 8;

/** Routes from many plans, and what they cost above what their tasks are worth: plain arrays, for threads. */
export interface PricedRoutes {
  /** Tasks of route r in their order: [begin[r], begin[r + 1]) of `task`. */
  begin: Int32Array;
  task: Int32Array;
  /** A slot that it was seen in. */
  slot: Int32Array;
  /** Travel above what its tasks are worth, its *reduced cost*. */
  price: Float64Array;
  /** What a task is worth in the mean. */
  worth: number;
}

/** The routes of plans so far, each set of tasks once for each class of slots, in the order that travels least. */
export interface RoutePool {
  add(slots: number[][]): void;
  /** Priced against the best plan so far, whose routes are in the pool. */
  priced(best: number[][]): PricedRoutes;
}

interface Route {
  tasks: number[];
  slot: number;
  travel: number;
}

export function createRoutePool(compiled: Compiled): RoutePool {
  const { slotClass, slotShift, isOdd } = compiled;
  const routes = new Map<string, Route>();
  const worths = new Float64Array(compiled.taskCount).fill(NaN);

  const isLoose = (tasks: number[], slot: number) => tasks.length > 0 && isOdd[slotShift[slot]] === 0 && tasks.every((task) => mayChangeShift(compiled, task));

  return {
    add(slots) {
      slots.forEach((tasks, slot) => {
        if (!isLoose(tasks, slot)) return;
        const key = `${slotClass[slot]}: ${tasks.toSorted((a, b) => a - b)}`;
        const route = { tasks, slot, travel: travelOf(compiled, tasks, slot) };
        const known = routes.get(key);
        routes.delete(key);
        routes.set(key, known === undefined || route.travel < known.travel ? route : known);
      });
      for (const key of routes.keys()) {
        if (routes.size <= ROUTES_MAX) break;
        routes.delete(key);
      }
    },
    priced(best) {
      const all = [...routes.values()];
      const begin = new Int32Array(all.length + 1);
      all.forEach(({ tasks }, nth) => (begin[nth + 1] = begin[nth] + tasks.length));
      const columns = { begin, task: Int32Array.from(all.flatMap(({ tasks }) => tasks)), travel: Float64Array.from(all, ({ travel }) => travel) };
      const bound = best.reduce((sum, tasks, slot) => sum + (isLoose(tasks, slot) ? travelOf(compiled, tasks, slot) : 0), 0);
      const isFirst = worths.every(Number.isNaN);
      priceTasks(worths, columns, AIM * bound, isFirst ? PRICE_STEPS.first : PRICE_STEPS.again);
      return { begin, task: columns.task, slot: Int32Array.from(all, ({ slot }) => slot), price: reducedCosts(worths, columns), worth: meanWorth(worths) };
    },
  };
}

function travelOf({ metricIsMetres, metres, seconds, placeCount: size, taskPlace, slotMatrix, slotShift, startPlace, endPlace }: Compiled, tasks: number[], slot: number): number {
  const travel = metricIsMetres ? metres : seconds;
  let at = startPlace[slotShift[slot]];
  let sum = 0;
  for (const place of [...tasks.map((task) => taskPlace[task]), endPlace[slotShift[slot]]]) {
    sum += travel[slotMatrix[slot] + at * size + place];
    at = place;
  }
  return sum;
}

/** Routes as columns of a set partitioning problem: the tasks of each, and what it costs. */
export interface Columns {
  begin: Int32Array;
  task: Int32Array;
  travel: Float64Array;
}

/**
 * What each task is worth, so that no choice of routes which serves every task once costs less than all of them together, less what single routes cost
 * less than their tasks: the Lagrangian relaxation of set partitioning, by subgradient steps (M. L. Fisher, *The Lagrangian Relaxation Method for Solving
 * Integer Programming Problems*, Management Science 27 (1981)). Returns that bound.
 *
 * `worths` are changed, from what they were on; NaN where nothing is known of a task yet, and of tasks in no route. `aim` is about what the best choice costs.
 */
export function priceTasks(worths: Float64Array, columns: Columns, aim: number, steps: number): number {
  const { begin, task } = columns;
  fillUnknown(worths, columns);
  const best = worths.slice();
  const misses = new Int32Array(worths.length);
  let bound = -Infinity;
  let length = 1;
  let vain = 0;
  for (let step = 0; step < steps; step++) {
    const prices = reducedCosts(worths, columns);
    misses.fill(1);
    let sum = 0;
    for (const worth of worths) sum += Number.isNaN(worth) ? 0 : worth;
    for (let route = 0; route < prices.length; route++) {
      if (prices[route] >= 0) continue;
      sum += prices[route];
      for (let i = begin[route]; i < begin[route + 1]; i++) misses[task[i]]--;
    }
    if (sum > bound) {
      bound = sum;
      best.set(worths);
      vain = 0;
    } else if (++vain > PATIENCE) {
      length /= 2;
      vain = 0;
      worths.set(best);
      continue;
    }
    const norm = misses.reduce((total, miss, nth) => total + (Number.isNaN(worths[nth]) ? 0 : miss * miss), 0);
    if (norm === 0 || sum >= aim) break;
    for (let nth = 0; nth < worths.length; nth++) worths[nth] += length * (aim - sum) / norm * misses[nth];
  }
  worths.set(best);
  return bound;
}

/** A task that is new is worth its share of the cheapest route that it is in. */
function fillUnknown(worths: Float64Array, { begin, task, travel }: Columns): void {
  const share = new Float64Array(worths.length).fill(Infinity);
  for (let route = 0; route < travel.length; route++) {
    for (let i = begin[route]; i < begin[route + 1]; i++) share[task[i]] = Math.min(share[task[i]], travel[route] / (begin[route + 1] - begin[route]));
  }
  for (let nth = 0; nth < worths.length; nth++) if (Number.isNaN(worths[nth]) && share[nth] < Infinity) worths[nth] = share[nth];
}

function reducedCosts(worths: Float64Array, { begin, task, travel }: Columns): Float64Array {
  const prices = travel.slice();
  for (let route = 0; route < prices.length; route++) {
    for (let i = begin[route]; i < begin[route + 1]; i++) prices[route] -= worths[task[i]];
  }
  return prices;
}

function meanWorth(worths: Float64Array): number {
  const known = worths.filter((worth) => !Number.isNaN(worth));
  return known.length === 0 ? 0 : known.reduce((sum, worth) => sum + worth, 0) / known.length;
}
