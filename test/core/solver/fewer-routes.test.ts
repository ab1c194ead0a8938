import { expect, test } from '@jest/globals';
import { presentPlan } from '../../../core/solver/best-plan.ts';
import { compile } from '../../../core/solver/compile.ts';
import { createTries, isTryDue, tryWithout, withoutRoute } from '../../../core/solver/fewer-routes.ts';
import type { Problem } from '../../../core/solver/problem.ts';
import type { SlotPlan } from '../../../core/solver/search.ts';
import type { Together } from '../../../core/solver/search-jobs.ts';
import { loadSlots } from '../../../core/solver/start.ts';
import { createState } from '../../../core/solver/state.ts';
import { lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';

/** Five tasks of one load each, and three vehicles. */
function fiveTasks({ capacity = 10, ...overrides }: Partial<Problem> & { capacity?: number } = {}) {
  const problem = lineProblem({
    tasks: [1, 2, 3, 4, 1].map((place) => taskAt(place, { demand: 1 })), shifts: [0, 1, 2].map(() => shiftOf({ capacity })), ...overrides,
  });
  return compile(problem);
}

function planOf(compiled: ReturnType<typeof compile>, slots: number[][]): SlotPlan {
  const state = createState(compiled);
  loadSlots(state, slots);
  return presentPlan(state);
}

const THREE_ROUTES = [[0, 1], [4], [2, 3]];

function goesWithout(compiled: ReturnType<typeof compile>, slots = THREE_ROUTES) {
  const shortened = withoutRoute(compiled, planOf(compiled, slots));
  return shortened && { slots: shortened.slots, shifts: shortened.part?.shifts, tasks: shortened.part?.tasks };
}

test('the route of fewest tasks goes, and no vehicle that stands still takes its place', () => {
  expect(goesWithout(fiveTasks())).toEqual({ slots: [[0, 1], [], [2, 3]], shifts: [0, 2], tasks: [0, 1, 2, 3, 4] });
  expect(goesWithout(fiveTasks(), [[0, 1, 4], [], [2, 3]])).toEqual({ slots: [[0, 1, 4], [], []], shifts: [0], tasks: [0, 1, 2, 3, 4] });
});

test('none goes where something is left out, nothing has room for it, it has to stay, or its driver has other shifts', () => {
  expect(goesWithout(fiveTasks(), [[0, 1], [4], [2]])).toBeNull();
  expect(goesWithout(fiveTasks({ capacity: 2 }))).toBeNull();
  expect(goesWithout(fiveTasks({ capacity: 3 }))).not.toBeNull();
  const pinned = fiveTasks({ tasks: [1, 2, 3, 4, 1].map((place, nth) => taskAt(place, { pinned: nth === 4 })), shifts: [shiftOf(), shiftOf({ sequence: [4] }), shiftOf()] });
  expect(goesWithout(pinned)?.slots).toEqual([[], [4], [2, 3]]);
  const oneDriver = [0, 2000].map((start) => shiftOf({ driver: 7, intervals: [{ start, end: start + 1000 }] }));
  expect(goesWithout(fiveTasks({ shifts: [shiftOf(), ...oneDriver] }))?.slots).toEqual([[], [4], [2, 3]]);
});

async function tried(compiled: ReturnType<typeof compile>, slots: number[][], threads: number) {
  const together: Together = { compiled, seed: 1, budget: { iterations: 4000 }, searches: 2, threads, stop: new Int32Array(new SharedArrayBuffer(4)), started: 0, iterations: 0 };
  const plan = planOf(compiled, slots);
  const shortened = withoutRoute(compiled, plan);
  if (shortened === null) throw new Error('a route may go');
  const tries = createTries();
  const round = { seeds: [1, 2], span: { from: 0, until: 1 }, cooling: { from: 0.3, until: 1 } };
  return { ...(await tryWithout(together, { best: plan, current: plan }, shortened, { tries, round })), tries };
}

test('the better of both goes on, the same on one thread and on two', async () => {
  // The fifth task may only be served when the others on its way are not: without its route it is left out.
  const tight = fiveTasks({ tasks: [1, 2, 3, 4, 5].map((place, nth) => taskAt(place, { windowStart: nth === 4 ? 0 : 100 * place, windowEnd: nth === 4 ? 200 : 100 * place + 40 })) });
  const vain = await tried(tight, THREE_ROUTES, 2);
  expect([vain.current.unserved, vain.tries.from, isTryDue(vain.tries, 0.4), isTryDue(vain.tries, 0.6), isTryDue(vain.tries, 0.9)]).toEqual([0, 0.5, false, true, false]);
  const won = await tried(fiveTasks(), THREE_ROUTES, 2);
  expect([won.best.unserved, won.best.value.cost]).toEqual([0, 800]);
  expect(await tried(fiveTasks(), THREE_ROUTES, 1)).toEqual(won);
});
