import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSearcher } from '../../../core/solver/anneal.ts';
import { compile } from '../../../core/solver/compile.ts';
import { mayGo } from '../../../core/solver/exchange.ts';
import { linksOf } from '../../../core/solver/links.ts';
import type { Links } from '../../../core/solver/links.ts';
import { matchingRoutes } from '../../../core/solver/matching.ts';
import { createRandom } from '../../../core/solver/random.ts';
import { search } from '../../../core/solver/search.ts';
import { loadSlots } from '../../../core/solver/start.ts';
import { lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';
import { randomProblem } from '../../support/random-problem.ts';

describe('routes of two plans that serve nearly the same tasks', () => {
  const problems = fc.tuple(randomProblem({ tasksMax: 14, shiftsMax: 4 }), fc.integer({ min: 0, max: 2 ** 40 }));

  test('are different ones of each, none of which has to stay', () => {
    let found = 0;
    fc.assert(fc.property(problems, ([problem, seed]) => {
      const compiled = compile(problem);
      const { state } = createSearcher(compiled, seed);
      const [base, mate] = [seed, seed + 1].map((nth) => search(compiled, { seed: nth, budget: { iterations: 30 }, clock: () => 0 }).current.slots);
      loadSlots(state, base);
      const random = createRandom(seed);
      for (let i = 0; i < 5; i++) {
        const { leaving, coming } = matchingRoutes(state, linksOf(state, mate), random, (slot) => mayGo(state, slot));
        expect(leaving.length > 0).toBe(coming.length > 0);
        if (leaving.length === 0) continue;
        found++;
        expect([new Set(leaving).size, new Set(coming).size]).toEqual([leaving.length, coming.length]);
        for (const slot of leaving) expect([base[slot].length > 0, mayGo(state, slot)]).toEqual([true, true]);
        for (const slot of coming) expect(mate[slot].length).toBeGreaterThan(0);
        // It began with one route of each: never is the difference greater than that of any two.
        const shared = Math.max(...leaving.flatMap((one) => coming.map((other) => difference([base[one]], [mate[other]]))));
        expect(difference(leaving.map((slot) => base[slot]), coming.map((slot) => mate[slot]))).toBeLessThanOrEqual(shared);
      }
    }), { numRuns: 300 });
    expect(found).toBeGreaterThan(50);
  });

  const tasks = Array.from({ length: 8 }, () => taskAt(1));
  const compiled = compile(lineProblem({ tasks, shifts: Array.from({ length: 4 }, () => shiftOf()) }));
  const matchings = (one: number[][], other: number[][], seed = 1) => {
    const { state } = createSearcher(compiled, 1);
    loadSlots(state, one);
    const mate: Links = linksOf(state, other);
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => matchingRoutes(state, mate, random, () => true)).map(({ leaving, coming }) => [leaving.toSorted(), coming.toSorted()]);
  };

  test('are as many as it takes for the same tasks, and no more', () => {
    // The second and third routes have exchanged their last tasks, the first is the same, and the fourth has another order.
    const found = matchings([[0, 1], [2, 3], [4, 5], [6, 7]], [[0, 1], [2, 5], [4, 3], [7, 6]]);
    const kinds = new Set(found.map((one) => JSON.stringify(one)));
    expect(kinds).toEqual(new Set([JSON.stringify([[1, 2], [1, 2]]), JSON.stringify([[3], [3]])]));
  });

  test('are none of plans that are alike', () => {
    const plan = [[0, 1], [2, 3], [4, 5], [6, 7]];
    expect(matchings(plan, plan)).toEqual(Array.from({ length: 20 }, () => [[], []]));
  });
});

/** How many tasks only one of the two serves. */
function difference(one: number[][], other: number[][]): number {
  return new Set(one.flat()).symmetricDifference(new Set(other.flat())).size;
}
