import { driverOrder } from './driver-order.ts';
import type { DriverEvent } from './driver-order.ts';
import { NEVER } from './intervals.ts';
import { NONE } from './problem.ts';
import type { Problem } from './problem.ts';
import { timeRoute } from './timing.ts';
import type { RouteTiming, TimingBounds } from './timing.ts';

/**
 * Times all routes of a plan together, so that every driver rests between two shifts; null where that is not possible. Shifts are
 * walked in the order of `driverOrder`, each as early as the ones before it allow.
 *
 * Where the cuts of least travel leave too little rest, all routes are cut as early as possible: that is feasible if anything is.
 */
export function timePlan(problem: Problem, routes: number[][]): RouteTiming[] | null {
  const order = driverOrder(problem);
  return timeInOrder(problem, routes, order, 'least_travel') ?? timeInOrder(problem, routes, order, 'earliest');
}

function timeInOrder(problem: Problem, routes: number[][], order: DriverEvent[], cut: TimingBounds['cut']): RouteTiming[] | null {
  const timings: RouteTiming[] = [];
  const readyOf = new Map<number, number>();
  const ready = (driver: number) => (driver === NONE ? -NEVER : readyOf.get(driver) ?? -NEVER);
  const rests = (driver: number, end: number) => readyOf.set(driver, Math.max(ready(driver), end + problem.restSeconds));

  for (const [position, event] of order.entries()) {
    if (event.shift === NONE) {
      const span = problem.fixedSpans[event.fixedSpan];
      rests(span.driver, span.end);
      continue;
    }
    const { driver } = problem.shifts[event.shift];
    const tasks = routes[event.shift];
    const latestEnd = latestEndOf(problem, order.slice(position + 1));
    const lastDriver = tasks.reduce((at, task) => (problem.tasks[task].handoverTo === NONE ? at : problem.tasks[task].handoverTo), driver);
    const timing = timeRoute(problem, event.shift, tasks, {
      earliestStart: ready(driver), latestEnd: latestEnd(lastDriver), earliestTakeover: ready, cut,
    });
    if (timing === null || timing.spans.some((span) => span.end > latestEnd(span.driver))) return null;
    timings[event.shift] = timing;
    for (const span of timing.spans) rests(span.driver, span.end);
  }
  return timings;
}

/** When a driver must be free for the fixed work that comes later; the shifts that come later see to themselves. */
function latestEndOf(problem: Problem, later: DriverEvent[]): (driver: number) => number {
  const starts = new Map<number, number>();
  for (const event of later) {
    if (event.shift !== NONE) continue;
    const { driver, start } = problem.fixedSpans[event.fixedSpan];
    starts.set(driver, Math.min(starts.get(driver) ?? NEVER, start - problem.restSeconds));
  }
  return (driver) => (driver === NONE ? NEVER : starts.get(driver) ?? NEVER);
}
