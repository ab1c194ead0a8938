import { explainRoute, hasTours } from './timing.ts';
import { compareValues, valueOf } from './objective.ts';
import { NONE } from './problem.ts';
import type { Problem, Solution } from './problem.ts';

/** With one shift and up to so many tasks every order of every selection is tried: about 100 000 routes. */
const EXACT_TASKS_MAX = 8;

export function isSmallEnough(problem: Problem): boolean {
  return problem.shifts.length === 1 && problem.tasks.length <= EXACT_TASKS_MAX;
}

/** The best plan of one shift, by trying all of them; null where not even the pinned tasks are feasible, or when stopped. */
export function solveExactly(problem: Problem, shouldStop: () => boolean): Solution | null {
  const [shift] = problem.shifts;
  const pinned = shift.sequence.filter((task) => problem.tasks[task].pinned);
  const mayServe = problem.tasks.map((task, i) => (task.shifts?.includes(0) ?? true) && (!task.pinned || pinned.includes(i)));
  // Where the end place differs from the warehouse, a route may be feasible although its beginning alone is not.
  const cutsBranches = !hasTours(problem, 0) || shift.endPlace === shift.warehouse;
  let best: { solution: Solution; value: number[] } | null = null;
  let isStopped = false;
  visit([]);
  return isStopped ? null : (best as { solution: Solution } | null)?.solution ?? null;

  function visit(route: number[]): void {
    isStopped ||= shouldStop();
    if (isStopped) return;
    const misfit = explainRoute(problem, 0, route);
    if (misfit === null) consider(route);
    else if (cutsBranches && misfit.task !== NONE) return;
    const nextPinned = pinned[route.filter((task) => problem.tasks[task].pinned).length];
    for (const [task, { pinned: isPinned }] of problem.tasks.entries()) {
      if (!mayServe[task] || route.includes(task) || isPinned && task !== nextPinned) continue;
      visit([...route, task]);
    }
  }

  function consider(route: number[]): void {
    if (!pinned.every((task) => route.includes(task))) return;
    const unserved = problem.tasks.keys().filter((task) => !route.includes(task)).toArray();
    const solution = { routes: [route], unserved };
    const value = valueOf(problem, solution);
    if (value !== null && (best === null || compareValues(value, best.value) < 0)) best = { solution, value };
  }
}
