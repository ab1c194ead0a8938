import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { compile } from './compile.ts';
import type { Compiled } from './compiled.ts';
import { isSmallEnough } from './exact.ts';
import { compareValues, valueOf } from './objective.ts';
import type { Problem, Solution } from './problem.ts';
import { deriveSeed } from './random.ts';
import type { Budget, SearchProgress, SearchResult } from './search.ts';
import { isBetter } from './search-value.ts';
import type { ThreadTask } from './solve-thread.ts';
import { timePlan } from './timing-plan.ts';

export interface SolveOptions {
  seed: number;
  /** Steps of all searches together. With it, and without a time limit, the plan is the same on every machine. */
  maxIterations?: number;
  timeLimitMs?: number;
  /** How many searches may run at once. */
  threads: number;
  /** On a SharedArrayBuffer: any other first entry than 0 ends the solving within a second, with the best plan so far. */
  cancel?: Int32Array;
  onProgress?: (progress: SolveProgress) => void;
}

export interface SolveProgress extends SearchProgress {
  elapsedMs: number;
}

export interface SolveResult {
  solution: Solution;
  iterations: number;
  travelSeconds: number;
  travelMetres: number;
  cancelled: boolean;
}

/** Searches that share one budget of iterations, whatever the number of threads. */
const SEARCHES = 2;
/** After each of these shares of the budget all searches go on from the best plan. */
const MEETINGS = [0.5, 1];
/** Up to this size more steps than `STEPS_PER_TASK` for each task gain nothing: a small plan does not wait for its time limit. */
const SMALL_TASKS_MAX = 40;
const STEPS_PER_TASK = 4000;

/** Plans in worker threads. The plan is never worse than the one that the problem starts from, if that is feasible. */
export async function solve(problem: Problem, options: SolveOptions): Promise<SolveResult> {
  const stop = options.cancel ?? new Int32Array(new SharedArrayBuffer(4));
  const compiled = compile(problem);
  const isCancelled = () => Atomics.load(stop, 0) !== 0;
  if (isSmallEnough(problem)) {
    const task: ThreadTask = { kind: 'exact', problem, stop };
    const solution: Solution | null = await threadPool().run(task);
    if (solution !== null) return resultOf(problem, solution, { iterations: 0, cancelled: false });
  }
  const { solution, iterations } = await searchTogether(compiled, stop, options);
  return resultOf(problem, keepBetter(problem, compiled, solution), { iterations, cancelled: isCancelled() });
}

/** Ends the threads. A later `solve` starts new ones. */
export async function closeSolver(): Promise<void> {
  const closing = pool;
  pool = null;
  await closing?.destroy();
}

let pool: Piscina | null = null;

function threadPool(): Piscina {
  pool ??= new Piscina({
    filename: new URL('./solve-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(SEARCHES, availableParallelism()),
    idleTimeout: 5000,
  });
  return pool;
}

/** Rounds of independent searches; between two rounds all take over the best plan. */
async function searchTogether(compiled: Compiled, stop: Int32Array, options: SolveOptions): Promise<SearchResult> {
  const started = performance.now();
  const total = budgetOf(compiled, options);
  // Where only time counts, searches that can not run at once would take time from one another.
  const searches = options.maxIterations === undefined ? Math.max(1, options.threads) : SEARCHES;
  const report = progressReport(searches, started, options.onProgress);
  let best: SearchResult | null = null;
  let iterations = 0;
  for (const [round, until] of MEETINGS.entries()) {
    const from = round === 0 ? 0 : MEETINGS[round - 1];
    const jobs = Array.from({ length: searches }, (_, nth) => (): Promise<SearchResult> => {
      const turnsLeft = Math.ceil((searches - nth) / options.threads);
      const budget: Budget = {
        iterations: total.iterations && Math.round(until * total.iterations / searches) - Math.round(from * total.iterations / searches),
        milliseconds: total.milliseconds && Math.max(1, (until * total.milliseconds - (performance.now() - started)) / turnsLeft),
      };
      const seed = deriveSeed(options.seed, round * searches + nth);
      const onProgress = report(nth);
      return runSearch({ buffer: compiled.buffer, seed, budget, cooling: { from, until }, slots: best?.slots ?? null, stop }, onProgress);
    });
    const results = await runLimited(jobs, options.threads);
    iterations += results.reduce((sum, result) => sum + result.iterations, 0);
    for (const result of results) if (best === null || isBetter(result.value, best.value)) best = result;
    if (Atomics.load(stop, 0) !== 0) break;
  }
  if (best === null) throw new Error('no search ran');
  return { ...best, iterations };
}

function budgetOf({ taskCount }: Compiled, { maxIterations, timeLimitMs }: SolveOptions): Budget {
  if (maxIterations !== undefined) return { iterations: maxIterations, milliseconds: timeLimitMs };
  const iterations = taskCount <= SMALL_TASKS_MAX ? SEARCHES * STEPS_PER_TASK * taskCount : undefined;
  // Ten seconds for a few hundred orders and up to a minute for thousands: about where more time stops paying.
  const milliseconds = timeLimitMs ?? Math.min(60_000, 5000 + 20 * taskCount);
  return { iterations, milliseconds };
}

async function runSearch(task: Omit<Extract<ThreadTask, { kind: 'search' }>, 'kind' | 'progress'>, onProgress: (progress: SearchProgress) => void) {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onProgress);
  const whole: ThreadTask = { ...task, kind: 'search', progress: port2 };
  try {
    // Piscina's type is derived from a signature of `postMessage` that newer type packages no longer put last.
    return await threadPool().run(whole, { transferList: [port2] as never }) as SearchResult;
  } finally {
    port1.close();
  }
}

/** Runs jobs in their order, at most `limit` at once. */
async function runLimited<T>(jobs: (() => Promise<T>)[], limit: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const nth = next++;
      results[nth] = await jobs[nth]();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, worker));
  return results;
}

/** Puts the reports of several searches together: all their steps, and the better one's plan. */
function progressReport(searches: number, started: number, onProgress: SolveOptions['onProgress']) {
  const last: SearchProgress[] = [];
  const before = Array<number>(searches).fill(0);
  return (nth: number) => {
    before[nth] += last[nth]?.iterations ?? 0;
    return (progress: SearchProgress) => {
      last[nth] = progress;
      const [shown] = last.filter((one) => one !== undefined).toSorted((a, b) => a.unserved - b.unserved || a.travelSeconds - b.travelSeconds);
      const iterations = before.reduce((sum, steps, i) => sum + steps + (last[i]?.iterations ?? 0), 0);
      onProgress?.({ ...shown, iterations, elapsedMs: Math.round(performance.now() - started) });
    };
  };
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
