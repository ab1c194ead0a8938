import { expect, test } from '@jest/globals';
import { anneal, construct, createSearcher } from '../../../core/solver/anneal.ts';
import { compile } from '../../../core/solver/compile.ts';
import { isDue, offer, sortCheapest } from '../../../core/solver/recreate.ts';
import { loadStart } from '../../../core/solver/start.ts';
import { lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';

test('what finds no place again and again is offered in one step of sixteen in the end, and in every step once it has found one', () => {
  // Each fits alone, and not both: the pinned one has come first. The third is moved about, so that there is something to do.
  const tasks = [taskAt(1, { duration: 500, pinned: true }), taskAt(2, { duration: 500 }), taskAt(1)];
  const searcher = createSearcher(compile(lineProblem({ tasks, shifts: [shiftOf({ sequence: [0] }), shiftOf({ intervals: [{ start: 0, end: 300 }] })] })), 1);
  const { state, putBack, finder } = searcher;
  const duesOf = (task: number) => Array.from({ length: 240 }, (_, steps) => isDue(state, { ...putBack, steps }, task)).filter(Boolean).length;
  const doSteps = (iterationsMax: number) => anneal(searcher, { iterationsMax, share: (steps) => steps / iterationsMax, cooling: { from: 0, until: 1 } });

  loadStart(state, finder);
  construct(searcher);
  expect([duesOf(1), state.sum.unserved]).toEqual([240, 1]);
  doSteps(700);
  expect(duesOf(1)).toBeLessThanOrEqual(120);
  doSteps(60_000);
  expect(duesOf(1)).toBe(15);

  state.duration[1] = 10;
  doSteps(200);
  expect([duesOf(1), state.sum.unserved]).toEqual([240, 0]);
});

test('the cheapest comes first, and where there is more load than room a light one that is dearer may', () => {
  const firsts = (capacity: number): Set<number> => {
    const tasks = [taskAt(1, { demand: 10 }), taskAt(2, { demand: 1 })];
    const { state, putBack, finder, undo, random, strings } = createSearcher(compile(lineProblem({ tasks, shifts: [shiftOf({ capacity })] })), 1);
    loadStart(state, finder);
    finder.sight = Infinity;
    return new Set(Array.from({ length: 200 }, () => {
      offer(state, putBack, random, strings);
      sortCheapest(state, putBack, finder, undo, random);
      return putBack.list[0];
    }));
  };
  expect(firsts(11)).toEqual(new Set([0]));
  expect(firsts(10)).toEqual(new Set([0, 1]));
});
