import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fixKinds, type Fix } from '../../../core/oracle/explanation.ts';
import { applyFix, findFix } from '../../../core/oracle/find-fix.ts';
import { insertLeftovers } from '../../../core/oracle/insert-leftovers.ts';
import { draftOf } from '../../../core/oracle/insertion.ts';
import type { Problem, Solution } from '../../../core/solver/problem.ts';
import { compare, objectiveOf } from '../../support/brute-force.ts';
import { randomProblem } from '../../support/random-problem.ts';

const horizon = [{ start: 0, end: 2000 }];

/** Every way to put the task into the shift, judged by the slow walk; true where one is feasible and, with travel first, no worse. */
function fits(problem: Problem, solution: Solution, task: number, shift: number): boolean {
  const before = objectiveOf(problem, solution);
  return solution.routes[shift].concat(-1).some((_, position) => {
    const after = objectiveOf(problem, {
      routes: solution.routes.with(shift, solution.routes[shift].toSpliced(position, 0, task)),
      unserved: solution.unserved.filter((other) => other !== task),
    });
    return after !== null && (before === null || compare(after, before) < 0);
  });
}

const leftovers = randomProblem({ tasksMax: 6 }).map((problem) => {
  const routes = problem.shifts.map((shift) => [...shift.sequence]);
  const unserved = problem.tasks.keys().filter((task) => !routes.flat().includes(task)).toArray();
  return { problem, solution: insertLeftovers(problem, { routes, unserved }) };
});

test('a fix makes the order fit, one second less does not, and nor does a smaller change of another kind', () => {
  const found = new Map<string, number>();
  fc.assert(fc.property(leftovers, ({ problem, solution }) => {
    for (const task of solution.unserved) {
      const fix = findFix(draftOf(problem, solution.routes), task, { horizon, fixSecondsMax: 300 });
      const isFixed = (tried: Fix) => fits(applyFix(problem, task, tried), solution, task, tried.shift);
      const least = fix === null ? 301 : fix.seconds;
      if (fix !== null) {
        found.set(fix.kind, (found.get(fix.kind) ?? 0) + 1);
        expect(isFixed(fix)).toBe(true);
      }
      // Windows only: how far hours may grow is a matter of the vehicle's other shifts.
      for (const kind of ['window_end_later', 'window_start_earlier'] as const) {
        for (const shift of problem.tasks[task].shifts ?? problem.shifts.keys()) {
          if (least > 1) expect(isFixed({ kind, seconds: least - 1, shift })).toBe(false);
        }
      }
    }
  }), { numRuns: 500, seed: 3 });
  expect(new Set(found.keys())).toEqual(new Set(fixKinds));
});
