import { fit, fitBack, NEVER } from '../solver/intervals.ts';
import { matrixOf, UNREACHABLE } from '../solver/problem.ts';
import type { Problem } from '../solver/problem.ts';
import { hasTours, timeRoute } from '../solver/timing.ts';

/**
 * False only where a task can not be inserted at a position of the route; a few additions instead of a walk. The route is the one
 * that was measured; the task may be of another problem that differs in this task alone.
 */
export type Slack = (problem: Problem, task: number, position: number) => boolean;

/** What a route leaves free, taken by itself, without load and without the work of its drivers elsewhere; null where not even it is feasible. */
export function measureSlack(problem: Problem, shift: number, route: number[]): Slack | null {
  if (timeRoute(problem, shift, route) === null) return null;
  return hasTours(problem, shift) ? slackOfTours(problem, shift, route) : slackOfOneTour(problem, shift, route);
}

/** Earliest ends forwards, latest starts backwards. */
function slackOfOneTour(problem: Problem, shiftIndex: number, route: number[]): Slack {
  const shift = problem.shifts[shiftIndex];
  const { intervals } = shift;
  const { size, seconds } = matrixOf(problem, shiftIndex);
  const places = [shift.startPlace, ...placesOf(problem, route)];
  const nextPlaces = [...placesOf(problem, route), shift.endPlace];
  const ready = [intervals[0].start, ...timeRoute(problem, shiftIndex, route)!.visits.map((visit) => visit.end)];
  const latest = [intervals.at(-1)!.end];
  for (const index of route.toReversed()) {
    const { place, windowEnd, duration } = problem.tasks[index];
    const next = nextPlaces[nextPlaces.length - latest.length];
    latest.unshift(fitBack(intervals, Math.min(windowEnd, latest[0] - seconds[place * size + next]), duration));
  }
  return ({ tasks }, index, position) => {
    const { place, windowStart, windowEnd, duration } = tasks[index];
    const there = seconds[places[position] * size + place];
    const onwards = seconds[place * size + nextPlaces[position]];
    if (there >= UNREACHABLE || onwards >= UNREACHABLE) return false;
    const start = fit(intervals, Math.max(ready[position] + there, windowStart), duration);
    if (start === NEVER || start + duration > windowEnd) return false;
    return start + duration + onwards <= latest[position];
  };
}

/**
 * The same for closed tours, by interval k: a task follows the one before it in the same tour, or starts the tour of its interval from
 * the warehouse. `p` counts the tasks of the route that are done.
 */
function slackOfTours(problem: Problem, shiftIndex: number, route: number[]): Slack {
  const { intervals, startPlace, endPlace, warehouse } = problem.shifts[shiftIndex];
  const { size, seconds } = matrixOf(problem, shiftIndex);
  const drive = (from: number, to: number) => seconds[from * size + to];
  const count = route.length;
  const places = [startPlace, ...placesOf(problem, route)];
  const nextPlaces = [...placesOf(problem, route), endPlace];

  /** `ready[p][k]`: when the last of p tasks can be done, if interval k serves it; NEVER if it can not. */
  const ready = [intervals.map((interval, k) => (k === 0 ? interval.start : NEVER))];
  /** `canOpen[p][k]`: p tasks can be done in earlier intervals, and the vehicle can be back for interval k. */
  const canOpen: boolean[][] = [];
  for (let p = 0; p <= count; p++) {
    if (p > 0) ready.push(intervals.map((_, k) => endIn(problem.tasks[route[p - 1]], p - 1, k)));
    const isBack = (k: number) => (p === 0 && k === 0 && startPlace === warehouse) || ready[p][k] + drive(places[p], warehouse) <= intervals[k].end;
    canOpen.push(intervals.map((_, k) => intervals.keys().some((earlier) => earlier < k && isBack(earlier))));
  }

  /** `latest[p][k]`: when the vehicle must be at the next place if p tasks are done and interval k goes on; -NEVER if it can not. */
  const latest: number[][] = Array(count + 1);
  latest[count] = intervals.map((interval) => interval.end);
  for (let p = count - 1; p >= 0; p--) {
    const { place, windowStart, windowEnd, duration } = problem.tasks[route[p]];
    latest[p] = intervals.map((interval, k) => {
      const leave = Math.max(latest[p + 1][k] - drive(place, nextPlaces[p + 1]), opensLater(p + 1, k) ? interval.end - drive(place, warehouse) : -NEVER);
      const start = Math.min(leave, windowEnd, interval.end) - duration;
      return start < Math.max(interval.start, windowStart) ? -NEVER : start;
    });
  }

  return ({ tasks }, index, position) => {
    const task = tasks[index];
    return intervals.some((interval, k) => {
      const end = endIn(task, position, k);
      if (end === NEVER) return false;
      if (end + drive(task.place, nextPlaces[position]) <= latest[position][k]) return true;
      return opensLater(position, k) && end + drive(task.place, warehouse) <= interval.end;
    });
  };

  /** When interval k has served the task after p others; NEVER if it can not. */
  function endIn({ place, windowStart, windowEnd, duration }: Problem['tasks'][number], p: number, k: number): number {
    const follows = ready[p][k] + drive(places[p], place);
    const opens = canOpen[p][k] ? intervals[k].start + drive(warehouse, place) : NEVER;
    const end = Math.max(Math.min(follows, opens), windowStart) + duration;
    return end <= Math.min(windowEnd, intervals[k].end) ? end : NEVER;
  }

  /** Can the rest of the route after p tasks begin in an interval after k? With nothing left, the shift is over. */
  function opensLater(p: number, k: number): boolean {
    return p < count && intervals.some((later, i) => i > k && later.start + drive(warehouse, nextPlaces[p]) <= latest[p][i]);
  }
}

const placesOf = (problem: Problem, route: number[]) => route.map((task) => problem.tasks[task].place);
