import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { insertLeftovers } from '../../../core/oracle/insert-leftovers.ts';
import { compare, objectiveOf } from '../../support/brute-force.ts';
import { randomProblem } from '../../support/random-problem.ts';
import { problem, shift, task } from './small-problem.ts';

describe('by hand', () => {
  test('an order goes where it adds least, to the first of equal places', () => {
    const given = problem([task({ place: 3 }), task({ place: 2 })], [shift(), shift()]);
    expect(insertLeftovers(given, { routes: [[], [0]], unserved: [1] })).toEqual({ routes: [[], [1, 0]], unserved: [] });
  });

  test('a mandatory order comes before a break, and a break before the others', () => {
    const same = { windowStart: 1500, windowEnd: 1600 };
    const tasks = [task(same), task({ ...same, kind: 'break' }), task({ ...same, mandatory: true })];
    const empty = { routes: [[]], unserved: [0, 1, 2] };
    expect(insertLeftovers(problem(tasks), empty)).toEqual({ routes: [[2]], unserved: [0, 1] });
    expect(insertLeftovers(problem(tasks.slice(0, 2)), { ...empty, unserved: [0, 1] })).toEqual({ routes: [[1]], unserved: [0] });
  });

  test('where travel comes first, only what costs no more than its own trip, unless it is planned already', () => {
    const tasks = [task({ place: 4, windowEnd: 1500 }), task({ place: 4, windowStart: 2400, windowEnd: 2500 }), task({ windowStart: 1800, windowEnd: 1900 })];
    const given = problem(tasks, [shift({ intervals: [{ start: 1000, end: 3000 }] })], { objective: 'least_travel' });
    const solution = { routes: [[0, 1]], unserved: [2] };
    expect(insertLeftovers(given, solution)).toEqual(solution);
    expect(insertLeftovers({ ...given, objective: 'most_served' }, solution).unserved).toEqual([]);
    given.tasks[2].mandatory = true;
    expect(insertLeftovers(given, solution).unserved).toEqual([]);
  });

  test('a handover makes room for an order that did not fit before it', () => {
    const tasks = [task({ windowStart: 1700, mandatory: true }), task({ kind: 'break', handoverTo: 4, windowEnd: 1300 })];
    const given = problem(tasks, [shift({ driver: 3 })], { fixedSpans: [{ driver: 3, start: 1500, end: 9000 }] });
    expect(insertLeftovers(given, { routes: [[]], unserved: [0, 1] })).toEqual({ routes: [[1, 0]], unserved: [] });
  });

  test('a stop on the way breaks a leg that no interval holds, and makes room for an order that did not fit before it', () => {
    // From place 1 it is too far to place 2 for either interval, by way of place 0 it is not.
    const seconds = Int32Array.from([0, 0, 28, 38, 0, 66, 0, 0, 0]);
    const tasks = [task({ place: 1, duration: 1, windowStart: 0, windowEnd: 3000 }), task({ place: 0, duration: 1, windowStart: 0, windowEnd: 3000 })];
    const intervals = [{ start: 0, end: 39 }, { start: 39, end: 69 }];
    const given = { ...problem(tasks, [shift({ intervals, endPlace: 2 })]), matrices: [{ size: 3, seconds, metres: seconds }] };
    expect(insertLeftovers(given, { routes: [[]], unserved: [0, 1] })).toEqual({ routes: [[0, 1]], unserved: [] });
  });

  test('the given solution stays as it is', () => {
    const solution = { routes: [[]], unserved: [0] };
    insertLeftovers(problem([task()]), solution);
    expect(solution).toEqual({ routes: [[]], unserved: [0] });
  });
});

const started = randomProblem().map((given) => {
  const routes = given.shifts.map((one) => [...one.sequence]);
  return { given, before: { routes, unserved: given.tasks.keys().filter((index) => !routes.flat().includes(index)).toArray() } };
});

test('the plan gets no worse, stays feasible, and no single order can be put in any more', () => {
  let inserted = 0;
  fc.assert(fc.property(started, ({ given, before }) => {
    const after = insertLeftovers(given, before);
    inserted += before.unserved.length - after.unserved.length;
    const value = objectiveOf(given, after)!;
    expect(value).not.toBeNull();
    expect(compare(value, objectiveOf(given, before)!)).toBeLessThanOrEqual(0);
    for (const index of after.unserved) {
      after.routes.forEach((route, shiftIndex) => {
        for (let position = 0; position <= route.length; position++) {
          const more = objectiveOf(given, { routes: after.routes.with(shiftIndex, route.toSpliced(position, 0, index)), unserved: after.unserved.filter((other) => other !== index) });
          if (more !== null) expect(compare(more, value)).toBeGreaterThanOrEqual(0);
        }
      });
    }
  }), { numRuns: 500 });
  expect(inserted).toBeGreaterThan(100);
});
