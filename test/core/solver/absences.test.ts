import { expect, test } from '@jest/globals';
import { compareMissing, countMissing, createAbsences, leastMissing } from '../../../core/solver/absences.ts';
import { compile } from '../../../core/solver/compile.ts';
import { loadSlots } from '../../../core/solver/start.ts';
import { createState } from '../../../core/solver/state.ts';
import { lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';

/** One vehicle and three tasks of which it serves one; negative where serving the other one instead is a step ahead for a hunt. */
function ahead(capacity: number, { from, to, counted }: { from: number; to: number; counted: number }): number {
  const tasks = [5, 3, 4].map((demand, i) => taskAt(i + 1, { demand }));
  const state = createState(compile(lineProblem({ tasks, shifts: [shiftOf({ capacity })] })));
  loadSlots(state, [[from]]);
  const absences = createAbsences(state);
  for (let i = 0; i < counted; i++) countMissing(absences, state);
  loadSlots(state, [[to]]);
  return compareMissing(absences, state);
}

test('where there is more load than vehicles take, a hunt goes for plans that leave out more of it', () => {
  expect([ahead(11, { from: 0, to: 1, counted: 7 }), ahead(11, { from: 1, to: 0, counted: 7 }), ahead(11, { from: 2, to: 1, counted: 0 })]).toEqual([-2, 2, -1]);
});

test('where vehicles take all of it, for plans that leave out what was missed less often', () => {
  expect([ahead(12, { from: 0, to: 1, counted: 7 }), ahead(12, { from: 1, to: 0, counted: 7 }), ahead(12, { from: 0, to: 1, counted: 0 })]).toEqual([-7, -7, 0]);
});

test('as many tasks are left out at least as all vehicles together have no room for, and what fits nowhere', () => {
  const missing = (capacities: number[], demands: number[]) => leastMissing(compile(lineProblem({
    tasks: demands.map((demand, i) => taskAt(i + 1, { demand })), shifts: capacities.map((capacity, vehicle) => shiftOf({ vehicle, capacity })),
  })));
  expect([missing([12], [5, 3, 4]), missing([11], [5, 3, 4]), missing([6], [5, 3, 4]), missing([3, 3], [5, 3, 3]), missing([3, 3], [4, 4])]).toEqual([0, 1, 2, 1, 2]);
});
