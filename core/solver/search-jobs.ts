import { MessageChannel } from 'node:worker_threads';
import { countHopeless, leastMissing } from './absences.ts';
import type { BreedOptions, BreedResult } from './breed.ts';
import type { Budget } from './budget.ts';
import type { Compiled } from './compiled.ts';
import type { Random } from './random.ts';
import type { SearchOptions, SearchProgress, SearchResult, SlotPlan } from './search.ts';
import type { Clock, ThreadTask } from './solve-thread.ts';
import { runLimited, runThread } from './threads.ts';

export interface TogetherOptions {
  seed: number;
  budget: Budget;
  clock?: Clock;
  /** How many searches share the work, and how many of them may run at once. */
  searches: number;
  threads: number;
  stop: Int32Array;
  onProgress?: (progress: SolveProgress) => void;
}

export interface SolveProgress extends SearchProgress {
  elapsedMs: number;
}

/** Several searches of one plan, from when they began. */
export interface Together extends TogetherOptions {
  compiled: Compiled;
  started: number;
  /** Steps of those that are done. */
  iterations: number;
}

/** A stretch of the whole budget, from 0 to 1. */
export interface Span {
  from: number;
  until: number;
}

export type SearchJob = Pick<SearchOptions, 'seed' | 'cooling' | 'slots' | 'part' | 'hunts' | 'branches' | 'descends' | 'onProgress'>;
export type BreedJob = Pick<BreedOptions, 'seed' | 'plans' | 'pairs' | 'values' | 'pool' | 'combinedPercent'>;

/** The results of all searches of one stretch, in their order. */
export function runSearches(together: Together, span: Span, jobs: SearchJob[]): Promise<SearchResult[]> {
  return runJobs(together, jobs.map(({ onProgress, ...job }, nth) => async () => {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (progress) => onProgress?.(progress));
    try {
      return await runThread<SearchResult>({ kind: 'search', ...job, ...shared(together), progress: port2, budget: budgetOf(together, span, nth) });
    } finally {
      port1.close();
    }
  }));
}

export function runBreeding(together: Together, span: Span, jobs: BreedJob[]): Promise<BreedResult[]> {
  return runJobs(together, jobs.map((job, nth) => () => runThread<BreedResult>({ kind: 'breed', ...job, ...shared(together), budget: budgetOf(together, span, nth) })));
}

/** The budget from some point on, which is taken stretch by stretch. */
export interface Course {
  /** The share that is used up. */
  used: number;
  next(share: number): Span;
  /** Is anything left, and nobody has stopped it? */
  goesOn(): boolean;
}

/** Shares that add up to all of the budget may miss it by so much. */
const ROUNDING = 1e-9;

export function courseFrom(together: Together, used: number): Course {
  return {
    used,
    next(share) {
      const span = { from: this.used, until: Math.min(1, this.used + share) };
      this.used = span.until;
      return span;
    },
    goesOn() {
      return this.used < 1 - ROUNDING && !isStopped(together);
    },
  };
}

interface Apart {
  random: Random;
  /** Each search makes so many plans, all of them in this share of the budget. */
  rounds: number;
  share: number;
  job: Pick<SearchJob, 'cooling' | 'slots' | 'branches'>;
  /** The best plan so far, for those who watch. */
  best: () => SlotPlan;
}

/** Plans that are annealed apart from one another, up to a local search in the end: those of all searches, round after round. */
export async function* annealApart(together: Together, course: Course, { random, rounds, share, job, best }: Apart): AsyncGenerator<SlotPlan[]> {
  for (let nth = 0; nth < rounds && course.goesOn(); nth++) {
    const before = together.iterations;
    const onProgress = ({ iterations }: SearchProgress) => report(together, best(), before + iterations);
    const jobs = drawSeeds(together, random).map((seed) => ({ ...job, seed, descends: true, onProgress }));
    const results = await runSearches(together, course.next(share / rounds), jobs);
    yield results.map((result) => result.best);
    report(together, best(), together.iterations);
  }
}

/** One for each search. */
export function drawSeeds({ searches }: Together, random: Random): number[] {
  return Array.from({ length: searches }, () => random.bits() >>> 0);
}

/** Children are made in generations that take this share of the budget, but so much at least. */
const GENERATION = { share: 0.01, milliseconds: 50, iterations: 2000 };

export function generationShare({ budget: { iterations, milliseconds }, searches }: Together): number {
  return Math.max(GENERATION.share, iterations === undefined ? GENERATION.milliseconds / (milliseconds ?? Infinity) : GENERATION.iterations * searches / iterations);
}

/** A local search from the plan on, which ends when so many milliseconds have passed since all began. */
export function polishTogether(together: Together, { slots }: SlotPlan, until: number | undefined): Promise<SlotPlan> {
  const milliseconds = until === undefined || together.clock === 'cpu' ? undefined : until - (performance.now() - together.started);
  return runThread({ kind: 'polish', slots, ...shared(together), budget: { milliseconds } });
}

export function report({ onProgress, started }: Together, best: SlotPlan | SearchProgress, iterations: number): void {
  const { unserved, travelSeconds, travelMetres } = best;
  onProgress?.({ iterations, unserved, travelSeconds, travelMetres, elapsedMs: Math.round(performance.now() - started) });
}

/** Is anything left out that a hunt may find a place for, or anything that comes before others? */
export function isWorthHunting({ compiled }: Pick<Together, 'compiled'>, { unserved, value }: Pick<SlotPlan, 'unserved' | 'value'>): boolean {
  if (compiled.countsServedFirst === 0 || unserved <= countHopeless(compiled)) return false;
  return value.rank > unserved || unserved > leastMissing(compiled);
}

export function isStopped({ stop }: Together): boolean {
  return Atomics.load(stop, 0) !== 0;
}

async function runJobs<Result extends { iterations: number }>(together: Together, jobs: (() => Promise<Result>)[]): Promise<Result[]> {
  const results = await runLimited(jobs, together.threads);
  for (const { iterations } of results) together.iterations += iterations;
  return results;
}

function shared({ compiled, stop, clock = 'wall' }: Together): Pick<ThreadTask, 'stop'> & { buffer: SharedArrayBuffer; clock: Clock } {
  return { buffer: compiled.buffer, stop, clock };
}

/** What is left until the end of the stretch, shared with the searches that have to wait for this thread. */
function budgetOf({ budget, clock = 'wall', searches, threads, started }: Together, { from, until }: Span, nth: number): Budget {
  const turnsLeft = Math.ceil((searches - nth) / threads);
  const left = (milliseconds: number) => (clock === 'cpu' ? (until - from) * milliseconds : (until * milliseconds - (performance.now() - started)) / turnsLeft);
  return {
    iterations: budget.iterations && Math.round(until * budget.iterations / searches) - Math.round(from * budget.iterations / searches),
    milliseconds: budget.milliseconds && Math.max(1, left(budget.milliseconds)),
  };
}
