import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkProblem } from '../../core/solver/problem-check.ts';
import { NONE } from '../../core/solver/problem.ts';
import type { Problem, Shift, Solution, Task } from '../../core/solver/problem.ts';
import { valueOf } from '../../core/solver/objective.ts';
import { bruteForce, compare, objectiveOf, schedulePlan } from './brute-force.ts';
import { randomProblem } from './random-problem.ts';

/** Places on a line, ten seconds and one metre apart; the warehouse is place 0. */
function onALine(tasks: Partial<Task>[], shifts: Partial<Shift>[], rest: Partial<Problem> = {}): Problem {
  const size = 6;
  const apart = (factor: number) => Int32Array.from({ length: size * size }, (_, i) => Math.abs(Math.floor(i / size) - (i % size)) * factor);
  return {
    matrices: [{ size, seconds: apart(10), metres: apart(1) }],
    tasks: tasks.map((task) => ({ kind: 'task', place: 1, duration: 10, windowStart: 0, windowEnd: 10_000, shifts: null, mandatory: false, pinned: false, handoverTo: NONE, ...task })),
    shifts: shifts.map((shift) => ({ vehicle: 0, driver: NONE, startPlace: 0, endPlace: 0, warehouse: 0, intervals: [{ start: 0, end: 1000 }], gap: 'wait', sequence: [], ...shift })),
    fixedSpans: [], restSeconds: 0, objective: 'most_served', metric: 'seconds', ...rest,
  };
}

describe('by hand', () => {
  test('the nearer order of two places on a line', () => {
    const problem = onALine([{ place: 2 }, { place: 1 }], [{}]);
    expect(bruteForce(problem).value).toEqual([0, 0, 0, 40, 4]);
  });

  test('a window decides the order', () => {
    const problem = onALine([{ place: 1, windowEnd: 45 }, { place: 4, windowEnd: 50 }, { place: 5, windowStart: 40, windowEnd: 200 }], [{}]);
    expect(bruteForce(problem)).toEqual({ solution: { routes: [[0, 2]], unserved: [1] }, value: [0, 0, 1, 100, 10] });
  });

  test('serving two is worth any travel, unless travel comes first', () => {
    const tasks = [{ place: 1, windowStart: 10, windowEnd: 20 }, { place: 1, windowStart: 100, windowEnd: 110, shifts: [0] }];
    const shifts = [{ startPlace: 5, endPlace: 5, intervals: [{ start: -100, end: 500 }] }];
    expect(bruteForce(onALine(tasks, shifts)).value).toEqual([0, 0, 0, 80, 8]);
    expect(bruteForce(onALine(tasks, shifts, { objective: 'least_travel' }))).toEqual({ solution: { routes: [[]], unserved: [0, 1] }, value: [0, 0, 40, 2, 0] });
  });

  test('a vehicle is at its warehouse for the gap, or waits at the stop', () => {
    const tasks = [{ place: 2, windowEnd: 100 }, { place: 2, windowStart: 100 }];
    const intervals = [{ start: 0, end: 60 }, { start: 100, end: 160 }];
    expect(bruteForce(onALine(tasks, [{ intervals }])).value).toEqual([0, 0, 0, 40, 4]);
    expect(bruteForce(onALine(tasks, [{ intervals, gap: 'return_to_warehouse' }])).value).toEqual([0, 0, 0, 80, 8]);
    // Back at the warehouse by 50, which is after the end of the first interval.
    expect(bruteForce(onALine(tasks, [{ intervals: [{ start: 0, end: 49 }, intervals[1]], gap: 'return_to_warehouse' }])).value).toEqual([0, 0, 1, 40, 4]);
  });

  test('rest keeps a driver from the second shift', () => {
    const tasks = [{ shifts: [0] }, { shifts: [1] }];
    const shifts = [{ driver: 0, intervals: [{ start: 0, end: 100 }] }, { driver: 0, intervals: [{ start: 100, end: 200 }] }];
    // The first shift is done at 30, the second has to leave by 170.
    expect(bruteForce(onALine(tasks, shifts, { restSeconds: 140 })).value).toEqual([0, 0, 0, 40, 4]);
    expect(bruteForce(onALine(tasks, shifts, { restSeconds: 141 })).value).toEqual([0, 0, 1, 20, 2]);
  });

  test('a handover frees the first driver and needs the second one', () => {
    const tasks: Partial<Task>[] = [{ kind: 'break', handoverTo: 1, shifts: [0] }, { shifts: [1], windowEnd: 160 }];
    const shifts = [{ driver: 0, intervals: [{ start: 0, end: 100 }] }, { driver: 0, intervals: [{ start: 50, end: 200 }] }];
    // Driver 0 leaves the first shift at 20, so may leave for task 1 at 140 at the latest.
    expect(bruteForce(onALine(tasks, shifts, { restSeconds: 120 })).value).toEqual([0, 0, 0, 40, 4]);
    expect(bruteForce(onALine(tasks, shifts, { restSeconds: 121 })).value).toEqual([0, 0, 1, 20, 2]);
    const taken = (end: number) => onALine(tasks, shifts, { fixedSpans: [{ driver: 1, start: -10, end }] });
    // Driver 1 takes over at 80 at the latest: ten seconds of break, ten to the warehouse.
    expect(bruteForce(taken(80)).value).toEqual([0, 0, 0, 40, 4]);
    expect(bruteForce(taken(81)).value).toEqual([0, 1, 1, 20, 2]);
  });

  test('pinned tasks keep their shift and their order, mandatory ones their place before all else', () => {
    const tasks = [{ place: 3, pinned: true }, { place: 1, pinned: true }, { place: 5, mandatory: true, windowEnd: 60 }];
    const problem = onALine(tasks, [{ sequence: [1, 0] }, {}]);
    expect(bruteForce(problem)).toEqual({ solution: { routes: [[2, 1, 0], []], unserved: [] }, value: [0, 0, 0, 140, 14] });
    expect(objectiveOf(problem, { routes: [[0, 1], [2]], unserved: [] })).toBeNull();
    expect(objectiveOf(problem, { routes: [[1], [0]], unserved: [2] })).toBeNull();
    expect(objectiveOf(problem, { routes: [[1, 0], []], unserved: [] })).toBeNull();
  });
});

/** A random plan: every task in a random place of a route that may serve it, or left out. */
function randomSolution(problem: Problem): fc.Arbitrary<Solution> {
  return fc.array(fc.tuple(fc.nat({ max: problem.shifts.length }), fc.nat({ max: 5 })), { minLength: problem.tasks.length, maxLength: problem.tasks.length }).map((choices) => {
    const solution: Solution = { routes: problem.shifts.map((shift) => shift.sequence.filter((task) => problem.tasks[task].pinned)), unserved: [] };
    choices.forEach(([shift, position], task) => {
      if (problem.tasks[task].pinned) return;
      if (problem.shifts[shift] === undefined || problem.tasks[task].shifts?.includes(shift) === false) solution.unserved.push(task);
      else solution.routes[shift].splice(position, 0, task);
    });
    return solution;
  });
}

const problemAndPlan = randomProblem().chain((problem) => randomSolution(problem).map((solution) => ({ problem, solution })));

test('random problems are problems, and their present plan is feasible', () => {
  fc.assert(fc.property(randomProblem(), (problem) => {
    checkProblem(problem);
    expect(schedulePlan(problem, problem.shifts.map((shift) => shift.sequence))).not.toBeNull();
  }), { numRuns: 300 });
});

test('the solver\'s walk and this one agree on every plan', () => {
  let feasible = 0;
  fc.assert(fc.property(problemAndPlan, ({ problem, solution }) => {
    const value = objectiveOf(problem, solution);
    if (value !== null) feasible++;
    expect(valueOf(problem, solution)).toEqual(value);
  }), { numRuns: 2000 });
  expect(feasible).toBeGreaterThan(100);
});

test('no plan is better than that of brute force', () => {
  fc.assert(fc.property(randomProblem({ tasksMax: 5 }).chain((problem) => fc.tuple(fc.constant(problem), fc.array(randomSolution(problem), { minLength: 5, maxLength: 20 }))), ([problem, solutions]) => {
    const best = bruteForce(problem);
    expect(objectiveOf(problem, best.solution)).toEqual(best.value);
    for (const solution of solutions) {
      const value = objectiveOf(problem, solution);
      if (value !== null) expect(compare(best.value, value)).toBeLessThanOrEqual(0);
    }
  }), { numRuns: 150 });
});
