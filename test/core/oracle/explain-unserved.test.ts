import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { explainLeftovers, explainUnserved } from '../../../core/oracle/explain-unserved.ts';
import { fixKinds, reasons, type Explanation } from '../../../core/oracle/explanation.ts';
import { insertLeftovers } from '../../../core/oracle/insert-leftovers.ts';
import { NONE } from '../../../core/solver/problem.ts';
import type { Problem } from '../../../core/solver/problem.ts';
import { bruteForce } from '../../support/brute-force.ts';
import { randomProblem } from '../../support/random-problem.ts';
import { horizon, problem, shift, task } from './small-problem.ts';

/** The last task is the one that is left out; `routes` hold the others. */
function explainLast(given: Problem, routes: number[][] = given.shifts.map(() => [])): Explanation {
  const last = given.tasks.length - 1;
  const served = new Set(routes.flat());
  const unserved = given.tasks.keys().filter((index) => !served.has(index)).toArray();
  return explainUnserved(given, { routes, unserved }, last, { horizon });
}

describe('each reason', () => {
  test('no shift may serve it', () => {
    expect(explainLast(problem([task({ shifts: [] })]))).toEqual({
      reason: 'no_eligible_vehicle', proved: true, detail: 'no vehicle may serve it on the requested dates',
      fix: { kind: 'other_vehicle', seconds: 0, shift: 0 }, travelSecondsAlone: null, costlier: false, extraTravel: null,
    });
  });

  test('its window lies outside the dates', () => {
    expect(explainLast(problem([task({ windowStart: 10_000, windowEnd: 10_200 })]))).toMatchObject({ reason: 'window_outside_dates', proved: true, travelSecondsAlone: 200 });
  });

  test('nobody works within its window', () => {
    expect(explainLast(problem([task({ windowStart: 1950 })]))).toMatchObject({ reason: 'outside_working_hours', proved: true });
    expect(explainLast(problem([task({ windowEnd: 1050 })]))).toMatchObject({ reason: 'outside_working_hours', proved: true });
    // 250 seconds of work remain in the window, but not in one piece.
    const split = shift({ intervals: [{ start: 1000, end: 1150 }, { start: 1200, end: 1300 }] });
    expect(explainLast(problem([task({ duration: 200 })], [split]))).toMatchObject({ reason: 'outside_working_hours', proved: true });
  });

  test('no road leads to it', () => {
    expect(explainLast(problem([task({ place: 5 })]))).toEqual({
      reason: 'unreachable', proved: true, detail: 'no road leads to it and back for a vehicle that works within its window',
      fix: null, travelSecondsAlone: null, costlier: false, extraTravel: null,
    });
  });

  test('a road leads to it, but only for a vehicle that does not work then', () => {
    const there = shift({ startPlace: 5, endPlace: 5, warehouse: 5, intervals: [{ start: 5000, end: 6000 }] });
    expect(explainLast(problem([task({ place: 5, windowEnd: 2000 })], [shift(), there]))).toMatchObject({ reason: 'unreachable', proved: true, travelSecondsAlone: 0 });
  });

  test('even an empty vehicle can not be there in time', () => {
    // It is there at 1300 at the earliest.
    expect(explainLast(problem([task({ place: 3, windowEnd: 1399 })]))).toMatchObject({
      reason: 'window_too_tight', proved: true, fix: { kind: 'window_end_later', seconds: 1, shift: 0 }, travelSecondsAlone: 600,
    });
  });

  test('its window is shorter than its service', () => {
    expect(explainLast(problem([task({ windowStart: 1500, windowEnd: 1560 })]))).toMatchObject({ reason: 'window_too_tight', proved: true, fix: { kind: 'window_end_later', seconds: 40 } });
  });

  test('the locked stops leave no room', () => {
    const locked = task({ windowStart: 1400, windowEnd: 1500, pinned: true });
    const given = problem([locked, task({ windowStart: 1450, windowEnd: 1580 })], [shift({ sequence: [0] })]);
    expect(explainLast(given, [[0]])).toMatchObject({ reason: 'locked_conflict', proved: true, fix: { kind: 'window_end_later', seconds: 20, shift: 0 } });
  });

  test('the driver\'s other work leaves no room', () => {
    const given = problem([task()], [shift({ driver: 3 })], { fixedSpans: [{ driver: 3, start: 900, end: 1750 }] });
    expect(explainLast(given)).toMatchObject({ reason: 'locked_conflict', proved: true, fix: { kind: 'hours_end_later', seconds: 50, shift: 0 } });
  });

  test('a handover that is not locked could free the driver: nothing is proved', () => {
    const pause = task({ kind: 'break', handoverTo: 4, windowEnd: 1300 });
    const given = problem([pause, task({ windowStart: 1700 })], [shift({ driver: 3 })], { fixedSpans: [{ driver: 3, start: 1500, end: 9000 }] });
    expect(explainLast(given)).toMatchObject({ reason: 'locked_conflict', proved: false });
    expect(bruteForce(given).value[2]).toBe(0);
  });

  test('other orders are in the way', () => {
    const given = problem([task({ windowStart: 1400, windowEnd: 1500 }), task({ windowStart: 1450, windowEnd: 1580 })]);
    expect(explainLast(given, [[0]])).toEqual({
      reason: 'capacity', proved: false, detail: 'the vehicles that may serve it are taken up by other orders',
      fix: { kind: 'window_end_later', seconds: 20, shift: 0 }, travelSecondsAlone: 200, costlier: false, extraTravel: null,
    });
  });

  test('it is more than the vehicle loads', () => {
    expect(explainLast(problem([task({ demand: 5 })], [shift({ capacity: 4 })]))).toMatchObject({ reason: 'capacity', proved: true, fix: null });
  });

  test('serving it costs more travel than a trip for it alone', () => {
    // The vehicle is done at place 4 when the order at place 1 has to be served, and must go back to 4 afterwards.
    const tasks = [task({ place: 4, windowEnd: 1500 }), task({ place: 4, windowStart: 2400, windowEnd: 2500 }), task({ windowStart: 1800, windowEnd: 1900 })];
    const given = problem(tasks, [shift({ intervals: [{ start: 1000, end: 3000 }] })], { objective: 'least_travel' });
    expect(explainLast(given, [[0, 1]])).toMatchObject({
      reason: 'capacity', proved: false, costlier: true, extraTravel: 600, travelSecondsAlone: 200,
      detail: 'serving it costs 7 min more travel than a trip for it alone',
    });
    expect(explainLast({ ...given, metric: 'metres' }, [[0, 1]])).toMatchObject({ costlier: true, extraTravel: 6000, detail: 'serving it costs 4 km more travel than a trip for it alone' });
  });
});

describe('each fix', () => {
  test('the window ends later', () => {
    const given = problem([task({ windowEnd: 1250 }), task({ windowEnd: 1250 })]);
    // Both at place 1: the first from 1100 to 1200, this one from 1200 to 1300.
    expect(explainLast(given, [[0]]).fix).toEqual({ kind: 'window_end_later', seconds: 50, shift: 0 });
  });

  test('the window starts earlier', () => {
    const given = problem([task({ windowStart: 1400, windowEnd: 1500 }), task({ windowStart: 1330, windowEnd: 1440 })]);
    // It has to be done when the first one starts at 1400: at 1300 instead of 1330. Or to end at 1600 instead of 1440.
    expect(explainLast(given, [[0]]).fix).toEqual({ kind: 'window_start_earlier', seconds: 30, shift: 0 });
  });

  /** Served from 1770 to 1870, so that an order after it is home at 2070, and one before it starts at 1670. */
  const untilLate = (overrides = {}) => task({ windowStart: 1770, windowEnd: 1870, ...overrides });

  test('the hours end later', () => {
    expect(explainLast(problem([untilLate(), task({ windowStart: 1870 })]), [[0]]).fix).toEqual({ kind: 'hours_end_later', seconds: 70, shift: 0 });
  });

  test('the hours start earlier', () => {
    const given = problem([task({ place: 2, windowStart: 1170, windowEnd: 1270 })]);
    // Thirty seconds at the end of the window do as well, and come first, unless the next order is in the way.
    expect(explainLast(given).fix).toEqual({ kind: 'window_end_later', seconds: 30, shift: 0 });
    const beside = problem([task({ place: 2, windowStart: 1270, windowEnd: 1370 }), task({ place: 2, windowStart: 1170, windowEnd: 1270 })]);
    expect(explainLast(beside, [[0]]).fix).toEqual({ kind: 'hours_start_earlier', seconds: 30, shift: 0 });
  });

  test('another vehicle', () => {
    const given = problem([task({ windowStart: 1900, shifts: [0] })], [shift(), shift({ vehicle: 1 }), shift({ vehicle: 2, intervals: [{ start: 1000, end: 2100 }] })]);
    expect(explainLast(given).fix).toEqual({ kind: 'other_vehicle', seconds: 0, shift: 2 });
    const last = { routes: [[], [], []], unserved: [0] };
    expect(explainUnserved(given, last, 0, { horizon, selectable: () => [0, 1] }).fix).toEqual({ kind: 'window_start_earlier', seconds: 100, shift: 0 });
    given.tasks[0].kind = 'break';
    expect(explainLast(given).fix).toEqual({ kind: 'window_start_earlier', seconds: 100, shift: 0 });
  });

  test('hours do not grow into the next shift of the vehicle, the past, or beyond the limit', () => {
    const before = (start: number) => problem([untilLate(), task({ windowStart: 1870, kind: 'break', shifts: [0] })], [shift(), shift({ intervals: [{ start, end: 2100 }] })]);
    expect(explainLast(before(2070), [[0], []]).fix).toEqual({ kind: 'hours_end_later', seconds: 70, shift: 0 });
    expect(explainLast(before(2069), [[0], []]).fix).toEqual({ kind: 'window_start_earlier', seconds: 200, shift: 0 });
    const early = problem([task({ place: 2, windowStart: 1270, windowEnd: 1370 }), task({ place: 2, windowStart: 1170, windowEnd: 1270 })]);
    const left = { routes: [[0]], unserved: [1] };
    expect(explainUnserved(early, left, 1, { horizon, notBefore: 970 }).fix).toEqual({ kind: 'hours_start_earlier', seconds: 30, shift: 0 });
    expect(explainUnserved(early, left, 1, { horizon, notBefore: 971 }).fix).toEqual({ kind: 'window_end_later', seconds: 200, shift: 0 });
    expect(explainUnserved(early, left, 1, { horizon, notBefore: 971, fixSecondsMax: 199 }).fix).toBeNull();
  });

  test('the smallest one over all shifts, the first of equal ones', () => {
    const shifts = [1950, 1990, 1990].map((end, vehicle) => shift({ vehicle, intervals: [{ start: 1000, end }] }));
    const given = problem([untilLate(), untilLate(), untilLate(), task({ windowStart: 1870 })], shifts);
    expect(explainLast(given, [[0], [1], [2]]).fix).toEqual({ kind: 'hours_end_later', seconds: 80, shift: 1 });
  });

  test('rest holds after the fix too', () => {
    // Twenty seconds later the order would fit, but the driver would have rested too little before the next shift, which can not wait.
    const tasks = [task({ shifts: [1], windowEnd: 2300 }), task({ shifts: [0], windowStart: 1620, windowEnd: 1720 }), task({ shifts: [0], windowStart: 1720 })];
    const shifts = [shift({ driver: 1, intervals: [{ start: 1000, end: 1900 }] }), shift({ driver: 1, vehicle: 1, intervals: [{ start: 2000, end: 2400 }] })];
    const given = problem(tasks.map((one) => ({ ...one, kind: 'break' as const })), shifts);
    // Home at 1920, and out again at 2100 at the latest.
    expect(explainLast({ ...given, restSeconds: 180 }, [[1], [0]]).fix).toEqual({ kind: 'hours_end_later', seconds: 20, shift: 0 });
    expect(explainLast({ ...given, restSeconds: 181 }, [[1], [0]]).fix).toEqual({ kind: 'window_start_earlier', seconds: 200, shift: 0 });
  });
});

test('the names of the interface', () => {
  expect([...reasons].sort()).toEqual(['capacity', 'locked_conflict', 'no_eligible_vehicle', 'outside_working_hours', 'unreachable', 'window_outside_dates', 'window_too_tight']);
  expect(new Set(fixKinds).size).toBe(5);
});

/** A plan that a hasty search could have made, with what still fits put in. */
const leftovers = randomProblem({ tasksMax: 6, shiftsMax: 3 }).map((given) => {
  const present = { routes: given.shifts.map((one) => [...one.sequence]), unserved: [] as number[] };
  present.unserved = given.tasks.keys().filter((index) => !present.routes.flat().includes(index)).toArray();
  return { given, solution: insertLeftovers(given, present) };
});
const horizonOfRandom = [{ start: 0, end: 2000 }];

test('what is proved is true: not even as the only order that counts can it be served', () => {
  const proved = new Map<string, number>();
  fc.assert(fc.property(leftovers, ({ given, solution }) => {
    for (const [index, explanation] of explainLeftovers(given, solution, { horizon: horizonOfRandom })) {
      if (!explanation.proved) continue;
      proved.set(explanation.reason, (proved.get(explanation.reason) ?? 0) + 1);
      const alone = { ...given, objective: 'most_served' as const, tasks: given.tasks.map((one, i) => ({ ...one, mandatory: i === index })) };
      expect(bruteForce(alone).solution.unserved).toContain(index);
    }
  }), { numRuns: 800, seed: 11 });
  expect(new Set(proved.keys())).toEqual(new Set(reasons));
});

test('reasons that are not proved are given only to what fits into an empty vehicle', () => {
  fc.assert(fc.property(leftovers, ({ given, solution }) => {
    for (const [index, { proved }] of explainLeftovers(given, solution, { horizon: horizonOfRandom })) {
      if (proved) continue;
      const empty = { ...given, fixedSpans: [], tasks: [given.tasks[index]], shifts: given.shifts.map((one) => ({ ...one, sequence: [], driver: NONE })), objective: 'most_served' as const };
      expect(bruteForce({ ...empty, tasks: [{ ...empty.tasks[0], pinned: false }] }).solution.unserved).toEqual([]);
    }
  }), { numRuns: 300 });
});
