import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSearcher } from '../../../core/solver/anneal.ts';
import { presentPlan } from '../../../core/solver/best-plan.ts';
import { checkState } from '../../../core/solver/check-state.ts';
import { compile } from '../../../core/solver/compile.ts';
import { descend } from '../../../core/solver/descend.ts';
import { scanSlot } from '../../../core/solver/insertion.ts';
import { linksOf } from '../../../core/solver/links.ts';
import { resetPlace } from '../../../core/solver/place.ts';
import { polishPlan } from '../../../core/solver/polish.ts';
import { NONE } from '../../../core/solver/problem.ts';
import type { Problem, Solution } from '../../../core/solver/problem.ts';
import { refresh } from '../../../core/solver/refresh.ts';
import { search, solutionOf } from '../../../core/solver/search.ts';
import { isBetter } from '../../../core/solver/search-value.ts';
import { closeSolver, solve } from '../../../core/solver/solve.ts';
import { loadSlots, loadStart } from '../../../core/solver/start.ts';
import { link } from '../../../core/solver/state.ts';
import { compare, objectiveOf } from '../../support/brute-force.ts';
import { lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';
import { randomMatrix, randomProblem } from '../../support/random-problem.ts';

afterAll(closeSolver);

const seeds = fc.integer({ min: 0, max: 2 ** 40 });

/** The present plan of a problem, and the other tasks in shifts drawn at random. */
function roughPlan(problem: Problem, seed: number) {
  const compiled = compile(problem);
  const searcher = createSearcher(compiled, seed);
  const { state, random, finder } = searcher;
  loadStart(state, finder);
  for (const task of state.unserved.slice(0, state.sum.unserved)) {
    const slot = random.below(compiled.slotCount);
    resetPlace(finder);
    if (!problem.tasks[task].pinned) scanSlot(state, finder, task, slot);
    if (finder.after === NONE) continue;
    link(state, task, finder.after);
    expect(refresh(state, slot)).toBe(true);
  }
  state.isSwept.fill(0);
  return { compiled, searcher };
}

describe('a local search from any plan of any problem', () => {
  test('makes it no worse, serves as many, leaves pinned ones alone, and has all times right after every move', () => {
    let moves = 0;
    fc.assert(fc.property(randomProblem({ tasksMax: 24, shiftsMax: 4, placesMax: 9 }), seeds, (problem, seed) => {
      const { searcher } = roughPlan(problem, seed);
      const { state } = searcher;
      const before = presentPlan(state);
      const made = descend(searcher, () => {
        checkState(state, problem);
        return false;
      });
      checkState(state, problem);
      const after = presentPlan(state);
      moves += made;
      expect(isBetter(after.value, before.value)).toBe(made > 0);
      expect(after.slots.flat().length).toBe(before.slots.flat().length);
      const pinned = (plan: number[][]) => plan.map((tasks) => tasks.filter((task) => problem.tasks[task].pinned));
      expect(pinned(after.slots)).toEqual(pinned(before.slots));
    }), { numRuns: 1000 });
    expect(moves).toBeGreaterThan(60);
  });

  test('ends at once when it is told to', () => {
    fc.assert(fc.property(randomProblem({ tasksMax: 14, shiftsMax: 4 }), seeds, (problem, seed) => {
      const { searcher } = roughPlan(problem, seed);
      const before = presentPlan(searcher.state);
      expect(descend(searcher, () => true)).toBe(0);
      expect(presentPlan(searcher.state)).toEqual(before);
    }), { numRuns: 50 });
  });
});

/** Vehicles that differ in nothing, windows and loads, and no other rules. */
const plainProblem: fc.Arbitrary<Problem> = fc.integer({ min: 6, max: 10 }).chain((places) => fc.record({
  matrix: randomMatrix(places),
  tasks: fc.array(fc.record({
    place: fc.integer({ min: 1, max: places - 1 }), start: fc.integer({ min: 0, max: 500 }), width: fc.integer({ min: 0, max: 300 }), demand: fc.integer({ min: 1, max: 3 }),
  }), { minLength: 6, maxLength: 12 }),
  capacity: fc.integer({ min: 6, max: 12 }),
})).map(({ matrix, tasks, capacity }) => lineProblem({
  matrices: [matrix],
  tasks: tasks.map(({ place, start, width, demand }) => taskAt(place, { windowStart: start, windowEnd: start + 10 + width, demand })),
  shifts: Array.from({ length: 4 }, () => shiftOf({ capacity })),
}));

test('no move of any neighbourhood makes a plan better that a descent ended with', () => {
  let moved = 0;
  fc.assert(fc.property(plainProblem, seeds, (problem, seed) => {
    const { compiled, searcher } = roughPlan(problem, seed);
    if (descend(searcher, () => false) > 0) moved++;
    expectLocalOptimum(problem, solutionOf(compiled, presentPlan(searcher.state).slots));
  }), { numRuns: 150 });
  expect(moved).toBeGreaterThan(20);
});

test('a stop moves to where the way past it is shorter, though its own route is no shorter without it', () => {
  const travel = [
    [0, 50, 5, 10],
    [50, 0, 5, 90],
    [5, 90, 0, 5],
    [10, 90, 90, 0],
  ];
  const seconds = Int32Array.from(travel.flat());
  const problem = lineProblem({
    matrices: [{ size: 4, seconds, metres: seconds }],
    tasks: [taskAt(1, { demand: 1 }), taskAt(2, { demand: 1 }), taskAt(3, { demand: 3 })],
    shifts: [shiftOf({ sequence: [0], capacity: 2 }), shiftOf({ sequence: [1, 2], capacity: 4 })],
  });
  const searcher = createSearcher(compile(problem), 1);
  loadStart(searcher.state, searcher.finder);
  expect(descend(searcher, () => false)).toBe(1);
  expect(presentPlan(searcher.state).slots).toEqual([[0, 1], [2]]);
});

test('of a known plan only what has changed is looked at, and that is enough', () => {
  fc.assert(fc.property(plainProblem, seeds, (problem, seed) => {
    const { compiled, searcher } = roughPlan(problem, seed);
    const { state } = searcher;
    expect(descend(searcher, () => false, linksOf(state, presentPlan(state).slots))).toBe(0);
    descend(searcher, () => false);
    const known = linksOf(state, presentPlan(state).slots);
    const other = search(compiled, { seed: seed + 1, budget: { iterations: 3 }, clock: () => 0, slots: presentPlan(state).slots }).current;
    const second = createSearcher(compiled, seed);
    loadSlots(second.state, other.slots);
    descend(second, () => false, known);
    expectLocalOptimum(problem, solutionOf(compiled, presentPlan(second.state).slots));
  }), { numRuns: 100 });
});

/** A hundred orders scattered over a square. */
function scatteredSquare(): Problem {
  const spots = Array.from({ length: 101 }, (_, i) => [(i * 7919) % 1999, (i * 6007) % 1777]);
  const seconds = Int32Array.from(spots.flatMap(([x, y]) => spots.map(([u, v]) => Math.ceil(Math.hypot(x - u, y - v)))));
  return lineProblem({
    matrices: [{ size: spots.length, seconds, metres: seconds }],
    tasks: spots.slice(1).map(([x], i) => taskAt(i + 1, { windowStart: (x * 13) % 9000, windowEnd: (x * 13) % 9000 + 6000, demand: 1 + i % 3 })),
    shifts: Array.from({ length: 15 }, () => shiftOf({ intervals: [{ start: 0, end: 20_000 }], capacity: 20 })),
  });
}

test('a plan of more than forty orders comes out as one that no move makes better, however few steps it had', async () => {
  const problem = scatteredSquare();
  const { solution } = await solve(problem, { seed: 1, threads: 1, maxIterations: 20 });
  expect(solution.unserved).toEqual([]);
  const planned = { ...problem, shifts: problem.shifts.map((shift, i) => ({ ...shift, sequence: solution.routes[i] })) };
  const searcher = createSearcher(compile(planned), 1);
  loadStart(searcher.state, searcher.finder);
  expect(descend(searcher, () => false)).toBe(0);
});

test('it goes as far as the time does', () => {
  const compiled = compile(scatteredSquare());
  const { best } = search(compiled, { seed: 1, budget: { iterations: 20 }, clock: () => 0 });
  const polished = (milliseconds: number, looks: number) => {
    let seen = 0;
    return polishPlan(compiled, { slots: best.slots, budget: { milliseconds }, clock: () => Math.floor(seen++ / looks) });
  };
  expect(polished(0, Infinity).value).toEqual(best.value);
  expect(polished(-5, Infinity).value).toEqual(best.value);
  const [some, all] = [polished(1, 40), polished(1, Infinity)];
  expect([isBetter(some.value, best.value), isBetter(all.value, some.value)]).toEqual([true, true]);
});

function expectLocalOptimum(problem: Problem, { routes, unserved }: Solution): void {
  const value = objectiveOf(problem, { routes, unserved })!;
  for (const changed of [...relocations(routes), ...crossings(routes), ...exchanges(routes), ...replacements(routes, unserved)]) {
    const served = new Set(changed.flat());
    const next = objectiveOf(problem, { routes: changed, unserved: problem.tasks.keys().filter((task) => !served.has(task)).toArray() });
    // A move that changes the travel in the other metric alone is not looked for.
    if (next !== null && compare(next.slice(0, -1), value.slice(0, -1)) < 0) throw new Error(`${JSON.stringify(routes)} ${value} is worse than ${JSON.stringify(changed)} ${next}`);
  }
}

/** Routes in use only: the search itself knows when to take another vehicle. */
const used = (routes: number[][]) => routes.keys().filter((index) => routes[index].length > 0).toArray();
const replaced = (routes: number[][], changes: [number, number[]][]) => routes.map((route, index) => changes.find(([at]) => at === index)?.[1] ?? route);
const without = (route: number[], from: number, count = 1) => route.toSpliced(from, count);
const insertions = (route: number[], run: number[]) => Array.from({ length: route.length + 1 }, (_, at) => route.toSpliced(at, 0, ...run));

function* relocations(routes: number[][]): Generator<number[][]> {
  for (const from of used(routes)) {
    for (let count = 1; count <= 3; count++) {
      for (let at = 0; at + count <= routes[from].length; at++) {
        const run = routes[from].slice(at, at + count);
        for (const to of used(routes)) {
          if (to === from) for (const route of insertions(without(routes[from], at, count), run)) yield replaced(routes, [[from, route]]);
          else for (const route of insertions(routes[to], run)) yield replaced(routes, [[from, without(routes[from], at, count)], [to, route]]);
        }
      }
    }
  }
}

function* crossings(routes: number[][]): Generator<number[][]> {
  for (const one of used(routes)) {
    for (const other of used(routes).filter((index) => index > one)) {
      for (let a = 0; a <= routes[one].length; a++) {
        for (let b = 0; b <= routes[other].length; b++) {
          yield replaced(routes, [[one, [...routes[one].slice(0, a), ...routes[other].slice(b)]], [other, [...routes[other].slice(0, b), ...routes[one].slice(a)]]]);
        }
      }
    }
  }
}

function* exchanges(routes: number[][]): Generator<number[][]> {
  for (const one of used(routes)) {
    for (const other of used(routes).filter((index) => index > one)) {
      for (const [a, task] of routes[one].entries()) {
        for (const [b, mate] of routes[other].entries()) {
          for (const first of insertions(without(routes[one], a), [mate])) {
            for (const second of insertions(without(routes[other], b), [task])) yield replaced(routes, [[one, first], [other, second]]);
          }
        }
      }
    }
  }
}

function* replacements(routes: number[][], unserved: number[]): Generator<number[][]> {
  for (const task of unserved) {
    for (const index of used(routes)) {
      for (const at of routes[index].keys()) for (const route of insertions(without(routes[index], at), [task])) yield replaced(routes, [[index, route]]);
    }
  }
}
