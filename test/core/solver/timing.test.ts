import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NONE, UNREACHABLE } from '../../../core/solver/problem.ts';
import { explainRoute, timeRoute } from '../../../core/solver/timing.ts';
import { compare, scheduleRoute } from '../../support/brute-force.ts';
import { lineMatrix, lineProblem, shiftOf, taskAt } from '../../support/line-problem.ts';
import { randomProblem } from '../../support/random-problem.ts';

const noonGap = [{ start: 0, end: 500 }, { start: 600, end: 1100 }];

describe('a route in one interval', () => {
  const problem = lineProblem({ tasks: [taskAt(1, { windowStart: 250 }), taskAt(2)], shifts: [shiftOf()] });

  test('leaves as late as the first service allows and serves as early as possible', () => {
    const timing = timeRoute(problem, 0, [0, 1])!;
    expect(timing).toMatchObject({ departure: 150, arrival: 570, seconds: 400, metres: 4000 });
    expect(timing.visits).toEqual([
      { task: 0, place: 1, arrival: 250, start: 250, end: 260, departure: 260, travelSeconds: 100, travelMetres: 1000, waitSeconds: 0 },
      { task: 1, place: 2, arrival: 360, start: 360, end: 370, departure: 370, travelSeconds: 100, travelMetres: 1000, waitSeconds: 0 },
    ]);
    expect(timing.returnLeg).toEqual({ departure: 370, arrival: 570, seconds: 200, metres: 2000 });
    expect(timing.spans).toEqual([{ driver: NONE, start: 150, end: 570 }]);
  });

  test('waits at later stops until their windows open', () => {
    expect(timeRoute(problem, 0, [1, 0])!.visits[1]).toMatchObject({ arrival: 310, start: 310, waitSeconds: 0 });
    const late = lineProblem({ tasks: [taskAt(1), taskAt(2, { windowStart: 400 })], shifts: [shiftOf()] });
    expect(timeRoute(late, 0, [0, 1])!.visits[1]).toMatchObject({ arrival: 210, start: 400, waitSeconds: 190 });
  });

  test('without tasks costs nothing, even where it ends elsewhere', () => {
    const elsewhere = lineProblem({ tasks: [], shifts: [shiftOf({ endPlace: 1 })] });
    expect(timeRoute(elsewhere, 0, [])).toMatchObject({ seconds: 0, metres: 0, visits: [], spans: [] });
  });

  test('keeps within bounds from outside', () => {
    expect(timeRoute(problem, 0, [0, 1], { earliestStart: 200 })).toMatchObject({ departure: 200, arrival: 620 });
    expect(timeRoute(problem, 0, [0, 1], { latestEnd: 570 })).not.toBeNull();
    expect(explainRoute(problem, 0, [0, 1], { latestEnd: 569 })).toEqual({ task: NONE, rule: 'end' });
  });
});

describe('a route that is not feasible says where', () => {
  const shifts = [shiftOf({ capacity: 5, intervals: [{ start: 0, end: 700 }] })];
  const broken = lineMatrix([0, 100, 200, 300, 400, -100]);
  broken.seconds[5] = UNREACHABLE;
  const tasks = [taskAt(1, { windowEnd: 109 }), taskAt(5), taskAt(2, { demand: 3 }), taskAt(2, { demand: 3 }), taskAt(1, { windowStart: 695 }), taskAt(4)];
  const problem = lineProblem({ matrices: [broken], tasks, shifts });

  test.each([
    ['a window that the service outlasts', [0], { task: 0, rule: 'window' }],
    ['a place without a road', [1], { task: 1, rule: 'unreachable' }],
    ['a load above the capacity', [2, 3], { task: 3, rule: 'capacity' }],
    ['a service past the hours', [4], { task: 4, rule: 'hours' }],
    ['a return past the hours', [5], { task: NONE, rule: 'end' }],
  ])('%s', (_, route, misfit) => {
    expect(timeRoute(problem, 0, route)).toBeNull();
    expect(explainRoute(problem, 0, route)).toEqual(misfit);
  });
});

describe('a gap', () => {
  test('with wait holds neither service nor travel', () => {
    const problem = lineProblem({
      tasks: [taskAt(4, { windowStart: 450 }), taskAt(3)],
      shifts: [shiftOf({ gap: 'wait', intervals: noonGap })],
    });
    const timing = timeRoute(problem, 0, [0, 1])!;
    // 460 + 100 is past 500, so the vehicle stands at place 4 and leaves when the hours go on.
    expect(timing.visits.map(({ end, departure, arrival }) => ({ arrival, end, departure }))).toEqual([
      { arrival: 450, end: 460, departure: 600 },
      { arrival: 700, end: 710, departure: 710 },
    ]);
    expect(timing.arrival).toBe(1010);
  });

  test('with return_to_warehouse is spent at the warehouse', () => {
    const problem = lineProblem({ tasks: [taskAt(1, { windowEnd: 500 }), taskAt(1), taskAt(1, { windowStart: 800 })], shifts: [shiftOf({ intervals: noonGap })] });
    const timing = timeRoute(problem, 0, [0, 1, 2], { cut: 'earliest' })!;
    expect(timing.visits[2]).toEqual({
      task: NONE, place: 0, arrival: 220, start: 500, end: 600, departure: 700, travelSeconds: 100, travelMetres: 1000, waitSeconds: 0,
    });
    expect(timing).toMatchObject({ departure: 0, seconds: 400, arrival: 910 });
  });

  test('is put where it costs the least travel, not where it comes first', () => {
    // Places 1 and 5 lie on opposite sides; together they fit the second interval only with what is on their side.
    const problem = lineProblem({
      tasks: [taskAt(5), taskAt(1), taskAt(2, { windowStart: 600 })],
      shifts: [shiftOf({ intervals: [{ start: 0, end: 450 }, { start: 500, end: 1100 }] })],
    });
    const timing = timeRoute(problem, 0, [0, 1, 2])!;
    expect(timing.visits.map(({ task }) => task)).toEqual([0, NONE, 1, 2]);
    expect(timing.seconds).toBe(200 + 400);
    expect(timeRoute(problem, 0, [0, 1, 2], { cut: 'earliest' })!.seconds).toBe(400 + 400);
  });

  test('sends a vehicle that is under way to its warehouse first', () => {
    const problem = lineProblem({
      tasks: [taskAt(1, { windowStart: 800 })], shifts: [shiftOf({ startPlace: 3, intervals: noonGap })],
    });
    const timing = timeRoute(problem, 0, [0])!;
    expect(timing).toMatchObject({ departure: 200, seconds: 500, arrival: 910 });
    expect(timing.visits[0]).toMatchObject({ task: NONE, arrival: 500, departure: 700, travelSeconds: 300 });
  });
});

test('a handover ends one driver\'s span with the break and starts the other\'s', () => {
  const problem = lineProblem({
    tasks: [taskAt(1), taskAt(2, { kind: 'break', handoverTo: 8, duration: 30 }), taskAt(1)],
    shifts: [shiftOf({ driver: 7 })],
  });
  const timing = timeRoute(problem, 0, [0, 1, 2])!;
  expect(timing.handovers).toEqual([{ task: 1, from: 7, to: 8, start: 210, end: 240 }]);
  expect(timing.spans).toEqual([{ driver: 7, start: 0, end: 240 }, { driver: 8, start: 210, end: 450 }]);
  expect(timeRoute(problem, 0, [0, 1, 2], { earliestTakeover: () => 300 })!.visits[1]).toMatchObject({ start: 300, waitSeconds: 90 });
});

test('every route is feasible, costs and begins as an independent walk says', () => {
  fc.assert(fc.property(randomProblem({ tasksMax: 5, shiftsMax: 2 }), fc.array(fc.nat(), { maxLength: 5 }), (problem, picks) => {
    const left = [...problem.tasks.keys()];
    const route = picks.slice(0, left.length).map((pick) => left.splice(pick % left.length, 1)[0]);
    for (const cut of ['least_travel', 'earliest'] as const) {
      for (const shift of problem.shifts.keys()) {
        const timing = timeRoute(problem, shift, route, { cut });
        const schedule = scheduleRoute(problem, shift, route, { cut });
        expect(timing === null).toBe(schedule === null);
        if (timing === null || schedule === null) continue;
        expect(compare([timing.seconds, timing.metres], [schedule.seconds, schedule.metres])).toBe(0);
        expect(timing.visits.filter(({ task }) => task !== NONE).map(({ start }) => start)).toEqual(schedule.starts);
      }
    }
  }), { numRuns: 300 });
});
