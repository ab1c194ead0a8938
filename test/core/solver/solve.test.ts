import { afterAll, describe, expect, test } from '@jest/globals';
import { compile } from '../../../core/solver/compile.ts';
import { NONE } from '../../../core/solver/problem.ts';
import type { Problem } from '../../../core/solver/problem.ts';
import { createRandom } from '../../../core/solver/random.ts';
import { search } from '../../../core/solver/search.ts';
import { closeSolver, solve } from '../../../core/solver/solve.ts';
import type { SolveProgress } from '../../../core/solver/solve.ts';
import { splitPlan } from '../../../core/solver/split.ts';
import { timePlan } from '../../../core/solver/timing-plan.ts';
import { lineMatrix, lineProblem, scatteredLine, shiftOf, taskAt } from '../../support/line-problem.ts';

afterAll(closeSolver);

const plan = async (problem: Problem) => (await solve(problem, { seed: 1, maxIterations: 2000, threads: 2 })).solution;
const sorted = (route: number[]) => route.toSorted((a, b) => a - b);

describe('four stops', () => {
  const four = [1, 2, 3, 4].map((place) => taskAt(place));

  test('are served on one way out and back', async () => {
    const result = await solve(lineProblem({ tasks: four, shifts: [shiftOf(), shiftOf()] }), { seed: 1, maxIterations: 2000, threads: 2 });
    expect(result).toMatchObject({ iterations: 2000, travelSeconds: 800, travelMetres: 8000, cancelled: false });
    expect(result.solution.unserved).toEqual([]);
  });

  test('are shared where one shift is too short for all', async () => {
    const hours = [{ start: 0, end: 830 }];
    const { routes, unserved } = await plan(lineProblem({ tasks: four, shifts: [shiftOf({ intervals: hours }), shiftOf({ intervals: hours })] }));
    expect(unserved).toEqual([]);
    expect(routes.every((route) => route.length > 0)).toBe(true);
  });

  test('are split by load', async () => {
    const tasks = four.map((task) => ({ ...task, demand: 2 }));
    const { routes, unserved } = await plan(lineProblem({ tasks, shifts: [shiftOf({ capacity: 5 }), shiftOf({ capacity: 5 })] }));
    expect(unserved).toEqual([]);
    expect(routes.map(sorted).toSorted()).toEqual([[0, 1], [2, 3]]);
  });

  test('reload at the warehouse in a gap', async () => {
    const tasks = four.map((task) => ({ ...task, demand: 2 }));
    const intervals = [{ start: 0, end: 1000 }, { start: 1200, end: 2200 }];
    const returning = await plan(lineProblem({ tasks, shifts: [shiftOf({ capacity: 5, intervals })] }));
    expect(returning.unserved).toEqual([]);
    const waiting = await plan(lineProblem({ tasks, shifts: [shiftOf({ capacity: 5, intervals, gap: 'wait' })] }));
    expect(waiting.unserved).toHaveLength(2);
  });

  test('go to the shifts that may serve them', async () => {
    const tasks = four.map((task, i) => ({ ...task, shifts: i < 2 ? [0] : i === 2 ? [1] : [] }));
    expect(await plan(lineProblem({ tasks, shifts: [shiftOf(), shiftOf()] }))).toEqual({
      routes: [expect.arrayContaining([0, 1]), [2]], unserved: [3],
    });
  });

  test('keep what is planned before they take what is new', async () => {
    const tasks = [taskAt(4, { mandatory: true, duration: 100 }), taskAt(1), taskAt(1), taskAt(1)];
    const shifts = [shiftOf({ sequence: [0], intervals: [{ start: 0, end: 905 }] })];
    expect(await plan(lineProblem({ tasks, shifts }))).toEqual({ routes: [[0]], unserved: [1, 2, 3] });
  });

  test('are put around pinned ones, whose order stays', async () => {
    const tasks = [taskAt(4, { pinned: true }), taskAt(2, { pinned: true }), taskAt(3), taskAt(1)];
    const shifts = [shiftOf({ sequence: [1, 0] }), shiftOf()];
    const { routes, unserved } = await plan(lineProblem({ tasks, shifts }));
    expect(unserved).toEqual([]);
    expect(routes[0].indexOf(1)).toBeLessThan(routes[0].indexOf(0));
    expect(routes[0]).toHaveLength(4);
  });
});

describe('drivers', () => {
  const day = (start: number) => ({ driver: 3, intervals: [{ start, end: start + 1000 }] });

  test('rest between two shifts', async () => {
    const tasks = [taskAt(1, { windowStart: 790, windowEnd: 1000 }), taskAt(1, { windowStart: 1000, windowEnd: 1400 })];
    const shifts = [shiftOf(day(0)), shiftOf({ ...day(1000), intervals: [{ start: 1000, end: 1600 }] })];
    const loose = lineProblem({ tasks, shifts, restSeconds: 390 });
    expect((await plan(loose)).unserved).toEqual([]);
    expect((await plan({ ...loose, restSeconds: 391 })).unserved).toHaveLength(1);
  });

  test('who hand over give the rest of the route to somebody who must be free', async () => {
    const tasks = [taskAt(2, { windowStart: 700 }), taskAt(1, { kind: 'break', handoverTo: 5, windowStart: 300, windowEnd: 500, shifts: [0] })];
    const problem = lineProblem({ tasks, shifts: [shiftOf({ driver: 3 })], fixedSpans: [{ driver: 3, start: 600, end: 900 }] });
    expect(await plan(problem)).toEqual({ routes: [[1, 0]], unserved: [] });
    const busy = { ...problem, fixedSpans: [...problem.fixedSpans, { driver: 5, start: 450, end: 2000 }] };
    expect((await plan(busy)).unserved).toHaveLength(1);
  });
});

describe('with least travel', () => {
  const far = [taskAt(4, { windowEnd: 450 }), taskAt(4, { windowStart: 1400 })];
  const between = taskAt(5, { windowStart: 900, windowEnd: 1000 });
  const shifts = [shiftOf({ intervals: [{ start: 0, end: 3000 }] })];

  test('an order is left out where serving it costs more than a trip for it alone', async () => {
    // Between the two at 400 the vehicle would go to -100 and back: 1000, where a trip for it alone is 200.
    const problem = lineProblem({ tasks: [...far, between], shifts, objective: 'least_travel' });
    expect((await plan(problem)).unserved).toEqual([2]);
    expect((await plan({ ...problem, objective: 'most_served' })).unserved).toEqual([]);
    expect((await plan({ ...problem, tasks: [...far, { ...between, mandatory: true }] })).unserved).toEqual([]);
  });

  test('an order is served where it costs just as much', async () => {
    const problem = lineProblem({ tasks: [taskAt(4), taskAt(5)], shifts, objective: 'least_travel' });
    expect((await plan(problem)).unserved).toEqual([]);
  });
});

test('an infeasible start is repaired and loses as little as possible', async () => {
  const tasks = [taskAt(4, { mandatory: true }), taskAt(3, { mandatory: true, windowEnd: 310 }), taskAt(1, { windowEnd: 5 })];
  const shifts = [shiftOf({ sequence: [0, 1, 2] })];
  const problem = lineProblem({ tasks, shifts });
  expect(timePlan(problem, [[0, 1, 2]])).toBeNull();
  expect(await plan(problem)).toEqual({ routes: [[1, 0]], unserved: [2] });
});

describe('a bigger plan', () => {
  const positions = Array.from({ length: 61 }, (_, i) => (i * 7919) % 997);
  const tasks = positions.slice(1).map((at, i) => taskAt(i + 1, { windowStart: (at * 13) % 2000, windowEnd: (at * 13) % 2000 + 1500 }));
  const intervals = [{ start: 0, end: 1500 }, { start: 1700, end: 4000 }];
  const problem = lineProblem({
    matrices: [lineMatrix(positions)], tasks,
    shifts: Array.from({ length: 6 }, (_, i) => shiftOf({ driver: i % 3, intervals, gap: i % 2 === 0 ? 'wait' : 'return_to_warehouse' })),
  });

  test('is the same on one thread and on two, and the same again', async () => {
    const options = { seed: 5, maxIterations: 3000 };
    const [one, two, again] = [await solve(problem, { ...options, threads: 1 }), await solve(problem, { ...options, threads: 2 }), await solve(problem, { ...options, threads: 2 })];
    expect(two).toEqual(one);
    expect(again).toEqual(one);
    expect((await solve(problem, { ...options, seed: 6, threads: 2 })).solution).not.toEqual(one.solution);
  });

  test('can be cancelled and then is what was found so far', async () => {
    const cancel = new Int32Array(new SharedArrayBuffer(4));
    const seen: SolveProgress[] = [];
    const result = await solve(problem, {
      seed: 5, timeLimitMs: 60_000, maxIterations: 1e9, threads: 2, cancel,
      onProgress(progress) {
        seen.push(progress);
        Atomics.store(cancel, 0, 1);
      },
    });
    expect(result.cancelled).toBe(true);
    expect(result.iterations).toBeLessThan(1e9);
    expect(timePlan(problem, result.solution.routes)).not.toBeNull();
    expect(seen[0]).toMatchObject({ unserved: expect.any(Number), travelSeconds: expect.any(Number), travelMetres: expect.any(Number) });
  });
});

test('stopped before it begins, it still answers', async () => {
  const tasks = Array.from({ length: 30 }, (_, place) => taskAt(1 + place % 4));
  const cancel = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  const problem = lineProblem({ tasks, shifts: [shiftOf(), shiftOf()] });
  const result = await solve(problem, { seed: 1, timeLimitMs: 60_000, threads: 2, cancel });
  expect([result.cancelled, timePlan(problem, result.solution.routes) !== null]).toEqual([true, true]);
});

test('nothing to plan is planned at once', async () => {
  const options = { seed: 1, timeLimitMs: 60_000, threads: 2 };
  expect((await solve(lineProblem({ tasks: [], shifts: [shiftOf(), shiftOf()] }), options)).solution).toEqual({ routes: [[], []], unserved: [] });
  expect((await solve(lineProblem({ tasks: [taskAt(1)], shifts: [] }), options)).solution).toEqual({ routes: [], unserved: [0] });
  expect((await solve(lineProblem({ tasks: [taskAt(1)], shifts: [shiftOf()] }), options)).solution).toEqual({ routes: [[0]], unserved: [] });
});

test('a contradiction in the problem is an error that names it', async () => {
  const problem = lineProblem({ tasks: [taskAt(9)], shifts: [shiftOf()] });
  await expect(solve(problem, { seed: 1, threads: 1 })).rejects.toThrow('tasks[0].place');
  expect(problem.tasks[0].handoverTo).toBe(NONE);
});

describe('a plan that is cut in two', () => {
  const { positions, tasks, shifts } = scatteredLine({
    tasks: 160, shifts: 20, onlyFor: (nth) => [nth % 5, 5, 6, 7, 8, 9, 10, 19], driverOf: (shift) => (shift < 16 ? NONE : shift % 2),
  });
  const problem = lineProblem({ matrices: [lineMatrix(positions)], tasks, shifts });

  const slow = lineMatrix(positions.map((position) => 2 * position));
  const mixed = { ...problem, matrices: [...problem.matrices, slow], shifts: shifts.map((shift, i) => ({ ...shift, matrix: i % 3 === 0 ? 1 : 0 })) };

  test.each([['alike', problem], ['of two sizes', mixed]])('is the same on one thread and on two, and serves every task at most once: vehicles %s', async (_, fleet) => {
    const options = { seed: 5, maxIterations: 12_000 };
    const one = await solve(fleet, { ...options, threads: 1 });
    expect(await solve(fleet, { ...options, threads: 2 })).toEqual(one);
    const { routes, unserved } = one.solution;
    expect([...routes.flat(), ...unserved].toSorted((a, b) => a - b)).toEqual([...tasks.keys()]);
    expect(timePlan(fleet, routes)).not.toBeNull();
    expect(routes.every((route, shift) => route.every((task) => tasks[task].shifts?.includes(shift) ?? true))).toBe(true);
  });

  test('has parts with whole groups of shifts, each task in one of them', () => {
    const compiled = compile(problem);
    const { current } = search(compiled, { seed: 1, budget: { iterations: 200 }, clock: () => 0 });
    const parts = splitPlan(compiled, current.slots, createRandom(3))!;
    expect(parts.flatMap((part) => part.shifts).toSorted((a, b) => a - b)).toEqual([...shifts.keys()]);
    expect(parts.flatMap((part) => part.tasks).toSorted((a, b) => a - b)).toEqual([...tasks.keys()]);
    expect(parts.filter((part) => part.shifts.some((shift) => shifts[shift].driver === 0))).toHaveLength(1);
    const [one, other] = parts.map((part) => part.tasks.length);
    expect(Math.min(one, other)).toBeGreaterThan(tasks.length / 4);
  });

  test('is searched under full checks in each part', () => {
    const compiled = compile(problem);
    const { current } = search(compiled, { seed: 1, budget: { iterations: 200 }, clock: () => 0 });
    for (const part of splitPlan(compiled, current.slots, createRandom(4))!) {
      const mine = new Set(part.shifts);
      const slots = current.slots.map((slot, i) => (mine.has(compiled.slotShift[i]) ? slot : []));
      const { best } = search(compiled, { seed: 2, budget: { iterations: 100 }, clock: () => 0, slots, part, checks: problem });
      expect(best.slots.flat().every((task) => part.tasks.includes(task))).toBe(true);
      expect(best.slots.every((slot, i) => slot.length === 0 || mine.has(compiled.slotShift[i]))).toBe(true);
    }
  });
});
