import type { Plans } from './anneal-together.ts';
import { createRandom, deriveSeed } from './random.ts';
import type { Random } from './random.ts';
import type { SlotPlan } from './search.ts';
import { annealApart, courseFrom, generationShare, report, runBreeding } from './search-jobs.ts';
import type { BreedJob, Together } from './search-jobs.ts';
import { isBetter } from './search-value.ts';

/** How far the plan that all others go on from has cooled. */
const TRUNK_COOLING = 0.5;
/** Mixing takes the last part of the budget: so many times the number of routes for each task. Plans of long routes are soon all alike. */
const MIXING = { ofRoutes: 4, least: 0.1, most: 0.4 };
/** So many plans go on from that one: one for so many steps for each task. When they have become one plan and there is time left, others go on from that. */
const BRANCHES = { stepsPerTask: 330, least: 4, most: 8 };
/** Less of the budget than this is not worth mixing: the last plans that go on from the best one take all of it. */
const CYCLE_MIN = 0.1;
/** A generation is made of so many pairs, in turn. */
const PAIRS = 48;
/** In how many of 100 cases the first parent is the best plan of those that a search has. */
const BEST_PERCENT = 80;
/** After so many generations without a better child there is nothing to be had from the plans. */
const VAIN_MAX = 5;

/** How much of the budget is for mixing, by the routes of a first plan. As much as is left of it goes to the plan that all others go on from as to these. */
export function mixingShare(plan: SlotPlan): number {
  return Math.max(MIXING.least, Math.min(MIXING.most, MIXING.ofRoutes / meanRoute(plan)));
}

/** How many tasks a route has. */
export function meanRoute({ slots }: SlotPlan): number {
  const routes = slots.filter((tasks) => tasks.length > 0);
  return routes.reduce((sum, { length }) => sum + length, 0) / Math.max(1, routes.length);
}

export function trunkShare(mixing: number): number {
  return (1 - mixing) / 2;
}

/** How far plans have cooled when that share of the budget is used up, where there is a trunk. */
export function coolingWithTrunk(share: number, trunk: number): number {
  if (share < trunk) return TRUNK_COOLING * share / trunk;
  return TRUNK_COOLING + (1 - TRUNK_COOLING) * (share - trunk) / (1 - trunk);
}

interface MixingStart {
  trunk: Plans;
  /** The share of the budget that is used up, and how far all of it reaches: steps for each task. */
  from: number;
  stepsPerTask: number;
  /** See `mixingShare`. */
  mixing: number;
}

/**
 * Several plans go on from one that is half cooled, each on its own, and differ then in many places that have little to do with one another; which of
 * them is best there is a question for each place. So they take routes from one another (`exchangeRoutes`), and a child that is better replaces its first parent at once, whatever
 * both are worth elsewhere: gene-pool optimal mixing (D. Thierens & P. Bosman, *Optimal Mixing Evolutionary Algorithms*, GECCO 2011). In a population
 * (`breedTogether`) plans survive as a whole, so that the good places of one that is bad elsewhere are lost, and the more the bigger the plans are.
 */
export async function mixTogether(together: Together, { trunk, from, stepsPerTask, mixing }: MixingStart): Promise<SlotPlan> {
  const random = createRandom(deriveSeed(together.seed, 1));
  const generation = generationShare(together);
  const course = courseFrom(together, from);
  let { best } = trunk;
  const noteBest = (plan: SlotPlan): void => {
    if (isBetter(plan.value, best.value)) best = plan;
  };

  /** Plans that are annealed from half cooled to cold. */
  const branch = async (root: SlotPlan, share: number): Promise<SlotPlan[]> => {
    const plans: SlotPlan[] = [];
    const rounds = branchRounds(together, share * stepsPerTask);
    const job = { cooling: { from: TRUNK_COOLING, until: 1 }, slots: root.slots, branches: true };
    for await (const some of annealApart(together, course, { random, rounds, share, job, best: () => best })) {
      plans.push(...some);
      some.forEach(noteBest);
    }
    return plans;
  };

  /** Until they are all worth the same, or no child has been better for a while. */
  const mix = async (plans: SlotPlan[]): Promise<void> => {
    for (let vain = 0; vain < VAIN_MAX && !areWorthTheSame(plans) && course.goesOn(); vain++) {
      const jobs = shares(plans, together, random).map((own) => ({ seed: random.bits() >>> 0, ...couples(plans, own, random) }));
      for (const { children } of await runBreeding(together, course.next(generation), jobs)) {
        for (const { plan, of } of children) {
          plans[of] = plan;
          noteBest(plan);
          vain = -1;
        }
      }
      report(together, best, together.iterations);
    }
  };

  await mix(await branch(trunk.current, 1 - from - mixing));
  while (course.goesOn()) {
    const left = 1 - course.used;
    await mix([best, ...await branch(best, left < CYCLE_MIN ? left : left * (1 - mixing))]);
  }
  return best;
}

function areWorthTheSame(plans: SlotPlan[]): boolean {
  return plans.every(({ value }) => !isBetter(plans[0].value, value) && !isBetter(value, plans[0].value));
}

function branchRounds({ searches }: Together, stepsPerTask: number): number {
  return Math.ceil(Math.max(BRANCHES.least, Math.min(BRANCHES.most, stepsPerTask / BRANCHES.stepsPerTask)) / searches);
}

/** Which plans each search may change, dealt out at random. */
function shares(plans: SlotPlan[], { searches }: Together, random: Random): number[][] {
  const shuffled = plans.map((_, nth) => ({ nth, key: random.bits() })).toSorted((a, b) => a.key - b.key || a.nth - b.nth).map(({ nth }) => nth);
  const dealt: number[][] = Array.from({ length: Math.min(searches, plans.length) }, () => []);
  shuffled.forEach((nth, i) => dealt[i % dealt.length].push(nth));
  return dealt;
}

function couples(plans: SlotPlan[], own: number[], random: Random): Pick<BreedJob, 'plans' | 'values' | 'pairs'> {
  const first = own.reduce((one, other) => (isBetter(plans[other].value, plans[one].value) ? other : one));
  const pairs = Array.from({ length: PAIRS }, (_, nth): [number, number] => {
    const base = random.below(100) < BEST_PERCENT ? first : own[nth % own.length];
    const mate = random.below(plans.length - 1);
    return [base, mate < base ? mate : mate + 1];
  });
  return { plans: plans.map(({ slots }) => slots), values: plans.map(({ value }) => value), pairs };
}
