import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSearcher } from '../../../core/solver/anneal.ts';
import { breed } from '../../../core/solver/breed.ts';
import { checkState } from '../../../core/solver/check-state.ts';
import { compile } from '../../../core/solver/compile.ts';
import type { Compiled } from '../../../core/solver/compiled.ts';
import { changedTasks, exchangeRoutes } from '../../../core/solver/exchange.ts';
import { linksOf } from '../../../core/solver/links.ts';
import { compareValues } from '../../../core/solver/objective.ts';
import { createPopulation } from '../../../core/solver/population.ts';
import { NONE } from '../../../core/solver/problem.ts';
import type { Problem } from '../../../core/solver/problem.ts';
import { createRandom } from '../../../core/solver/random.ts';
import { search, solutionOf } from '../../../core/solver/search.ts';
import type { SlotPlan } from '../../../core/solver/search.ts';
import { valueOf } from '../../../core/solver/search-value.ts';
import { solve } from '../../../core/solver/solve.ts';
import { changeTo, loadSlots } from '../../../core/solver/start.ts';
import { timePlan } from '../../../core/solver/timing-plan.ts';
import { objectiveOf } from '../../support/brute-force.ts';
import { fourShifts, lineMatrix, lineProblem, scatteredLine } from '../../support/line-problem.ts';
import { randomProblem } from '../../support/random-problem.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 40 });
const planOf = (compiled: Compiled, seed: number, iterations = 30): SlotPlan => search(compiled, { seed, budget: { iterations }, clock: () => 0 }).current;

describe('two plans of any problem', () => {
  const problems = fc.tuple(randomProblem({ tasksMax: 14, shiftsMax: 4 }), seeds);

  test('one is changed to the other, and nothing of it remains', () => {
    fc.assert(fc.property(problems, ([problem, seed]) => {
      const compiled = compile(problem);
      const [one, other] = [planOf(compiled, seed), planOf(compiled, seed + 1)];
      const { state } = createSearcher(compiled, seed);
      loadSlots(state, one.slots);
      for (const plan of [other, one]) {
        changeTo(state, linksOf(state, plan.slots));
        checkState(state, problem);
        expect([state.sum.travel, state.sum.unserved]).toEqual([plan.value.cost - alone(state, problem), plan.unserved]);
      }
    }), { numRuns: 200 });
  });

  test('exchange routes: every task once, pinned ones where they were, all times up to date', () => {
    let exchanges = 0;
    fc.assert(fc.property(problems, ([problem, seed]) => {
      const compiled = compile(problem);
      const { state, random } = createSearcher(compiled, seed);
      const [base, mate] = [seed, seed + 1].map((nth) => linksOf(state, planOf(compiled, nth).slots));
      for (let i = 0; i < 5; i++) {
        changeTo(state, base);
        if (state.loose.length === 0 || !exchangeRoutes(state, mate, random)) continue;
        exchanges++;
        checkState(state, problem);
        for (const [task, { pinned }] of problem.tasks.entries()) if (pinned) expect(state.slotOf[task]).toBe(base.slotOf[task]);
        const changed = new Set(changedTasks(state, [base, mate]));
        for (const task of state.loose) if (state.slotOf[task] === NONE && base.slotOf[task] !== NONE && mate.slotOf[task] !== NONE) expect(changed.has(task)).toBe(true);
      }
    }), { numRuns: 300 });
    expect(exchanges).toBeGreaterThan(100);
  });

  test('have children that are plans, under full checks', () => {
    fc.assert(fc.property(problems, ([problem, seed]) => {
      const compiled = compile(problem);
      const plans = [0, 1, 2].map((nth) => planOf(compiled, seed + nth).slots);
      const { children, iterations } = breed(compiled, { seed, budget: { iterations: 1500 }, clock: () => 0, plans, pairs: [[0, 1], [1, 2], [2, 0]], checks: problem });
      expect(iterations).toBeGreaterThanOrEqual(1500);
      for (const { plan: child } of children) {
        const solution = solutionOf(compiled, child.slots);
        expect(objectiveOf(problem, solution)).not.toBeNull();
        expect([...solution.routes.flat(), ...solution.unserved].toSorted((a, b) => a - b)).toEqual([...problem.tasks.keys()]);
        expect(solution.unserved).toHaveLength(child.unserved);
      }
    }), { numRuns: 60 });
  });
});

/** Each of two plans has two good routes. */
function halfGoodPlans() {
  const { problem, planWith } = fourShifts();
  const compiled = compile(problem);
  const { state } = createSearcher(compiled, 1);
  const plans = [planWith([0, 1]), planWith([2, 3])];
  const values = plans.map((slots) => {
    loadSlots(state, slots);
    return valueOf(state);
  });
  return { compiled, plans, values };
}

test('a child that is nothing but routes of its parents is kept where it is better', () => {
  const { compiled, plans, values } = halfGoodPlans();
  expect(values.map(({ cost }) => cost)).toEqual([2800, 2800]);
  const { children } = breed(compiled, { seed: 1, budget: { iterations: 400 }, clock: () => 0, plans, pairs: [[0, 1], [1, 0]] });
  expect(children.length).toBeGreaterThan(0);
  for (const { plan: { value, unserved } } of children) expect([value.cost < 2800, unserved]).toEqual([true, 0]);
});

test('a child that is better takes the place of its first parent, and no other child counts', () => {
  const { compiled, plans, values } = halfGoodPlans();
  const { children } = breed(compiled, { seed: 1, budget: { iterations: 4000 }, clock: () => 0, plans, values, pairs: [[0, 1]] });
  const costs = [2800, ...children.map(({ plan }) => plan.value.cost)];
  expect(children.every(({ of }) => of === 0)).toBe(true);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  expect(new Set(costs).size).toBe(costs.length);
  expect(costs.at(-1)).toBe(2400);
  expect(values.map(({ cost }) => cost)).toEqual([2800, 2800]);
});

/** With `least_travel` the cost counts a trip for each task left out as well. */
function alone({ sum }: { sum: { alone: number } }, { objective }: Problem): number {
  return objective === 'least_travel' ? sum.alone : 0;
}

describe('a population', () => {
  const plan = (cost: number, ...slots: number[][]): SlotPlan => ({ slots, value: { rank: 0, cost, tie: 0, other: 0 }, unserved: 0, travelSeconds: cost, travelMetres: 0 });

  test('keeps the best and no two that are the same, as many as it may', () => {
    const population = createPopulation(6);
    const random = createRandom(1);
    for (let i = 0; i < 200; i++) {
      const order = [0, 1, 2, 3, 4, 5].toSorted(() => random.below(3) - 1);
      const cut = 1 + random.below(5);
      population.add(plan(order.reduce((sum, task, at) => sum + task * at, 0), order.slice(0, cut), order.slice(cut)));
    }
    population.add(plan(1, [5, 4, 3, 2, 1, 0]));
    for (let i = 0; i < 20; i++) population.add(plan(2, [5, 4, 3, 2, 1, 0]));
    expect(population.members.length).toBeLessThanOrEqual(21);
    expect(population.members.length).toBeGreaterThanOrEqual(15);
    expect(population.members.some(({ value }) => value.cost === 1)).toBe(true);
    expect(population.members.filter(({ value }) => value.cost === 2).length).toBeLessThanOrEqual(6);
  });

  test('picks two that are not the same member, better ones more often', () => {
    const population = createPopulation(3);
    population.add(plan(10, [0, 1, 2]));
    population.add(plan(30, [2, 1, 0]));
    population.add(plan(20, [1, 0], [2]));
    const random = createRandom(7);
    const picks = Array.from({ length: 600 }, () => population.pickTwo(random));
    expect(picks.every(([one, other]) => one !== other)).toBe(true);
    const often = (cost: number) => picks.flat().filter(({ value }) => value.cost === cost).length;
    expect(often(10)).toBeGreaterThan(often(30));
  });
});

describe('a plan with many steps for each task', () => {
  const { positions, tasks, shifts } = scatteredLine({ tasks: 24, shifts: 6, onlyFor: (nth) => [nth % 5, 4], driverOf: (shift) => (shift < 4 ? NONE : 0) });

  test.each([['everything is served', shifts], ['some are left out', shifts.slice(0, 2)]])('is bred, and the same on one thread and on two: %s', async (_, fleet) => {
    const problem = lineProblem({ matrices: [lineMatrix(positions)], tasks: tasks.map((task) => ({ ...task, shifts: fleet === shifts ? task.shifts : null })), shifts: fleet });
    const options = { seed: 5, maxIterations: 160_000 };
    const one = await solve(problem, { ...options, threads: 1 });
    expect(await solve(problem, { ...options, threads: 2 })).toEqual(one);
    const { routes, unserved } = one.solution;
    expect([...routes.flat(), ...unserved].toSorted((a, b) => a - b)).toEqual([...tasks.keys()]);
    expect(timePlan(problem, routes)).not.toBeNull();
    const few = await solve(problem, { seed: 5, maxIterations: 10_000, threads: 2 });
    expect(compareValues(objectiveOf(problem, one.solution)!, objectiveOf(problem, few.solution)!)).toBeLessThanOrEqual(0);
  });
});
