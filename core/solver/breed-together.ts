import { countHopeless } from './absences.ts';
import { createPopulation } from './population.ts';
import type { Member, Population } from './population.ts';
import { createRandom, deriveSeed } from './random.ts';
import type { Random } from './random.ts';
import { createRoutePool } from './route-pool.ts';
import type { SlotPlan } from './search.ts';
import { annealApart, courseFrom, drawSeeds, generationShare, isWorthHunting, report, runBreeding, runSearches } from './search-jobs.ts';
import type { BreedJob, Span, Together } from './search-jobs.ts';
import { isBetter } from './search-value.ts';

/** The first plans take this share of the budget; each thread makes one for so many steps that it has for each task, within bounds. */
const SETTLERS = { share: 0.45, stepsPerTask: 1500, least: 3, most: 6 };
/** A generation is made of so many pairs, in turn; each search has pairs of its own. */
const PAIRS = 24;
/** Before one of so many generations there is a hunt, as long as so many. */
const HUNTS = { every: 8, generations: 3 };
/**
 * In how many of 100 cases a child is of routes from many plans: after so many steps for each task without a better plan one more with every so many. What the
 * best plan leaves out is worth nothing to its routes, so such plans do without.
 */
const COMBINED = { after: 750, every: 25, most: 40 };
/** A plan that leaves out fewer than all before it is annealed for this share of the budget, from here in the cooling on. */
const BETTER = { share: 0.06, from: 0.2 };

interface BreedingStart {
  first: SlotPlan;
  /** The share of the budget that is used up, and how far all of it reaches: steps for each task. */
  from: number;
  stepsPerTask: number;
}

/**
 * Several plans, annealed one by one, and then their children, who are better than plans that take as long to anneal: what is good in one plan
 * joins what is good in another.
 */
export async function breedTogether(together: Together, { first, from, stepsPerTask }: BreedingStart): Promise<SlotPlan> {
  const random = createRandom(deriveSeed(together.seed, 1));
  const population = createPopulation(together.compiled.taskCount);
  const course = courseFrom(together, from);
  let best = first;
  const pool = createRoutePool(together.compiled);
  const take = (plan: SlotPlan): void => {
    population.add(plan);
    pool.add(plan.slots);
    if (isBetter(plan.value, best.value)) best = plan;
  };
  const rounds = settlersOf(together, stepsPerTask);
  const job = { cooling: { from: 0, until: 1 } };
  for await (const plans of annealApart(together, course, { random, rounds, share: SETTLERS.share, job, best: () => best })) plans.forEach(take);

  /** As long as tasks are left out, some time goes to nothing but plans that leave out fewer. */
  const hunt = async (span: Span): Promise<void> => {
    const jobs = drawSeeds(together, random).map((seed) => ({ seed, cooling: { from: 0.5, until: 1 }, slots: population.pickTwo(random)[0].slots, hunts: true }));
    for (const result of await runSearches(together, span, jobs)) take(result.best);
  };

  /** What leaves out fewer was found at any price. */
  const settleBetter = async (): Promise<void> => {
    const jobs = drawSeeds(together, random).map((seed) => ({ seed, cooling: { from: BETTER.from, until: 1 }, slots: best.slots, descends: true }));
    for (const result of await runSearches(together, course.next(BETTER.share), jobs)) take(result.best);
  };

  const generation = generationShare(together);
  let { rank } = best.value;
  let betterAt = course.used;
  for (let nth = 0; population.members.length > 1 && course.goesOn(); nth++) {
    if (nth % HUNTS.every === 0 && isWorthHunting(together, best)) await hunt(course.next(HUNTS.generations * generation));
    const before = best;
    const combinedPercent = best.unserved > countHopeless(together.compiled) ? 0 : percentAfter((course.used - betterAt) * stepsPerTask);
    const priced = combinedPercent > 0 ? pool.priced(best.slots) : null;
    const jobs = drawSeeds(together, random).map((seed) => ({ seed, ...couples(population, random), pool: priced, combinedPercent }));
    for (const { children } of await runBreeding(together, course.next(generation), jobs)) for (const { plan } of children) take(plan);
    if (best !== before) betterAt = course.used;
    if (best.value.rank < rank) await settleBetter();
    ({ rank } = best.value);
    report(together, best, together.iterations);
  }
  return best;
}

function percentAfter(vainSteps: number): number {
  return Math.max(0, Math.min(COMBINED.most, (vainSteps - COMBINED.after) / COMBINED.every));
}

function settlersOf({ searches }: Together, stepsPerTask: number): number {
  return Math.max(SETTLERS.least, Math.min(SETTLERS.most, Math.round(stepsPerTask / searches / SETTLERS.stepsPerTask)));
}

function couples(population: Population, random: Random): Pick<BreedJob, 'plans' | 'pairs'> {
  const parents: Member[] = [];
  const indexOf = (member: Member): number => (parents.includes(member) ? parents.indexOf(member) : parents.push(member) - 1);
  const pairs = Array.from({ length: PAIRS }, (): [number, number] => {
    const [one, other] = population.pickTwo(random);
    return [indexOf(one), indexOf(other)];
  });
  return { plans: parents.map(({ slots }) => slots), pairs };
}
