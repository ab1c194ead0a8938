import { compareValues, valueOf } from '../solver/objective.ts';
import type { Problem, Solution } from '../solver/problem.ts';
import { cheapestInsertion, compareTravel, draftOf } from './insertion.ts';
import type { Draft, Insertion } from './insertion.ts';
import { isWorth } from './worth.ts';

/**
 * The plan with everything in it that still fits. A search that stops in time may leave out what has a place, and nobody should be
 * told that there is none. What counts most comes first, each goes to its cheapest place; the given solution stays as it is.
 */
export function insertLeftovers(problem: Problem, solution: Solution): Solution {
  let current: Solution = { routes: solution.routes.map((route) => [...route]), unserved: [...solution.unserved] };
  let draft = draftOf(problem, current.routes);
  for (let again = true; again;) {
    again = false;
    for (const task of byImportance(problem, current.unserved)) {
      const next = withTask(draft, current, task);
      if (next === null) continue;
      const slacks = new Map([...draft.slacks].filter(([shift]) => next.routes[shift].length === current.routes[shift].length));
      current = next;
      draft = { ...draftOf(problem, current.routes), slacks };
      // A handover gives a driver time elsewhere, a stop nearby makes others cheaper, and one on the way breaks a leg that no interval holds.
      again = true;
    }
  }
  return current;
}

/** Mandatory ones, then breaks, then the others as they come. */
function byImportance(problem: Problem, tasks: number[]): number[] {
  const rank = (task: number) => (problem.tasks[task].mandatory ? 0 : problem.tasks[task].kind === 'break' ? 1 : 2);
  return tasks.toSorted((a, b) => rank(a) - rank(b) || a - b);
}

function withTask(draft: Draft, current: Solution, task: number): Solution | null {
  const { problem } = draft;
  let best: Insertion | null = null;
  for (const shift of problem.tasks[task].shifts ?? problem.shifts.keys()) {
    const found = cheapestInsertion(draft, task, shift);
    if (found !== null && (best === null || compareTravel(problem, found, best) < 0)) best = found;
  }
  if (best === null || !isWorth(problem, task, best)) return null;
  const { shift, position } = best;
  const next = {
    routes: current.routes.map((route, i) => (i === shift ? route.toSpliced(position, 0, task) : route)),
    unserved: current.unserved.filter((other) => other !== task),
  };
  // Too little rest anywhere makes every route be cut as early as possible, so that the whole plan has the last word.
  const before = valueOf(problem, current);
  const after = valueOf(problem, next);
  return after !== null && before !== null && compareValues(after, before) < 0 ? next : null;
}
