import type { MessagePort } from 'node:worker_threads';
import { breed } from './breed.ts';
import type { BreedOptions, BreedResult } from './breed.ts';
import { attach } from './compiled.ts';
import { solveExactly } from './exact.ts';
import { fillNeighbours } from './neighbours.ts';
import { polishPlan } from './polish.ts';
import type { PolishOptions } from './polish.ts';
import type { Problem, Solution } from './problem.ts';
import { search } from './search.ts';
import type { SearchOptions, SearchResult, SlotPlan } from './search.ts';

/** What a thread is asked for: to be there, a piece of the neighbours, one search, children of plans, a local search, or the exact solution of a small problem. */
export type ThreadTask = { stop: Int32Array } & ({
  kind: 'wake';
} | {
  kind: 'neighbours';
  buffer: SharedArrayBuffer;
  tasks: { from: number; until: number };
} | ({ kind: 'search'; buffer: SharedArrayBuffer; clock: Clock; progress: MessagePort } & Pick<SearchOptions, 'seed' | 'budget' | 'cooling' | 'slots' | 'part' | 'hunts' | 'branches' | 'descends'>)
  | ({ kind: 'breed'; buffer: SharedArrayBuffer; clock: Clock } & Pick<BreedOptions, 'seed' | 'budget' | 'plans' | 'pairs' | 'values' | 'pool' | 'combinedPercent'>)
  | ({ kind: 'polish'; buffer: SharedArrayBuffer; clock: Clock } & Pick<PolishOptions, 'slots' | 'budget'>)
  | { kind: 'exact'; problem: Problem });

/** Time on the wall, or processor time of this thread. */
export type Clock = 'wall' | 'cpu';

/** Progress goes out at most this often. */
const PROGRESS_MS = 500;

export default function run(task: ThreadTask): SearchResult | BreedResult | SlotPlan | Solution | null {
  const shouldStop = () => Atomics.load(task.stop, 0) !== 0;
  if (task.kind === 'wake') return null;
  if (task.kind === 'exact') return solveExactly(task.problem, shouldStop);
  if (task.kind === 'neighbours') {
    fillNeighbours(attach(task.buffer), task.tasks);
    return null;
  }
  const clock = task.clock === 'cpu' ? threadMilliseconds : () => performance.now();
  if (task.kind === 'breed') return breed(attach(task.buffer), { ...task, clock, shouldStop });
  if (task.kind === 'polish') return polishPlan(attach(task.buffer), { ...task, clock, shouldStop });
  const { buffer, seed, budget, cooling, slots, part, hunts, branches, descends, progress } = task;
  let reported = -Infinity;
  const result = search(attach(buffer), {
    seed, budget, cooling, slots, part, hunts, branches, descends, shouldStop, clock,
    onProgress(state) {
      const now = performance.now();
      if (now - reported < PROGRESS_MS) return;
      reported = now;
      progress.postMessage(state);
    },
  });
  progress.close();
  return result;
}

function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
