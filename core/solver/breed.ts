import { anneal, construct, createSearcher } from './anneal.ts';
import type { Searcher } from './anneal.ts';
import { budgetShare } from './budget.ts';
import type { Budget } from './budget.ts';
import type { Compiled } from './compiled.ts';
import { changedTasks, exchangeRoutes } from './exchange.ts';
import { linksOf } from './links.ts';
import type { Links } from './links.ts';
import { polish } from './polish.ts';
import type { Problem } from './problem.ts';
import type { SlotPlan } from './search.ts';
import { isBetter, valueOf } from './search-value.ts';
import { changeTo } from './start.ts';

export interface BreedOptions {
  seed: number;
  budget: Budget;
  clock: () => number;
  shouldStop?: () => boolean;
  /** Plans by slots. */
  plans: number[][][];
  /** Which two of them have a child, one pair after the other, from the first again when all are through. */
  pairs: [number, number][];
  /** With the problem given, every step is compared with a full re-evaluation: for tests. */
  checks?: Problem;
}

export interface BreedResult {
  iterations: number;
  children: SlotPlan[];
}

/** A child is annealed for so many steps for each task that is not as in its parents, from this share of the cooling on. */
const STEPS_PER_TASK = 50;
const COOLING_FROM = 0.5;
/** What making a child costs in any case, in steps. */
const STEPS_PER_CHILD = 20;

/**
 * Children of pairs of plans: the first parent with some routes of the second one (`exchangeRoutes`), annealed around what is new in it.
 */
export function breed(compiled: Compiled, options: BreedOptions): BreedResult {
  const { budget, clock, plans, pairs } = options;
  const used = budgetShare(budget, clock);
  const searcher = createSearcher(compiled, options.seed);
  searcher.strings.seeksUnserved = false;
  const links = plans.map((slots) => linksOf(searcher.state, slots));
  const children: SlotPlan[] = [];
  let steps = 0;
  const isOver = () => !(used(steps) < 1) || options.shouldStop?.() === true;
  for (let nth = 0; !isOver(); nth++) {
    const [base, mate] = pairs[nth % pairs.length];
    steps += STEPS_PER_CHILD;
    if (!bearChild(searcher, links[base], links[mate])) continue;
    const iterationsMax = STEPS_PER_TASK * searcher.strings.seeds.length;
    steps += anneal(searcher, {
      share: (done) => (isOver() ? 1 : done / iterationsMax),
      iterationsMax: Math.min(iterationsMax, (budget.iterations ?? Infinity) - steps), cooling: { from: COOLING_FROM, until: 1 }, checks: options.checks,
    });
    polish(searcher, options.shouldStop, links[base]);
    children.push(searcher.best.plan());
  }
  return { iterations: steps, children };
}

/** The state is the child then, with everything in it that fits; false where it is nothing but routes of its parents and no better than the first. */
function bearChild(searcher: Searcher, base: Links, mate: Links): boolean {
  const { state, random, best, strings } = searcher;
  changeTo(state, base);
  const first = valueOf(state);
  if (!exchangeRoutes(state, mate, random)) return false;
  strings.seeds = changedTasks(state, [base, mate]);
  if (strings.seeds.length === 0 && !isBetter(valueOf(state), first)) return false;
  construct(searcher);
  best.offer();
  return true;
}
