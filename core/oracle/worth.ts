import { aloneTrip } from '../solver/objective.ts';
import type { Problem } from '../solver/problem.ts';
import type { Travel } from './insertion.ts';

/**
 * Whether serving a task is worth the travel that it adds. Only where travel comes first is there a limit, the trip for it alone, and
 * only for what may be left out for travel: not for what is in the present plan, and not for breaks.
 */
export function isWorth(problem: Problem, task: number, added: Travel): boolean {
  const { mandatory, kind } = problem.tasks[task];
  if (problem.objective === 'most_served' || mandatory || kind === 'break') return true;
  return added[problem.metric] <= aloneTrip(problem, task);
}
