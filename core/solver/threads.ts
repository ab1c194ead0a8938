import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { ThreadTask } from './solve-thread.ts';

/** Searches that share one budget of iterations, whatever the number of threads. */
export const SEARCHES = 2;

/** Who changes a plan looks at it and changes it again: a thread that is there and has its code compiled answers in a third of the time. */
const IDLE_MS = 600_000;

let pool: Piscina | null = null;

export function runThread<Result>(task: ThreadTask): Promise<Result> {
  pool ??= new Piscina({
    filename: new URL('./solve-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(SEARCHES, availableParallelism()),
    idleTimeout: IDLE_MS,
    resourceLimits: { maxYoungGenerationSizeMb: 3 },
  });
  // Piscina's type is derived from a signature of `postMessage` that newer type packages no longer put last.
  return pool.run(task, { transferList: ('progress' in task ? [task.progress] : []) as never }) as Promise<Result>;
}

/** A thread takes a tenth of a second to start, in which its caller has other things to do. */
export function wakeThreads(count: number, stop: Int32Array): void {
  // Whoever needs the threads hears of it when they can not be started.
  for (let i = 0; i < count; i++) runThread({ kind: 'wake', stop }).catch(() => {});
}

/** Ends the threads. A later `solve` starts new ones. */
export async function closeSolver(): Promise<void> {
  const closing = pool;
  pool = null;
  await closing?.destroy();
}

/** Runs jobs in their order, at most `limit` at once. */
export async function runLimited<T>(jobs: (() => Promise<T>)[], limit: number): Promise<T[]> {
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
