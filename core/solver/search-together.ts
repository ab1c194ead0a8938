import { exceedsRoom } from './absences.ts';
import { breedTogether } from './breed-together.ts';
import { countWithout, FEW_TASKS, FLAG } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { createRandom, deriveSeed } from './random.ts';
import type { SearchResult, SlotPlan } from './search.ts';
import { isStopped, isWorthHunting, polishTogether, report, runSearches } from './search-jobs.ts';
import type { Together, TogetherOptions } from './search-jobs.ts';
import { isBetter } from './search-value.ts';
import { splitPlan } from './split.ts';
import type { Part } from './state.ts';

/** Rounds are as many as these, but none shorter than so many steps of one search or milliseconds. */
const ROUNDS_MAX = 40;
const ROUND_MIN = { iterations: 2000, milliseconds: 200 };
/**
 * One of so many rounds is a hunt, up to this share of them. Where there is more load than room, hunts know what to leave out: they come first, and later
 * on only now and then.
 */
const HUNTS = { first: 0, every: 4, until: 0.8 };
const HUNTS_BY_LOAD = { first: 0.125, every: 8, until: 0.5 };
/** Searches of a whole plan meet this often, unless there is too little for one round. */
const WHOLE_ROUNDS = 2;

/**
 * From so many steps for each task on, several plans are made and bred; never of so few tasks, or in less time, that there is nothing to choose from. A child differs from its
 * parents in a few routes only, so plans of more than `tasksUsual` need more of them, and steps for each task with the square. Where there is more load
 * than room, hardly any two routes of different plans go together.
 */
const BREEDS_FROM = { stepsPerTask: 2500, tasksUsual: 400, tasks: 10, rounds: 10 };

/** The time that the local search at the end takes, about, for each task. */
const POLISH_MS = 0.2;

interface Plans {
  best: SlotPlan;
  /** Where the annealing is. */
  current: SlotPlan;
}

/**
 * Several searches of one plan. After a first round, which tells how far the budget reaches, plans that get many steps are bred (`breedTogether`) and
 * all others are annealed in rounds. A plan that is large enough is cut in two then, differently in every round, and each search works on its
 * own part: two parts change independently, so that their steps add up as if one search were as fast as both. Of a small plan each round is
 * several searches of the whole, which go on from the best.
 */
export async function searchTogether(compiled: Compiled, options: TogetherOptions): Promise<{ slots: number[][]; iterations: number }> {
  const tasks = countWithout(compiled.flags, FLAG.isFixed | FLAG.isHopeless);
  const isPolished = tasks > FEW_TASKS;
  const { iterations, milliseconds } = options.budget;
  const budget = { iterations, milliseconds: milliseconds && Math.max(milliseconds / 2, milliseconds - (isPolished ? POLISH_MS * tasks : 0)) };
  const together: Together = { ...options, budget, compiled, started: performance.now(), iterations: 0 };
  const rounds = roundsOf(together);
  // Whoever is stopped before it has begun still makes a first plan: without one there is no answer.
  const plans = await annealRound(together, null, { round: 0, length: 1, rounds });
  const stepsPerTask = reachOf(together, rounds, tasks);
  const isEnough = rounds >= BREEDS_FROM.rounds && stepsPerTask >= BREEDS_FROM.stepsPerTask * Math.max(1, tasks / BREEDS_FROM.tasksUsual) ** 2;
  let best = isEnough && !exceedsRoom(compiled)
    ? await breedTogether(together, { first: plans.best, from: 1 / rounds, stepsPerTask })
    : await annealRounds(together, plans, rounds);
  if (isPolished && !isStopped(together)) {
    best = await polishTogether(together, best, milliseconds);
    report(together, best, together.iterations);
  }
  return { slots: best.slots, iterations: together.iterations };
}

/** How many steps the budget has for each task that may be moved; 0 where there are too few of them. */
function reachOf({ budget, iterations }: Together, rounds: number, tasks: number): number {
  return tasks < BREEDS_FROM.tasks ? 0 : (budget.iterations ?? iterations * rounds) / tasks;
}

async function annealRounds(together: Together, first: Plans, rounds: number): Promise<SlotPlan> {
  const random = createRandom(deriveSeed(together.seed, 0));
  const hunting = exceedsRoom(together.compiled) ? HUNTS_BY_LOAD : HUNTS;
  let plans = first;
  for (let round = 1; round < rounds && !isStopped(together);) {
    const parts = together.searches === 2 ? splitPlan(together.compiled, plans.current.slots, random) : null;
    const hunts = rounds > WHOLE_ROUNDS && isHunt(hunting, round, rounds) && isWorthHunting(together, plans.current);
    const length = parts !== null || hunts ? 1 : Math.ceil(rounds / WHOLE_ROUNDS);
    plans = await annealRound(together, plans, { round, length, rounds, parts, hunts });
    round += length;
  }
  return plans.best;
}

interface Round {
  round: number;
  length: number;
  rounds: number;
  parts?: Part[] | null;
  hunts?: boolean;
}

async function annealRound(together: Together, plans: Plans | null, { round, length, rounds, parts = null, hunts = false }: Round): Promise<Plans> {
  const { compiled, seed, searches } = together;
  const before = together.iterations;
  const span = { from: round / rounds, until: Math.min(1, (round + length) / rounds) };
  const results = await runSearches(together, span, Array.from({ length: searches }, (_, nth) => {
    const part = parts?.[nth] ?? null;
    return {
      seed: deriveSeed(seed, 1 + round * searches + nth), cooling: span, slots: startOf(compiled, plans?.current ?? null, part), part, hunts,
      onProgress: parts === null ? (seen) => report(together, seen, before + seen.iterations) : undefined,
    };
  }));
  const found = plans === null || parts === null ? better(plans, results) : takeParts(compiled, plans, parts, results);
  report(together, found.best, together.iterations);
  return found;
}

function roundsOf({ budget: { iterations, milliseconds }, searches }: TogetherOptions): number {
  const most = Math.min(
    iterations === undefined ? Infinity : iterations / searches / ROUND_MIN.iterations,
    // With both the plan must not depend on the time limit unless it is what ends the search.
    milliseconds === undefined || iterations !== undefined ? Infinity : milliseconds / ROUND_MIN.milliseconds,
  );
  return most < 1 ? 1 : Math.max(WHOLE_ROUNDS, Math.min(ROUNDS_MAX, Math.floor(most)));
}

/** As long as tasks are left out, some rounds only look for plans that leave out fewer. */
function isHunt({ first, every, until }: typeof HUNTS, round: number, rounds: number): boolean {
  return round <= first * rounds || round % every === 1 && round < until * rounds;
}

function better(plans: Plans | null, results: SearchResult[]): Plans {
  const best = [...(plans === null ? [] : [plans.best]), ...results.map((result) => result.best)].reduce((one, other) => (isBetter(other.value, one.value) ? other : one));
  return { best, current: best };
}

function startOf({ slotShift }: Compiled, current: SlotPlan | null, part: Part | null): number[][] | null {
  if (current === null || part === null) return current?.slots ?? null;
  const shifts = new Set(part.shifts);
  return current.slots.map((tasks, slot) => (shifts.has(slotShift[slot]) ? tasks : []));
}

/** Puts the parts together: what the searches ended with, and the best that either of them saw, which may never have been at once. */
function takeParts(compiled: Compiled, plans: Plans, parts: Part[], results: SearchResult[]): Plans {
  const best = joined(compiled, parts, results.map((result) => result.best));
  return { best: isBetter(best.value, plans.best.value) ? best : plans.best, current: joined(compiled, parts, results.map((result) => result.current)) };
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
