import { MessageChannel } from 'node:worker_threads';
import type { Compiled } from './compiled.ts';
import { createRandom, deriveSeed } from './random.ts';
import type { Budget, SearchProgress, SearchResult, SlotPlan } from './search.ts';
import { isBetter } from './search-value.ts';
import type { Clock, ThreadTask } from './solve-thread.ts';
import { splitPlan } from './split.ts';
import type { Part } from './state.ts';
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

/** Rounds are as many as these, but none shorter than so many steps of one search or milliseconds. */
const ROUNDS_MAX = 40;
const ROUND_MIN = { iterations: 2000, milliseconds: 200 };
/** One of so many rounds is a hunt, up to this share of them. */
const HUNTS = { every: 4, until: 0.8 };
/** Searches of a whole plan meet this often. */
const WHOLE_ROUNDS = 2;

/**
 * Several searches of one plan, in rounds. A plan that is large enough is cut in two, differently in every round, and each search
 * works on its own part: two parts change independently, so that their steps add up as if one search were as fast as both. Of a small
 * plan each round is several searches of the whole, which go on from the best.
 */
export async function searchTogether(compiled: Compiled, options: TogetherOptions): Promise<{ slots: number[][]; iterations: number }> {
  const started = performance.now();
  const random = createRandom(deriveSeed(options.seed, 0));
  const rounds = roundsOf(options);
  const plans: { best: SlotPlan | null; current: SlotPlan | null } = { best: null, current: null };
  let iterations = 0;
  const progress = (best: SlotPlan | SearchProgress, steps: number) => options.onProgress?.({
    iterations: iterations + steps, unserved: best.unserved, travelSeconds: best.travelSeconds, travelMetres: best.travelMetres,
    elapsedMs: Math.round(performance.now() - started),
  });
  // Whoever is stopped before it has begun still makes a first plan: without one there is no answer.
  for (let round = 0; round < rounds && (plans.best === null || Atomics.load(options.stop, 0) === 0);) {
    const parts = options.searches === 2 && plans.current !== null ? splitPlan(compiled, plans.current.slots, random) : null;
    const hunts = rounds > WHOLE_ROUNDS && isHunt(plans.current, round, rounds);
    const length = parts !== null || hunts || plans.current === null && rounds > WHOLE_ROUNDS ? 1 : Math.ceil(rounds / WHOLE_ROUNDS);
    const span = { from: round / rounds, until: Math.min(1, (round + length) / rounds) };
    const jobs = Array.from({ length: options.searches }, (_, nth) => (): Promise<SearchResult> => runSearch(compiled, options, {
      seed: deriveSeed(options.seed, 1 + round * options.searches + nth), nth, started, span,
      slots: startOf(compiled, plans.current, parts?.[nth] ?? null), part: parts?.[nth] ?? null, hunts,
      onProgress: (seen) => parts === null && progress(seen, seen.iterations),
    }));
    const results = await runLimited(jobs, options.threads);
    iterations += results.reduce((sum, result) => sum + result.iterations, 0);
    if (parts === null) takeBetter(plans, results);
    else takeParts(compiled, plans, parts, results);
    if (plans.best !== null) progress(plans.best, 0);
    round += length;
  }
  if (plans.best === null) throw new Error('no search ran');
  return { slots: plans.best.slots, iterations };
}

function roundsOf({ budget: { iterations, milliseconds }, searches }: TogetherOptions): number {
  const most = Math.min(
    iterations === undefined ? Infinity : iterations / searches / ROUND_MIN.iterations,
    // With both the plan must not depend on the time limit unless it is what ends the search.
    milliseconds === undefined || iterations !== undefined ? Infinity : milliseconds / ROUND_MIN.milliseconds,
  );
  return Math.max(WHOLE_ROUNDS, Math.min(ROUNDS_MAX, Math.floor(most)));
}

/** As long as tasks are left out, some rounds only look for plans that leave out fewer. */
function isHunt(current: SlotPlan | null, round: number, rounds: number): boolean {
  return current !== null && current.unserved > 0 && round % HUNTS.every === 1 && round < HUNTS.until * rounds;
}

function takeBetter(plans: { best: SlotPlan | null; current: SlotPlan | null }, results: SearchResult[]): void {
  for (const { best } of results) if (plans.best === null || isBetter(best.value, plans.best.value)) plans.best = best;
  plans.current = plans.best;
}

function startOf({ slotShift }: Compiled, current: SlotPlan | null, part: Part | null): number[][] | null {
  if (current === null || part === null) return current?.slots ?? null;
  const shifts = new Set(part.shifts);
  return current.slots.map((tasks, slot) => (shifts.has(slotShift[slot]) ? tasks : []));
}

/** Puts the parts together: what the searches ended with, and the best that either of them saw, which may never have been at once. */
function takeParts(compiled: Compiled, plans: { best: SlotPlan | null; current: SlotPlan | null }, parts: Part[], results: SearchResult[]): void {
  plans.current = joined(compiled, parts, results.map((result) => result.current));
  const best = joined(compiled, parts, results.map((result) => result.best));
  if (plans.best === null || isBetter(best.value, plans.best.value)) plans.best = best;
}

function joined({ slotBegin, slotCount }: Compiled, parts: Part[], plans: SlotPlan[]): SlotPlan {
  const slots: number[][] = Array.from({ length: slotCount }, () => []);
  parts.forEach(({ shifts }, nth) => {
    for (const shift of shifts) {
      for (let slot = slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) slots[slot] = plans[nth].slots[slot];
    }
  });
  const total = (read: (plan: SlotPlan) => number) => plans.reduce((sum, plan) => sum + read(plan), 0);
  return {
    slots,
    value: { rank: total((plan) => plan.value.rank), cost: total((plan) => plan.value.cost), tie: total((plan) => plan.value.tie), other: total((plan) => plan.value.other) },
    unserved: total((plan) => plan.unserved), travelSeconds: total((plan) => plan.travelSeconds), travelMetres: total((plan) => plan.travelMetres),
  };
}

interface Job {
  nth: number;
  seed: number;
  started: number;
  /** The stretch of the whole budget, from 0 to 1. */
  span: { from: number; until: number };
  slots: number[][] | null;
  part: Part | null;
  hunts: boolean;
  onProgress: (progress: SearchProgress) => void;
}

async function runSearch(compiled: Compiled, options: TogetherOptions, { nth, seed, started, span, slots, part, hunts, onProgress }: Job): Promise<SearchResult> {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onProgress);
  const { clock = 'wall', searches, threads, stop, budget } = options;
  // What is left until the end of the round, shared with the searches that have to wait for this thread.
  const turnsLeft = Math.ceil((searches - nth) / threads);
  const left = (milliseconds: number) => (clock === 'cpu'
    ? (span.until - span.from) * milliseconds
    : (span.until * milliseconds - (performance.now() - started)) / turnsLeft);
  const task: ThreadTask = {
    kind: 'search', buffer: compiled.buffer, seed, slots, part, hunts, stop, clock, cooling: span, progress: port2,
    budget: {
      iterations: budget.iterations && Math.round(span.until * budget.iterations / searches) - Math.round(span.from * budget.iterations / searches),
      milliseconds: budget.milliseconds && Math.max(1, left(budget.milliseconds)),
    },
  };
  try {
    return await runThread<SearchResult>(task);
  } finally {
    port1.close();
  }
}
