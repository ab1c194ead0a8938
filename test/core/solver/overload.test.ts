import { expect, test } from '@jest/globals';
import { createBest } from '../../../core/solver/best-plan.ts';
import { compile } from '../../../core/solver/compile.ts';
import { allowOverload, forbidOverload, isNearlyFull, keepOverload, loadAbove, loadLeft } from '../../../core/solver/overload.ts';
import { createRandom } from '../../../core/solver/random.ts';
import { insert } from '../../../core/solver/recreate.ts';
import { search, solutionOf } from '../../../core/solver/search.ts';
import { loadSlots } from '../../../core/solver/start.ts';
import { createState } from '../../../core/solver/state.ts';
import type { State } from '../../../core/solver/state.ts';
import { timePlan } from '../../../core/solver/timing-plan.ts';
import { commitStep, createUndo, rollback } from '../../../core/solver/undo.ts';
import { lineMatrix, lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';

/** Two vehicles, and 48 to be served. */
function twoVehicles(capacity: number, slots: number[][]): State {
  const tasks = [12, 9, 8, 13, 6].map((demand, i) => taskAt(i + 1, { demand }));
  const state = createState(compile(lineProblem({ tasks, shifts: [0, 1].map((vehicle) => shiftOf({ vehicle, capacity })) })));
  loadSlots(state, slots);
  return state;
}

test('a vehicle takes a twentieth more than its capacity, all together what they all may less half of what may stay free, and in the end nobody more', () => {
  const state = twoVehicles(20, [[0], [3]]);
  const best = createBest(state);
  best.offer();
  const undo = createUndo(state);
  const overload = allowOverload(state, 1);
  // Three tasks have a load of 23 at least, which leaves 17.
  expect([...state.slotRoom, overload.free, overload.reserve, loadLeft(overload, state, undo)]).toEqual([9, 8, 15, 8, 7]);
  insert(state, undo, 1, 0);
  expect(loadAbove(overload, state, undo)).toBe(1);
  rollback(undo, state);
  expect([loadAbove(overload, state, undo), overload.above]).toEqual([0, 0]);
  insert(state, undo, 1, 0);
  loadAbove(overload, state, undo);
  commitStep(undo);
  keepOverload(overload, state);
  // Four have 35 at least.
  expect([overload.above, overload.free, overload.reserve, loadLeft(overload, state, undo)]).toEqual([1, 6, 2, 4]);
  forbidOverload(overload, state, best);
  expect([state.slotOf[1], ...state.slotRoom]).toEqual([-1, 8, 7]);
});

test('it is load that keeps tasks out where the lightest ones, as many as are served, leave hardly anything free', () => {
  const [three, four] = [[[0, 4], [1]], [[0, 4], [1, 2]]];
  expect([isNearlyFull(twoVehicles(18, three)), isNearlyFull(twoVehicles(18, four)), isNearlyFull(twoVehicles(20, four))]).toEqual([false, true, false]);
});

test('a search with more load than room passes plans above capacity under full checks, and ends with one that is not', () => {
  const random = createRandom(3);
  const positions = Array.from({ length: 61 }, () => random.below(1000));
  const tasks = Array.from({ length: 60 }, (_, i) => taskAt(i + 1, { demand: 5 + random.below(30), windowEnd: 500 + random.below(4000) }));
  const shifts = Array.from({ length: 3 }, (_, vehicle) => shiftOf({ vehicle, capacity: 200, intervals: [{ start: 0, end: 6000 }] }));
  const problem = lineProblem({ matrices: [lineMatrix(positions)], tasks, shifts });
  for (const seed of [1, 2, 3]) {
    const compiled = compile(problem);
    const { best } = search(compiled, { seed, budget: { iterations: 2000 }, clock: () => 0, checks: problem });
    const { routes, unserved } = solutionOf(compiled, best.slots);
    expect(timePlan(problem, routes)).not.toBeNull();
    expect(unserved.length).toBeLessThan(40);
    for (const route of routes) expect(route.reduce((sum, task) => sum + tasks[task].demand!, 0)).toBeLessThanOrEqual(200);
  }
});
