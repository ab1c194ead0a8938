import { anneal, construct, createSearcher } from './anneal.ts';
import type { Searcher } from './anneal.ts';
import { budgetShare } from './budget.ts';
import type { Budget } from './budget.ts';
import type { Compiled } from './compiled.ts';
import { combineRoutes } from './combine.ts';
import { changedTasks, exchangeRoutes, missingTasks } from './exchange.ts';
import { linksOf } from './links.ts';
import type { Links } from './links.ts';
import { polish } from './polish.ts';
import type { Problem } from './problem.ts';
import type { PricedRoutes } from './route-pool.ts';
import type { SlotPlan } from './search.ts';
import { isBetter, valueOf } from './search-value.ts';
import type { SearchValue } from './search-value.ts';
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
  /** What the plans are worth, where a child that is better takes the place of its first parent at once, and no other child counts. */
  values?: SearchValue[] | null;
  /** Routes of many plans, and in how many of 100 cases a child is made of those instead. */
  pool?: PricedRoutes | null;
  combinedPercent?: number;
  /** With the problem given, every step is compared with a full re-evaluation: for tests. */
  checks?: Problem;
}

export interface BreedResult {
  iterations: number;
  children: Child[];
}

export interface Child {
  plan: SlotPlan;
  /** Which plan was its first parent. */
  of: number;
}

/** A child is annealed for so many steps for each task that is not as in its parents, from this share of the cooling on. */
const STEPS_PER_TASK = { usual: 50, inPlace: 25 };
const COOLING_FROM = 0.5;
/** What making a child costs in any case, in steps. */
const STEPS_PER_CHILD = 20;
/** A child that is to take the place of a plan is not worth a local search where it travels farther by more than so many mean legs. */
const POLISHED_WITHIN = 2;

/**
 * Children of pairs of plans: the first parent with some routes of the second one (`exchangeRoutes`), annealed around what is new in it. Now and then one
 * of routes from many plans instead (`combineRoutes`), around what was in none of them.
 */
export function breed(compiled: Compiled, options: BreedOptions): BreedResult {
  const { budget, clock, plans, pairs, values = null, pool = null, combinedPercent = 0 } = options;
  const used = budgetShare(budget, clock);
  const searcher = createSearcher(compiled, options.seed);
  searcher.strings.seeksUnserved = false;
  const links = plans.map((slots) => linksOf(searcher.state, slots));
  const present = values?.slice();
  const children: Child[] = [];
  let steps = 0;
  const isOver = () => !(used(steps) < 1) || options.shouldStop?.() === true;
  for (let nth = 0; !isOver(); nth++) {
    const [base, mate] = pairs[nth % pairs.length];
    steps += STEPS_PER_CHILD;
    const isCombined = pool !== null && searcher.random.below(100) < combinedPercent;
    if (!(isCombined ? combine(searcher, links[base], pool) : exchange(searcher, links[base], links[mate]))) continue;
    construct(searcher);
    searcher.best.offer();
    const iterationsMax = (present === undefined ? STEPS_PER_TASK.usual : STEPS_PER_TASK.inPlace) * searcher.strings.seeds.length;
    steps += anneal(searcher, {
      share: (done) => (isOver() ? 1 : done / iterationsMax),
      iterationsMax: Math.min(iterationsMax, (budget.iterations ?? Infinity) - steps), cooling: { from: COOLING_FROM, until: 1 }, checks: options.checks,
    });
    if (present === undefined || mayOvertake(searcher, present[base])) polish(searcher, options.shouldStop, isCombined ? null : links[base]);
    if (present !== undefined && !isBetter(searcher.best.value, present[base])) continue;
    const child = { plan: searcher.best.plan(), of: base };
    children.push(child);
    if (present === undefined) continue;
    present[base] = child.plan.value;
    links[base] = linksOf(searcher.state, child.plan.slots);
  }
  return { iterations: steps, children };
}

function mayOvertake({ best: { value }, state: { sum, tasks } }: Searcher, other: SearchValue): boolean {
  const meanLeg = sum.travel / Math.max(1, tasks.length - sum.unserved);
  return value.rank <= other.rank && value.cost <= other.cost + POLISHED_WITHIN * meanLeg;
}

/** The state is the child then, without what has no place yet; false where it is nothing but routes of its parents and no better than the first. */
function exchange({ state, random, strings }: Searcher, base: Links, mate: Links): boolean {
  changeTo(state, base);
  const first = valueOf(state);
  if (!exchangeRoutes(state, mate, random)) return false;
  strings.seeds = changedTasks(state, [base, mate]);
  return strings.seeds.length > 0 || isBetter(valueOf(state), first);
}

/** The same with routes of any plans, and what has to stay where it is as in the base. */
function combine({ state, random, strings }: Searcher, base: Links, pool: PricedRoutes): boolean {
  changeTo(state, base);
  const first = valueOf(state);
  if (!combineRoutes(state, pool, random)) return false;
  strings.seeds = missingTasks(state, base);
  return strings.seeds.length > 0 || isBetter(valueOf(state), first);
}
