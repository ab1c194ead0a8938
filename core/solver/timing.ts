import { fit, leave, leaveBack, NEVER } from './intervals.ts';
import { matrixOf, NONE, UNREACHABLE } from './problem.ts';
import type { Interval, Matrix, Problem } from './problem.ts';

/** One stop of a route: a task, or (`task` is NONE) the warehouse between two working intervals. */
export interface Visit {
  task: number;
  place: number;
  arrival: number;
  /** Service start. At the warehouse: when the interval in which it came back ends. */
  start: number;
  /** Service end. At the warehouse: when the interval in which it leaves again starts. */
  end: number;
  departure: number;
  /** The leg that leads here. */
  travelSeconds: number;
  travelMetres: number;
  /** Between arrival and service; 0 at the warehouse, where being off is not waiting. */
  waitSeconds: number;
}

export interface Leg {
  departure: number;
  arrival: number;
  seconds: number;
  metres: number;
}

/** `from` drives until `end`, `to` is present from `start`. */
export interface Handover {
  task: number;
  from: number;
  to: number;
  start: number;
  end: number;
}

/** A driver's part of a route, both ends included. */
export interface DriverSpan {
  driver: number;
  start: number;
  end: number;
}

export interface RouteTiming {
  departure: number;
  /** At the end place. */
  arrival: number;
  /** Travel of all legs, those to and from the warehouse included. */
  seconds: number;
  metres: number;
  visits: Visit[];
  returnLeg: Leg;
  handovers: Handover[];
  spans: DriverSpan[];
}

/** What the work of the same drivers in other shifts leaves for this one. */
export interface TimingBounds {
  /** The vehicle does not leave its start place before this. */
  earliestStart?: number;
  /** It is at its end place by then. */
  latestEnd?: number;
  /** A handover to this driver does not begin before this. */
  earliestTakeover?: (driver: number) => number;
  /** Which cut of the order into intervals counts, where there are several: that of least travel (the default) or the earliest. */
  cut?: 'least_travel' | 'earliest';
}

/** The first thing that goes wrong on the way: at `task`, or (NONE) on the leg to the warehouse or the end place. */
export interface Misfit {
  task: number;
  rule: 'unreachable' | 'capacity' | 'hours' | 'window' | 'end';
}

/**
 * Walks a route and says when everything happens; null where the route is not feasible. Service is as early as possible, and the
 * vehicle leaves the start place (and the warehouse after a gap) as late as that allows.
 *
 * With `return_to_warehouse` the order of the tasks does not say which interval serves which: of all feasible ways to cut the order
 * into intervals the one with the least travel counts, and of equal ones the one that serves more in the earlier intervals.
 *
 * Neither eligibility (`Task.shifts`) nor locks are looked at, only time, roads and load. This is the reference that everything fast
 * is compared with: keep it plain.
 */
export function timeRoute(problem: Problem, shiftIndex: number, tasks: number[], bounds: TimingBounds = {}): RouteTiming | null {
  const outcome = walkRoute(problem, shiftIndex, tasks, bounds);
  return 'rule' in outcome ? null : outcome;
}

/** Why `timeRoute` is null: the obstacle that is met furthest along the route; null where the route is feasible. */
export function explainRoute(problem: Problem, shiftIndex: number, tasks: number[], bounds: TimingBounds = {}): Misfit | null {
  const outcome = walkRoute(problem, shiftIndex, tasks, bounds);
  return 'rule' in outcome ? { task: outcome.task, rule: outcome.rule } : null;
}

/** Times a route whose cut into intervals is given: `parts[i]` is served in interval i. With `wait` there is one part. */
export function timeParts(problem: Problem, shiftIndex: number, parts: number[][], bounds: TimingBounds = {}): RouteTiming | null {
  const tours: Tour[] = [];
  const lastUsed = parts.findLastIndex((part) => part.length > 0);
  for (let i = 0; i <= lastUsed; i++) {
    const tour = walkTour(problem, tourFrame(problem, shiftIndex, { interval: i, isLast: i === lastUsed }, bounds), parts[i]);
    if ('rule' in tour) return null;
    tours.push(tour);
  }
  return joinTours(problem, shiftIndex, tours);
}

/** Does this shift cut its work into closed tours, one for each interval? */
export function hasTours(problem: Problem, shiftIndex: number): boolean {
  const shift = problem.shifts[shiftIndex];
  return shift.gap === 'return_to_warehouse' && shift.intervals.length > 1;
}

type FurthestMisfit = Misfit & { reached: number };

function walkRoute(problem: Problem, shiftIndex: number, tasks: number[], bounds: TimingBounds): RouteTiming | FurthestMisfit {
  if (tasks.length === 0) return joinTours(problem, shiftIndex, []);
  if (hasTours(problem, shiftIndex)) return walkBestCut(problem, shiftIndex, tasks, bounds);
  const tour = walkTour(problem, tourFrame(problem, shiftIndex, { interval: 0, isLast: true }, bounds), tasks);
  return 'rule' in tour ? tour : joinTours(problem, shiftIndex, [tour]);
}

/** A stretch of a route between two visits of the warehouse, with the hours that it has. */
interface TourFrame {
  matrix: Matrix;
  from: number;
  to: number;
  intervals: Interval[];
  earliestStart: number;
  latestEnd: number;
  capacity: number;
  earliestTakeover: (driver: number) => number;
}

interface Tour {
  interval: Interval;
  visits: Visit[];
  departure: number;
  seconds: number;
  metres: number;
  back: Leg;
}

function tourFrame(problem: Problem, shiftIndex: number, part: { interval: number; isLast: boolean }, bounds: TimingBounds): TourFrame {
  const shift = problem.shifts[shiftIndex];
  return {
    matrix: matrixOf(problem, shiftIndex),
    from: part.interval === 0 ? shift.startPlace : shift.warehouse,
    to: part.isLast ? shift.endPlace : shift.warehouse,
    intervals: hasTours(problem, shiftIndex) ? [shift.intervals[part.interval]] : shift.intervals,
    earliestStart: bounds.earliestStart ?? -NEVER,
    latestEnd: bounds.latestEnd ?? NEVER,
    capacity: shift.capacity ?? Infinity,
    earliestTakeover: bounds.earliestTakeover ?? (() => -NEVER),
  };
}

function walkTour(problem: Problem, frame: TourFrame, tasks: number[]): Tour | FurthestMisfit {
  const { matrix, intervals } = frame;
  const visits: Visit[] = [];
  const sum = { seconds: 0, metres: 0 };
  let place = frame.from;
  let ready = Math.max(intervals[0].start, frame.earliestStart);
  let departure = ready;
  let load = 0;
  const misfit = (task: number, rule: Misfit['rule']) => ({ task, rule, reached: visits.length });

  for (const index of tasks) {
    const task = problem.tasks[index];
    const cell = place * matrix.size + task.place;
    const travelSeconds = matrix.seconds[cell];
    if (travelSeconds >= UNREACHABLE) return misfit(index, 'unreachable');
    load += task.demand ?? 0;
    if (load > frame.capacity) return misfit(index, 'capacity');

    const left = leave(intervals, ready, travelSeconds);
    const takeover = task.handoverTo === NONE ? -NEVER : frame.earliestTakeover(task.handoverTo);
    const start = fit(intervals, Math.max(left + travelSeconds, task.windowStart, takeover), task.duration);
    if (start === NEVER) return misfit(index, 'hours');
    if (start + task.duration > task.windowEnd) return misfit(index, 'window');

    // Only the first leg waits for its moment; everybody else is on the spot as early as possible.
    const last = visits.at(-1);
    const leaves = last === undefined ? leaveBack(intervals, start, travelSeconds) : left;
    if (last === undefined) departure = leaves;
    else last.departure = leaves;
    const arrival = leaves + travelSeconds;
    const end = start + task.duration;
    visits.push({
      task: index, place: task.place, arrival, start, end, departure: end,
      travelSeconds, travelMetres: matrix.metres[cell], waitSeconds: start - arrival,
    });
    sum.seconds += travelSeconds;
    sum.metres += matrix.metres[cell];
    place = task.place;
    ready = end;
  }

  const back = walkBack(frame, { place, ready, isIdle: visits.length === 0 });
  if (back === null) return misfit(NONE, matrix.seconds[place * matrix.size + frame.to] >= UNREACHABLE ? 'unreachable' : 'end');
  const last = visits.at(-1);
  if (last === undefined) departure = back.departure;
  else last.departure = back.departure;
  return { interval: intervals[0], visits, departure, seconds: sum.seconds + back.seconds, metres: sum.metres + back.metres, back };
}

/** The leg that closes a tour. A vehicle that only goes to its warehouse before a gap does so as late as it may. */
function walkBack(frame: TourFrame, at: { place: number; ready: number; isIdle: boolean }): Leg | null {
  const { size, seconds, metres } = frame.matrix;
  if (at.isIdle && at.place === frame.to) return { departure: at.ready, arrival: at.ready, seconds: 0, metres: 0 };
  const cell = at.place * size + frame.to;
  if (seconds[cell] >= UNREACHABLE) return null;
  const earliest = leave(frame.intervals, at.ready, seconds[cell]);
  if (earliest === NEVER || earliest + seconds[cell] > frame.latestEnd) return null;
  const departure = at.isIdle ? leaveBack(frame.intervals, Math.min(frame.intervals[0].end, frame.latestEnd), seconds[cell]) : earliest;
  return { departure, arrival: departure + seconds[cell], seconds: seconds[cell], metres: metres[cell] };
}

interface Cut {
  travel: [number, number];
  tours: Tour[];
}

/** The least travel over all cuts of the order into intervals: backwards over the intervals, remembering the best rest from each task on. */
function walkBestCut(problem: Problem, shiftIndex: number, tasks: number[], bounds: TimingBounds): RouteTiming | FurthestMisfit {
  const intervalCount = problem.shifts[shiftIndex].intervals.length;
  let furthest: FurthestMisfit = { task: tasks[0], rule: 'hours', reached: -1 };
  let rest: (Cut | null)[] = tasks.map(() => null);
  rest.push({ travel: [0, 0], tours: [] });
  for (let interval = intervalCount - 1; interval >= 0; interval--) {
    rest = rest.map((_, first) => bestFrom(interval, first));
  }
  return rest[0] === null ? furthest : joinTours(problem, shiftIndex, rest[0].tours);

  function bestFrom(interval: number, first: number): Cut | null {
    if (first === tasks.length) return { travel: [0, 0], tours: [] };
    let best: Cut | null = null;
    for (let until = first; until <= tasks.length; until++) {
      const frame = tourFrame(problem, shiftIndex, { interval, isLast: until === tasks.length }, bounds);
      const tour = walkTour(problem, frame, tasks.slice(first, until));
      if ('rule' in tour) {
        if (first + tour.reached > furthest.reached) furthest = { ...tour, reached: first + tour.reached };
        // No longer part gets past this task either; a tour that only comes back too late may still do with another end place.
        if (tour.task !== NONE) break;
        continue;
      }
      const after = rest[until];
      if (after === null) continue;
      const travel = addTravel(problem, tour, after.travel);
      // Not worse rather than better: of equal cuts the one that serves more in this interval.
      if (best === null || bounds.cut === 'earliest' || compareTravel(travel, best.travel) <= 0) best = { travel, tours: [tour, ...after.tours] };
    }
    return best;
  }
}

function addTravel(problem: Problem, tour: Tour, rest: [number, number]): [number, number] {
  const first = problem.metric === 'seconds' ? tour.seconds : tour.metres;
  return [rest[0] + first, rest[1] + tour.seconds + tour.metres - first];
}

function compareTravel(a: [number, number], b: [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** Puts the tours of a route one behind the other, with a visit of the warehouse between them. Tours that go nowhere vanish. */
function joinTours(problem: Problem, shiftIndex: number, tours: Tour[]): RouteTiming {
  const shift = problem.shifts[shiftIndex];
  const driven = tours.filter((tour) => tour.visits.length > 0 || tour.back.departure < tour.back.arrival || tour.seconds + tour.metres > 0);
  const opening = shift.intervals[0].start;
  if (driven.length === 0) {
    const returnLeg = { departure: opening, arrival: opening, seconds: 0, metres: 0 };
    return { departure: opening, arrival: opening, seconds: 0, metres: 0, visits: [], returnLeg, handovers: [], spans: [] };
  }
  const visits: Visit[] = [];
  driven.forEach((tour, i) => {
    visits.push(...tour.visits);
    const next = driven[i + 1];
    if (next !== undefined) visits.push(warehouseVisit(shift.warehouse, tour, next));
  });
  const returnLeg = driven[driven.length - 1].back;
  const route = {
    departure: driven[0].departure,
    arrival: returnLeg.arrival,
    seconds: driven.reduce((sum, tour) => sum + tour.seconds, 0),
    metres: driven.reduce((sum, tour) => sum + tour.metres, 0),
    visits,
    returnLeg,
  };
  return { ...route, ...driverSpans(problem, shift.driver, route) };
}

function warehouseVisit(place: number, tour: Tour, next: Tour): Visit {
  const { arrival, seconds, metres } = tour.back;
  return {
    task: NONE, place, arrival, start: tour.interval.end, end: next.interval.start, departure: next.departure,
    travelSeconds: seconds, travelMetres: metres, waitSeconds: 0,
  };
}

/** Who drives when. At a handover both are there for the whole of the break. */
function driverSpans(
  problem: Problem, firstDriver: number, route: { departure: number; arrival: number; visits: Visit[] },
): { handovers: Handover[]; spans: DriverSpan[] } {
  const handovers: Handover[] = [];
  const spans: DriverSpan[] = [];
  let current = { driver: firstDriver, start: route.departure };
  for (const visit of route.visits) {
    const to = visit.task === NONE ? NONE : problem.tasks[visit.task].handoverTo;
    if (to === NONE) continue;
    handovers.push({ task: visit.task, from: current.driver, to, start: visit.start, end: visit.end });
    spans.push({ ...current, end: visit.end });
    current = { driver: to, start: visit.start };
  }
  spans.push({ ...current, end: route.arrival });
  return { handovers, spans };
}
