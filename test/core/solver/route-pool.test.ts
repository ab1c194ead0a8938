import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSearcher } from '../../../core/solver/anneal.ts';
import { breed } from '../../../core/solver/breed.ts';
import { checkState } from '../../../core/solver/check-state.ts';
import { combineRoutes } from '../../../core/solver/combine.ts';
import { compile } from '../../../core/solver/compile.ts';
import type { Compiled } from '../../../core/solver/compiled.ts';
import { missingTasks } from '../../../core/solver/exchange.ts';
import { linksOf } from '../../../core/solver/links.ts';
import { NONE } from '../../../core/solver/problem.ts';
import type { Problem } from '../../../core/solver/problem.ts';
import { createRoutePool, priceTasks } from '../../../core/solver/route-pool.ts';
import type { PricedRoutes } from '../../../core/solver/route-pool.ts';
import { presentPlan } from '../../../core/solver/best-plan.ts';
import { search, solutionOf } from '../../../core/solver/search.ts';
import { changeTo } from '../../../core/solver/start.ts';
import { objectiveOf } from '../../support/brute-force.ts';
import { fourShifts, lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';
import { randomProblem } from '../../support/random-problem.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 40 });
const planOf = (compiled: Compiled, seed: number) => search(compiled, { seed, budget: { iterations: 30 }, clock: () => 0 }).current.slots;
const routesOf = ({ begin, task }: PricedRoutes) => Array.from({ length: begin.length - 1 }, (_, route) => [...task.subarray(begin[route], begin[route + 1])]);

function columnsOf(routes: { tasks: number[]; travel: number }[]) {
  let end = 0;
  return {
    begin: Int32Array.from([0, ...routes.map(({ tasks }) => (end += tasks.length))]),
    task: Int32Array.from(routes.flatMap(({ tasks }) => tasks)),
    travel: Float64Array.from(routes, ({ travel }) => travel),
  };
}

describe('what tasks are worth', () => {
  /** The least travel of routes that serve tasks 0 to n - 1 once. */
  function leastPartition(routes: { tasks: number[]; travel: number }[], count: number, served = new Set<number>()): number {
    const first = Array.from({ length: count }, (_, task) => task).find((task) => !served.has(task));
    if (first === undefined) return 0;
    return Math.min(Infinity, ...routes.filter(({ tasks }) => tasks.includes(first) && !tasks.some((task) => served.has(task)))
      .map(({ tasks, travel }) => travel + leastPartition(routes, count, new Set([...served, ...tasks]))));
  }

  test('bounds every choice of routes from below', () => {
    const route = fc.record({ tasks: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 4 }), travel: fc.integer({ min: 1, max: 100 }) });
    let close = 0;
    fc.assert(fc.property(fc.array(route, { maxLength: 12 }), fc.array(fc.integer({ min: 40, max: 100 }), { minLength: 6, maxLength: 6 }), (some, alone) => {
      const routes = [...some, ...alone.map((travel, task) => ({ tasks: [task], travel }))];
      const least = leastPartition(routes, 6);
      const bound = priceTasks(new Float64Array(6).fill(NaN), columnsOf(routes), 1.002 * least, 300);
      expect(bound).toBeLessThanOrEqual(least + 1e-6);
      if (bound > 0.98 * least) close++;
    }), { numRuns: 300 });
    expect(close).toBeGreaterThan(200);
  });

  test('goes on from what it was, and tells nothing of tasks that are in no route', () => {
    const columns = columnsOf([{ tasks: [0], travel: 10 }, { tasks: [1], travel: 10 }, { tasks: [0, 1], travel: 14 }]);
    const worths = new Float64Array(3).fill(NaN);
    expect(priceTasks(worths, columns, 14, 300)).toBeCloseTo(14, 1);
    expect(worths[0] + worths[1]).toBeCloseTo(14, 1);
    expect(worths[2]).toBeNaN();
    const before = worths.slice();
    expect(priceTasks(worths, columns, 14, 1)).toBeCloseTo(14, 1);
    expect(worths).toEqual(before);
  });
});

/** Tasks on a line, all of which may be anywhere, but for the first one that is pinned and the last shift that differs. */
function lineOf(count: number): Problem {
  return lineProblem({
    tasks: Array.from({ length: count }, (_, task) => taskAt(1 + task % 3, { pinned: task === 0 })),
    shifts: [shiftOf({ sequence: [0] }), shiftOf(), shiftOf(), shiftOf({ capacity: 5 })],
  });
}

describe('a pool of routes', () => {
  test('has each set of tasks once for each class of slots, in the order that travels least, and none with pinned tasks', () => {
    const compiled = compile(lineOf(6));
    const pool = createRoutePool(compiled);
    pool.add([[0, 1], [4, 3, 2], [], [5]]);
    pool.add([[0], [5], [3, 4, 2], [1]]);
    pool.add([[0], [4, 3, 2], [], [1]]);
    const priced = pool.priced([[0], [5], [3, 4, 2], [1]]);
    expect(routesOf(priced)).toEqual([[5], [5], [3, 4, 2], [1]]);
    expect([...priced.slot]).toEqual([3, 1, 2, 3]);
  });

  test('forgets what it has not seen for the longest time', () => {
    const compiled = compile(lineOf(82));
    const pool = createRoutePool(compiled);
    for (let a = 1; a <= 80; a++) for (let b = a + 1; b <= 80; b++) pool.add([[0], [a, b], [81], []]);
    const routes = routesOf(pool.priced([[0], [79, 80], [81], []]));
    expect(routes).toHaveLength(3000);
    expect(routes).toContainEqual([79, 80]);
    expect(routes).toContainEqual([81]);
    expect(routes).not.toContainEqual([1, 2]);
  });
});

describe('routes of many plans', () => {
  const problems = fc.tuple(randomProblem({ tasksMax: 14, shiftsMax: 4 }), seeds);

  test('are combined: every task once, pinned ones and their routes as they were, all times up to date', () => {
    let combined = 0;
    fc.assert(fc.property(problems, ([problem, seed]) => {
      const compiled = compile(problem);
      const { state, random } = createSearcher(compiled, seed);
      const pool = createRoutePool(compiled);
      const plans = [0, 1, 2, 3].map((nth) => planOf(compiled, seed + nth));
      plans.forEach(pool.add);
      const priced = pool.priced(plans[0]);
      const base = linksOf(state, plans[0]);
      const known = new Set(routesOf(priced).map((route) => route.join(' ')));
      for (let i = 0; i < 3; i++) {
        changeTo(state, base);
        if (!combineRoutes(state, priced, random)) continue;
        checkState(state, problem);
        const after = presentPlan(state).slots;
        after.forEach((tasks, slot) => {
          if (tasks.length === 0) return;
          const isNew = known.has(tasks.join(' '));
          if (isNew) combined++;
          else expect(tasks).toEqual(plans[0][slot]);
        });
        for (const [task, { pinned }] of problem.tasks.entries()) if (pinned) expect(state.slotOf[task]).toBe(base.slotOf[task]);
        const missing = new Set(missingTasks(state, base));
        for (const task of state.loose) if (state.slotOf[task] === NONE && base.slotOf[task] !== NONE) expect(missing.has(task)).toBe(true);
      }
    }), { numRuns: 300 });
    expect(combined).toBeGreaterThan(100);
  });

  test('have children that are plans, under full checks', () => {
    fc.assert(fc.property(problems, ([problem, seed]) => {
      const compiled = compile(problem);
      const plans = [0, 1, 2].map((nth) => planOf(compiled, seed + nth));
      const routes = createRoutePool(compiled);
      plans.forEach(routes.add);
      const { children } = breed(compiled, {
        seed, budget: { iterations: 1000 }, clock: () => 0, plans, pairs: [[0, 1], [1, 2], [2, 0]], pool: routes.priced(plans[0]), combinedPercent: 100, checks: problem,
      });
      for (const { plan: child } of children) {
        const solution = solutionOf(compiled, child.slots);
        expect(objectiveOf(problem, solution)).not.toBeNull();
        expect([...solution.routes.flat(), ...solution.unserved].toSorted((a, b) => a - b)).toEqual([...problem.tasks.keys()]);
      }
    }), { numRuns: 60 });
  });

  test('make the plan that none of them is', () => {
    const { problem, planWith } = fourShifts();
    const compiled = compile(problem);
    const plans = [0, 1, 2, 3].map((good) => planWith([good]));
    const pool = createRoutePool(compiled);
    plans.forEach(pool.add);
    const { children } = breed(compiled, {
      seed: 1, budget: { iterations: 20 }, clock: () => 0, plans, pairs: [[0, 1]], pool: pool.priced(plans[0]), combinedPercent: 100,
    });
    expect(children.map(({ plan: { slots } }) => slots)).toEqual([planWith([0, 1, 2, 3])]);
  });
});
