import { matrixOf, UNREACHABLE } from './problem.ts';
import type { Problem, Solution } from './problem.ts';
import { timePlan } from './timing-plan.ts';

/**
 * What a plan is worth: five numbers of which the first that differs decides, less is better; null where the plan is not feasible.
 *
 * `most_served`: mandatory tasks left out, breaks left out, all tasks left out, travel, travel in the other metric.
 * `least_travel`: mandatory, breaks, travel together with the alone trips of what is left out, all tasks left out, other metric.
 */
export function valueOf(problem: Problem, solution: Solution): number[] | null {
  const timings = timePlan(problem, solution.routes);
  if (timings === null) return null;
  const seconds = timings.reduce((sum, timing) => sum + timing.seconds, 0);
  const metres = timings.reduce((sum, timing) => sum + timing.metres, 0);
  const [travel, other] = problem.metric === 'seconds' ? [seconds, metres] : [metres, seconds];
  const left = solution.unserved.map((task) => problem.tasks[task]);
  const mandatory = left.filter((task) => task.mandatory).length;
  const breaks = left.filter((task) => task.kind === 'break').length;
  if (problem.objective === 'most_served') return [mandatory, breaks, left.length, travel, other];
  const alone = solution.unserved.reduce((sum, task) => sum + aloneTrip(problem, task), 0);
  return [mandatory, breaks, travel + alone, left.length, other];
}

/** Negative where `a` is better. */
export function compareValues(a: number[], b: number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}

/** Travel of a trip made for one task alone, from a warehouse and back: the least over the shifts that may serve it, 0 where none reaches it. */
export function aloneTrip(problem: Problem, index: number): number {
  const { place, shifts } = problem.tasks[index];
  let least = Infinity;
  for (const shift of shifts ?? problem.shifts.keys()) {
    const { warehouse } = problem.shifts[shift];
    const { size, seconds, [problem.metric]: travel } = matrixOf(problem, shift);
    const there = warehouse * size + place;
    const back = place * size + warehouse;
    if (seconds[there] >= UNREACHABLE || seconds[back] >= UNREACHABLE) continue;
    least = Math.min(least, travel[there] + travel[back]);
  }
  return least === Infinity ? 0 : least;
}
