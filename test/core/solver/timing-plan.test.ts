import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { valueOf } from '../../../core/solver/objective.ts';
import { timePlan } from '../../../core/solver/timing-plan.ts';
import { objectiveOf } from '../../support/brute-force.ts';
import { lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';
import { randomProblem } from '../../support/random-problem.ts';

const day = (start: number) => shiftOf({ driver: 4, intervals: [{ start, end: start + 1000 }] });

test('a shift begins when its driver has rested after the one before', () => {
  const problem = lineProblem({ tasks: [taskAt(1, { windowStart: 950 - 60 }), taskAt(1)], shifts: [day(0), day(1000)], restSeconds: 200 });
  const [first, second] = timePlan(problem, [[0], [1]])!;
  expect(first.arrival).toBe(1000);
  expect(second.departure).toBe(1200);
});

test('a shift that serves nothing lets its driver rest', () => {
  const problem = lineProblem({ tasks: [taskAt(1)], shifts: [day(0), day(1000)], restSeconds: 5000 });
  expect(timePlan(problem, [[], [0]])).not.toBeNull();
});

test('fixed work binds on both sides', () => {
  const problem = lineProblem({ tasks: [taskAt(1)], shifts: [day(0)], restSeconds: 10 });
  const before = { driver: 4, start: -500, end: 90 };
  const after = { driver: 4, start: 320, end: 400 };
  expect(timePlan({ ...problem, fixedSpans: [before, after] }, [[0]])![0]).toMatchObject({ departure: 100, arrival: 310 });
  expect(timePlan({ ...problem, fixedSpans: [before, { ...after, start: 319 }] }, [[0]])).toBeNull();
});

test('where the cheapest cut leaves too little rest, the earliest one is taken', () => {
  // Both in the second interval cost 200, one in each 400; only then is the driver back in time for the next shift.
  const tasks = [taskAt(1), taskAt(1, { duration: 100 }), taskAt(1, { windowEnd: 1450 })];
  const shifts = [shiftOf({ driver: 4, intervals: [{ start: 0, end: 215 }, { start: 600, end: 1300 }] }), day(1000)];
  const problem = lineProblem({ tasks, shifts, restSeconds: 435 });
  expect(timePlan({ ...problem, restSeconds: 0 }, [[0, 1], [2]])![0].seconds).toBe(200);
  expect(timePlan(problem, [[0, 1], [2]])![0].seconds).toBe(400);
});

test('a plan is worth what an independent judge says', () => {
  const plans = randomProblem({ tasksMax: 8, shiftsMax: 4 }).chain((problem) => fc.record({
    problem: fc.constant(problem), homes: fc.array(fc.nat({ max: problem.shifts.length }), { minLength: problem.tasks.length, maxLength: problem.tasks.length }),
  }));
  fc.assert(fc.property(plans, ({ problem, homes }) => {
    const routes = problem.shifts.map((_, shift) => [...problem.tasks.keys()].filter((task) => homes[task] === shift && (problem.tasks[task].shifts?.includes(shift) ?? true)));
    const unserved = [...problem.tasks.keys()].filter((task) => !routes.flat().includes(task));
    const judged = objectiveOf({ ...problem, tasks: problem.tasks.map((task) => ({ ...task, pinned: false })) }, { routes, unserved });
    expect(valueOf(problem, { routes, unserved })).toEqual(judged);
  }), { numRuns: 300 });
});
