import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findPlaces, type Wanted } from '../../../core/availability/find-places.ts';
import type { Capacity, OpenShift } from '../../../core/availability/read-capacity.ts';
import { openRooms, type ShiftRoom } from '../../../core/availability/shift-room.ts';
import { whyNot } from '../../../core/availability/why-not.ts';
import type { RoadNetwork, VehicleNetwork } from '../../../core/networks/road-network.ts';
import { destroyRoadThreads } from '../../../core/roads/road-threads.ts';
import { UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { NONE, type Matrix, type Problem } from '../../../core/solver/problem.ts';
import { randomMatrix } from '../../support/random-problem.ts';
import { schedulePlan } from '../../support/brute-force.ts';

afterAll(destroyRoadThreads);

/** A network whose nodes are the places of a random matrix; a point stands for the node of its longitude. */
let networks = 0;
function networkOf({ size, seconds, metres }: Matrix): RoadNetwork {
  const row = (values: Int32Array, from: number) => Int32Array.from({ length: size }, (_, to) => values[from * size + to]);
  const column = (values: Int32Array, to: number) => Int32Array.from({ length: size }, (_, from) => values[from * size + to]);
  const version = `random:${networks++}`;
  const everybody: VehicleNetwork = {
    numbering: version,
    find: async () => {},
    placeAt: ({ longitude }) => longitude,
    whyNowhere: () => null,
    matrix: () => { throw new Error('nobody needs all of it'); },
    lines: () => { throw new Error('nobody draws'); },
    reach: async (node) => ({ there: { seconds: row(seconds, node), metres: row(metres, node) }, back: { seconds: column(seconds, node), metres: column(metres, node) } }),
    legs: async (pairs) => ({ seconds: Int32Array.from(pairs, ([from, to]) => seconds[from * size + to]), metres: Int32Array.from(pairs, ([from, to]) => metres[from * size + to]) }),
  };
  return { version, attribution: null, for: () => everybody };
}

const originMs = Date.parse('2031-03-03T08:00:00Z');
const at = (seconds: number) => new Date(originMs + seconds * 1_000);
const point = (place: number) => ({ latitude: 0, longitude: place });

interface Case {
  matrix: Matrix;
  warehouse: number;
  intervals: { start: number; end: number }[];
  gap: 'wait' | 'return_to_warehouse';
  stops: { place: number; duration: number; start: number; slack: number; isFixed: boolean }[];
  asked: { place: number; duration: number; start: number; length: number }[];
  restSeconds: number;
  other: { start: number; length: number } | null;
  scheduleLock: boolean;
}

const places = 5;
const anyCase: fc.Arbitrary<Case> = fc.record({
  matrix: randomMatrix(places),
  warehouse: fc.nat({ max: places - 1 }),
  lengths: fc.array(fc.record({ gap: fc.integer({ min: 1, max: 80 }), length: fc.integer({ min: 30, max: 300 }) }), { minLength: 1, maxLength: 3 }),
  gap: fc.constantFrom('wait' as const, 'return_to_warehouse' as const),
  stops: fc.array(fc.record({ place: fc.nat({ max: places - 1 }), duration: fc.integer({ min: 1, max: 40 }), start: fc.nat({ max: 500 }), slack: fc.nat({ max: 300 }), isFixed: fc.boolean() }), { maxLength: 4 }),
  asked: fc.array(fc.record({ place: fc.nat({ max: places - 1 }), duration: fc.integer({ min: 1, max: 40 }), start: fc.integer({ min: -100, max: 600 }), length: fc.integer({ min: 1, max: 400 }) }), { minLength: 1, maxLength: 3 }),
  restSeconds: fc.constantFrom(0, 0, 60, 400),
  other: fc.option(fc.record({ start: fc.integer({ min: -300, max: 900 }), length: fc.nat({ max: 200 }) })),
  scheduleLock: fc.boolean(),
}).map(({ lengths, ...rest }) => {
  const intervals: Case['intervals'] = [];
  let clock = 0;
  for (const { gap, length } of lengths) {
    intervals.push({ start: clock, end: clock + length });
    clock += length + gap;
  }
  return { ...rest, intervals };
});

/** The same as a problem for the slow, obvious solver: the stops in their order, those with a fixed time at that time. */
function slowProblem({ matrix, warehouse, intervals, gap, stops, restSeconds, other, scheduleLock }: Case, starts: number[]): Problem {
  return {
    matrices: [matrix], restSeconds, objective: 'most_served', metric: 'seconds',
    fixedSpans: other ? [{ driver: 0, start: other.start, end: other.start + other.length }] : [],
    shifts: [{ vehicle: 0, driver: 0, startPlace: warehouse, endPlace: warehouse, warehouse, intervals, gap, sequence: [] }],
    tasks: stops.map(({ place, duration, start, slack, isFixed }, index) => {
      const isLocked = (isFixed || scheduleLock) && starts.length > 0;
      return {
        kind: 'task', place, duration, shifts: null, mandatory: true, pinned: true, handoverTo: NONE,
        windowStart: isLocked ? starts[index] : start, windowEnd: isLocked ? starts[index] + duration : start + duration + slack,
      };
    }),
  };
}

const fits = (problem: Problem, route: number[]): boolean => schedulePlan(problem, [route]) !== null;

/** What the room is made of, as records. */
function openShiftOf(each: Case, starts: number[]): OpenShift {
  const { warehouse, intervals, gap, stops, restSeconds, other } = each;
  const orders = stops.map(({ place, duration, start, slack, isFixed }, index) => ({
    id: `order-${index}`, type: 'task', location: point(place), durationSeconds: duration, windowStart: at(start), windowEnd: at(start + duration + slack), status: 'created',
    scheduledAt: at(starts[index]), selectedStartAt: isFixed ? at(starts[index]) : null, replacementDriverId: null, selectedVehicleId: null, selectedDriverId: null,
  }));
  const plan = orders.length === 0 ? null : { id: 'plan', stops: orders.map(({ id, location }, index) => ({ sequence: index + 1, kind: 'task', order_id: id, location })), origin: null, published: null };
  return {
    key: `case ${networks} ${JSON.stringify(starts)}`,
    facts: {
      business: { planning: { min_rest_seconds: restSeconds, travel_metric: 'time', objectives: [], location_freshness_seconds: 300 } },
      asOfMs: originMs - 1_000_000, drivers: new Map(), unplanned: [], planned: new Map(orders.map((order) => [order.id, order])),
      shifts: [{ vehicle: { id: 'van', driverId: 'dora', workingHours: { weekly: {}, overrides: {}, gap_policy: gap } }, warehouse: { location: point(warehouse) }, date: '2031-03-03', plan, intervals: intervals.map(({ start, end }) => ({ startMs: +at(start), endMs: +at(end) })) }],
      otherPlans: other ? [{ id: 'other', driverId: 'dora', startAt: at(other.start), endAt: at(other.start + other.length), stops: [] }] : [],
    },
  } as unknown as OpenShift;
}

describe('a room agrees with trying every position by a slow walk', () => {
  test('about whether there is a place, and the place that it names is one', async () => {
    let available = 0;
    let unavailable = 0;
    await fc.assert(fc.asyncProperty(anyCase, async (each) => {
      const free = slowProblem(each, []);
      const present = schedulePlan(free, [each.stops.map((_, index) => index)]);
      // Only what is planned already can be asked about.
      fc.pre(present !== null);
      const starts = present![0].starts;
      const problem = slowProblem(each, starts);
      const network = networkOf(each.matrix);
      const roads = network.for({});
      const rooms = await openRooms({ network, shifts: [openShiftOf(each, starts)] } as unknown as Capacity, { scheduleLock: each.scheduleLock, assignmentLock: false });
      expect(rooms[0].isOpen).toBe(true);
      // Several places after one another in the same room: nothing of the one before may be left in it.
      for (const { place, duration, start, length } of each.asked) {
        const reach = await roads.reach(place, [...Array(each.matrix.size).keys()]);
        const wanted: Wanted = { places: new Map([[roads.numbering, { node: place, reach }]]), durationSeconds: duration };
        const window = { startMs: +at(start), endMs: +at(start + length) };
        const tasks = [...problem.tasks, { ...problem.tasks[0], kind: 'task' as const, place, duration, windowStart: start, windowEnd: start + length, shifts: null, mandatory: false, pinned: false, handoverTo: NONE }];
        const routes = each.stops.keys().toArray().concat(-1).map((_, position) => each.stops.map((__, index) => index).toSpliced(position, 0, each.stops.length));
        const possible = routes.map((route) => fits({ ...problem, tasks }, route));
        const [found] = await findPlaces(rooms, wanted, [window]);
        expect(found !== null).toBe(possible.includes(true));
        if (found === null) {
          unavailable++;
          expect((await whyNot(rooms, wanted, window)).reason).toBe(expectedReason(each, rooms[0], { place, duration, start, length }));
        } else {
          available++;
          expect(possible[found.position]).toBe(true);
          expect(found.startMs).toBeGreaterThanOrEqual(window.startMs);
          expect(found.startMs + duration * 1_000).toBeLessThanOrEqual(window.endMs);
        }
      }
    }), { numRuns: 600 });
    // The cases are worth something only while both answers occur.
    expect(Math.min(available, unavailable)).toBeGreaterThan(50);
  });
});

/** The reason by its plainest reading: what fails with nothing else planned, what with the fixed stops alone, what with all. */
function expectedReason(each: Case, { request }: ShiftRoom, { place, duration, start, length }: Case['asked'][number]): string {
  const { matrix: { size, seconds }, warehouse, intervals, stops } = each;
  if (length < duration) return 'window_too_tight';
  const atWork = intervals.some((interval) => Math.min(interval.end, start + length) - Math.max(interval.start, start) >= duration);
  if (!atWork) return 'outside_working_hours';
  if (seconds[warehouse * size + place] >= UNREACHABLE || seconds[place * size + warehouse] >= UNREACHABLE) return 'unreachable';
  const problem = slowProblem(each, each.stops.length === 0 ? [] : schedulePlan(slowProblem(each, []), [stops.map((_, index) => index)])![0].starts);
  const task = { kind: 'task' as const, place, duration, windowStart: start, windowEnd: start + length, shifts: null, mandatory: false, pinned: false, handoverTo: NONE };
  const alone = { ...problem, tasks: [task], fixedSpans: [] };
  if (!fits(alone, [0])) return 'window_too_tight';
  const fixed = stops.flatMap(({ isFixed }, index) => (isFixed || request.schedule_lock ? [index] : []));
  const withFixed = { ...problem, tasks: [...problem.tasks, task] };
  const hasRoom = [...fixed.keys(), fixed.length].some((position) => fits(withFixed, fixed.toSpliced(position, 0, stops.length)));
  return hasRoom ? 'capacity' : 'locked_conflict';
}
