import type { Budget } from './budget.ts';
import { layOut } from './compile.ts';
import { countWithout, FEW_TASKS, FLAG } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { isSmallEnough } from './exact.ts';
import { compareValues, valueOf } from './objective.ts';
import type { Problem, Solution } from './problem.ts';
import { solutionOf } from './search.ts';
import type { SolveProgress } from './search-jobs.ts';
import { searchTogether } from './search-together.ts';
import type { Clock, ThreadTask } from './solve-thread.ts';
import { runThread, SEARCHES, wakeThreads } from './threads.ts';
import { timePlan } from './timing-plan.ts';

export interface SolveOptions {
  seed: number;
  /** Steps of all searches together. With it, and without a time limit, the plan is the same on every machine. */
  maxIterations?: number;
  timeLimitMs?: number;
  /** What the time limit counts: time on the wall, or processor time of each searching thread (to compare searches on a busy machine). */
  clock?: Clock;
  /** How many searches may run at once. */
  threads: number;
  /** On a SharedArrayBuffer: any other first entry than 0 ends the solving within a second, with the best plan so far. */
  cancel?: Int32Array;
  onProgress?: (progress: SolveProgress) => void;
}

export { closeSolver, wakeThreads } from './threads.ts';
export type { SolveProgress } from './search-jobs.ts';

export interface SolveResult {
  solution: Solution;
  iterations: number;
  travelSeconds: number;
  travelMetres: number;
  cancelled: boolean;
}

/** For few tasks more steps than these for each gain nothing: nobody waits for the time limit. The fewer they are, the fewer each needs. */
const STEPS_PER_TASK = { most: 4000, ofEach: 400 };
/** Usually more than they take. Somebody waits for a few orders in a plan of thousands. */
const SMALL_MS = { least: 500, perTask: 50, most: 1500 };

/** Plans in worker threads. The plan is never worse than the one that the problem starts from, if that is feasible. */
export async function solve(problem: Problem, options: SolveOptions): Promise<SolveResult> {
  const stop = options.cancel ?? new Int32Array(new SharedArrayBuffer(4));
  wakeThreads(options.threads, stop);
  const compiled = layOut(problem);
  const isCancelled = () => Atomics.load(stop, 0) !== 0;
  if (isSmallEnough(problem)) {
    const task: ThreadTask = { kind: 'exact', problem, stop };
    const solution: Solution | null = await runThread(task);
    if (solution !== null) return resultOf(problem, solution, { iterations: 0, cancelled: false });
  }
  await findNeighbours(compiled, options.threads, stop);
  // Where only time counts, searches that can not run at once would take time from one another.
  const searches = options.maxIterations === undefined ? Math.max(1, options.threads) : SEARCHES;
  const { slots, iterations } = await searchTogether(compiled, { ...options, stop, searches, budget: budgetOf(compiled, options) });
  const solution = solutionOf(compiled, slots);
  return resultOf(problem, keepBetter(problem, compiled, solution), { iterations, cancelled: isCancelled() });
}

/** The work grows with the square of the tasks: as many pieces as threads. */
async function findNeighbours({ buffer, taskCount }: Compiled, threads: number, stop: Int32Array): Promise<void> {
  const at = (piece: number) => Math.round(piece * taskCount / threads);
  const pieces = Array.from({ length: threads }, (_, piece) => ({ from: at(piece), until: at(piece + 1) }));
  await Promise.all(pieces.map((tasks) => runThread({ kind: 'neighbours', buffer, tasks, stop })));
}

function budgetOf({ flags, startFits }: Compiled, { maxIterations, timeLimitMs }: SolveOptions): Budget {
  if (maxIterations !== undefined) return { iterations: maxIterations, milliseconds: timeLimitMs };
  const settled = FLAG.isHopeless | (startFits === 1 ? FLAG.isPinned : 0);
  const taskCount = countWithout(flags, settled);
  const steps = Math.min(STEPS_PER_TASK.most, STEPS_PER_TASK.ofEach * taskCount);
  if (taskCount <= FEW_TASKS) return { iterations: SEARCHES * steps * taskCount, milliseconds: timeLimitMs ?? Math.min(SMALL_MS.most, SMALL_MS.least + SMALL_MS.perTask * taskCount) };
  // Ten seconds for a few hundred orders and up to a minute for thousands: about where more time stops paying.
  return { milliseconds: timeLimitMs ?? Math.min(60_000, 5000 + 20 * taskCount) };
}

/** The search's own sums are exact by slots; the plan is judged as everybody else will see it, and the start wins where it is better. */
function keepBetter(problem: Problem, compiled: Compiled, solution: Solution): Solution {
  if (compiled.startFits === 0) return solution;
  const routes = problem.shifts.map((shift) => shift.sequence);
  const served = new Set(routes.flat());
  const start = { routes, unserved: problem.tasks.keys().filter((task) => !served.has(task)).toArray() };
  const [before, after] = [valueOf(problem, start), valueOf(problem, solution)];
  return before !== null && (after === null || compareValues(before, after) < 0) ? start : solution;
}

function resultOf(problem: Problem, solution: Solution, about: { iterations: number; cancelled: boolean }): SolveResult {
  const timings = timePlan(problem, solution.routes);
  if (timings === null) throw new Error('the search made a plan that is not feasible');
  return {
    solution,
    ...about,
    travelSeconds: timings.reduce((sum, timing) => sum + timing.seconds, 0),
    travelMetres: timings.reduce((sum, timing) => sum + timing.metres, 0),
  };
}
