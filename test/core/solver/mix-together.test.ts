import { expect, test } from '@jest/globals';
import { compile } from '../../../core/solver/compile.ts';
import { coolingWithTrunk, mixingShare, mixTogether, trunkShare } from '../../../core/solver/mix-together.ts';
import { NONE } from '../../../core/solver/problem.ts';
import { search, solutionOf } from '../../../core/solver/search.ts';
import type { SlotPlan } from '../../../core/solver/search.ts';
import type { Together } from '../../../core/solver/search-jobs.ts';
import { isBetter } from '../../../core/solver/search-value.ts';
import { timePlan } from '../../../core/solver/timing-plan.ts';
import { lineMatrix, lineProblem, scatteredLine } from '../../support/line-problem.ts';

test('plans that go on from one that is half cooled are mixed, and are better than that, and the same on one thread and on two', async () => {
  const { positions, tasks, shifts } = scatteredLine({ tasks: 120, shifts: 24, onlyFor: (nth) => [nth % 5, 4], driverOf: (shift) => (shift < 4 ? NONE : 0) });
  const problem = lineProblem({ matrices: [lineMatrix(positions)], tasks, shifts });
  const compiled = compile(problem);
  const { best, current } = search(compiled, { seed: 3, budget: { iterations: 2000 }, clock: () => 0, cooling: { from: 0, until: 0.5 } });
  const mix = (threads: number, iterations = 60_000) => {
    const together: Together = { compiled, seed: 5, budget: { iterations }, searches: 2, threads, stop: new Int32Array(new SharedArrayBuffer(4)), started: 0, iterations: 0 };
    return mixTogether(together, { trunk: { best, current }, from: 0.3, stepsPerTask: iterations / 120, mixing: 0.4 });
  };
  const mixed = await mix(1);
  expect(await mix(2)).toEqual(mixed);
  expect([isBetter(mixed.value, best.value), isBetter(mixed.value, current.value)]).toEqual([true, true]);
  const { routes, unserved } = solutionOf(compiled, mixed.slots);
  expect([...routes.flat(), ...unserved].toSorted((a, b) => a - b)).toEqual([...tasks.keys()]);
  expect(timePlan(problem, routes)).not.toBeNull();
  expect(isBetter((await mix(2, 6000)).value, mixed.value)).toBe(false);
});

test('the plan that others go on from cools to the middle in half of the time that is not for mixing, which is more of it where routes are short', () => {
  const planOf = (routes: number, length: number) => ({ slots: [[], ...Array.from({ length: routes }, () => Array<number>(length).fill(0))] }) as unknown as SlotPlan;
  expect([planOf(100, 2), planOf(50, 20), planOf(20, 50), planOf(0, 0)].map(mixingShare)).toEqual([0.4, 0.2, 0.1, 0.4]);
  expect(trunkShare(0.2)).toBe(0.4);
  expect([0, 0.2, 0.4, 0.7, 1].map((share) => coolingWithTrunk(share, 0.4))).toEqual([0, 0.25, 0.5, 0.75, 1]);
});
