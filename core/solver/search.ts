import { anneal, construct, createSearcher } from './anneal.ts';
import { presentPlan } from './best-plan.ts';
import { budgetShare } from './budget.ts';
import type { Budget } from './budget.ts';
import type { Compiled } from './compiled.ts';
import { polish } from './polish.ts';
import type { Problem, Solution } from './problem.ts';
import type { SearchValue } from './search-value.ts';
import { loadSlots, loadStart } from './start.ts';
import type { Part } from './state.ts';

export interface SearchOptions {
  seed: number;
  budget: Budget;
  clock: () => number;
  shouldStop?: () => boolean;
  onProgress?: (progress: SearchProgress) => void;
  /** The part of the whole cooling that this search does, from 0 to 1. */
  cooling?: { from: number; until: number };
  /** Where to start instead of the problem's own plan: tasks by slot. */
  slots?: number[][] | null;
  /** Looks for a plan that leaves out less, whatever it travels: with `most_served` only. */
  hunts?: boolean;
  /** What it ends with counts, not where it started, however good that was. */
  branches?: boolean;
  /** Ends with a local search: see `polish`. */
  descends?: boolean;
  /** The part of the problem that is searched, of which `slots` holds the plan; all of it where absent. */
  part?: Part | null;
  /** With the problem given, every step is compared with a full re-evaluation: for tests. */
  checks?: Problem;
}

export interface SearchProgress {
  iterations: number;
  unserved: number;
  travelSeconds: number;
  travelMetres: number;
}

/** A plan by slots, for a search that goes on from it. */
export interface SlotPlan {
  slots: number[][];
  value: SearchValue;
  travelSeconds: number;
  travelMetres: number;
  unserved: number;
}

export interface SearchResult {
  iterations: number;
  best: SlotPlan;
  /** Where the annealing ended: at a high temperature not the best plan, but the one to go on from. */
  current: SlotPlan;
}

/**
 * Slack induction by string removals: ruin strings of neighbouring routes, put everything back greedily, accept by simulated
 * annealing. Every state on the way is feasible. Under an iteration budget the same seed gives the same plan on any machine.
 */
export function search(compiled: Compiled, options: SearchOptions): SearchResult {
  const share = budgetShare(options.budget, options.clock);
  const searcher = createSearcher(compiled, options.seed, options.part);
  const { state, best } = searcher;
  if (options.slots) loadSlots(state, options.slots);
  else loadStart(state, searcher.finder);
  best.offer();
  construct(searcher);
  best.offer();
  const iterations = anneal(searcher, {
    share, iterationsMax: options.budget.iterations ?? Infinity, cooling: options.cooling ?? { from: 0, until: 1 },
    hunts: options.hunts, shouldStop: options.shouldStop, checks: options.checks, onStep: (steps) => options.onProgress?.(best.progress(steps)),
  });
  if (options.branches === true) best.offer();
  if (options.descends === true) polish(searcher, options.shouldStop);
  // What a hunt has passed on its way is as bad as may be: only what it found counts.
  return { iterations, best: best.plan(), current: options.hunts === true ? best.plan() : presentPlan(state) };
}

/** The routes and what they leave out, as everybody else knows them. */
export function solutionOf(compiled: Compiled, slots: number[][]): Solution {
  const { slotBegin, taskCount, shiftCount } = compiled;
  const routes = Array.from({ length: shiftCount }, (_, shift) => slots.slice(slotBegin[shift], slotBegin[shift + 1]).flat());
  const isServed = new Uint8Array(taskCount);
  for (const task of slots.flat()) isServed[task] = 1;
  return { routes, unserved: [...isServed.keys()].filter((task) => isServed[task] === 0) };
}
