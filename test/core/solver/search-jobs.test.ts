import { expect, test } from '@jest/globals';
import { presentPlan } from '../../../core/solver/best-plan.ts';
import { compile } from '../../../core/solver/compile.ts';
import type { Problem } from '../../../core/solver/problem.ts';
import { isWorthHunting } from '../../../core/solver/search-jobs.ts';
import { loadSlots } from '../../../core/solver/start.ts';
import { createState } from '../../../core/solver/state.ts';
import { lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';

/** Of three tasks with loads of 5, 3 and 4, is it worth looking for a plan that leaves out less than all but those served? */
function isWorth(served: number[], { capacity = 11, ...overrides }: Partial<Problem> & { capacity?: number } = {}): boolean {
  const tasks = [5, 3, 4].map((demand, i) => taskAt(i + 1, { demand }));
  const compiled = compile(lineProblem({ tasks, shifts: [shiftOf({ capacity })], ...overrides }));
  const state = createState(compiled);
  loadSlots(state, [served]);
  return isWorthHunting({ compiled }, presentPlan(state));
}

test('hunts end when all is served, or as much as the load allows', () => {
  expect([isWorth([0, 1, 2], { capacity: 12 }), isWorth([0, 1], { capacity: 12 }), isWorth([0, 1]), isWorth([2])]).toEqual([false, true, false, true]);
});

test('where something mandatory is left out they go on, whatever the load', () => {
  const tasks = [5, 3, 4].map((demand, i) => taskAt(i + 1, { demand, mandatory: i === 2 }));
  expect([isWorth([0, 1], { tasks }), isWorth([1, 2], { tasks })]).toEqual([true, false]);
});

test('where leaving out less is not the first aim there are none', () => {
  expect(isWorth([2], { objective: 'least_travel' })).toBe(false);
});
