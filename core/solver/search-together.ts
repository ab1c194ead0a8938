import { exceedsRoom } from './absences.ts';
import { annealRound } from './anneal-together.ts';
import type { Plans, Round } from './anneal-together.ts';
import { breedTogether } from './breed-together.ts';
import { countWithout, FEW_TASKS, FLAG } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { createTries, isTryDue, TRY_ROUNDS, tryWithout, withoutRoute } from './fewer-routes.ts';
import { coolingWithTrunk, meanRoute, mixingShare, mixTogether, trunkShare } from './mix-together.ts';
import { createRandom, deriveSeed } from './random.ts';
import type { Random } from './random.ts';
import type { SlotPlan } from './search.ts';
import { isStopped, isWorthHunting, polishTogether, report } from './search-jobs.ts';
import type { Together, TogetherOptions } from './search-jobs.ts';
import { splitPlan } from './split.ts';

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

/**
 * Below that, from so many steps for each task on, and for each task of a mean route, plans that go on from one that is half cooled are mixed (`mixTogether`), where nothing is left
 * out that a hunt might find a place for. With fewer steps the plan that all go on from cools so fast that it ends in a bad place, and all others with it.
 */
const MIXES_FROM = { stepsPerTask: 800, ofRoute: 60, tasks: 300, rounds: 20 };

/** The time that the local search at the end takes, about, for each task. */
const POLISH_MS = 0.2;

/**
 * Several searches of one plan. After a first round, which tells how far the budget reaches, plans that get many steps are bred (`breedTogether`), big ones with
 * fewer are mixed (`mixTogether`), and all others are annealed in rounds. A plan that is large enough is cut in two then, differently in every round, and each search works on its
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
  const first = await annealRound(together, null, roundOf(together, { from: 0, until: 1, rounds }));
  let best = await goOn(together, first, { rounds, tasks });
  if (isPolished && !isStopped(together)) {
    best = await polishTogether(together, best, milliseconds);
    report(together, best, together.iterations);
  }
  return { slots: best.slots, iterations: together.iterations };
}

async function goOn(together: Together, first: Plans, { rounds, tasks }: { rounds: number; tasks: number }): Promise<SlotPlan> {
  const stepsPerTask = reachOf(together, rounds, tasks);
  const hasRoom = !exceedsRoom(together.compiled);
  const breedsFrom = BREEDS_FROM.stepsPerTask * Math.max(1, tasks / BREEDS_FROM.tasksUsual) ** 2;
  if (hasRoom && rounds >= BREEDS_FROM.rounds && stepsPerTask >= breedsFrom) return breedTogether(together, { first: first.best, from: 1 / rounds, stepsPerTask });
  const random = createRandom(deriveSeed(together.seed, 0));
  const mixesFrom = Math.max(MIXES_FROM.stepsPerTask, MIXES_FROM.ofRoute * meanRoute(first.best));
  const mixes = hasRoom && rounds >= MIXES_FROM.rounds && tasks >= MIXES_FROM.tasks && stepsPerTask >= mixesFrom;
  if (!mixes) return (await annealRounds(together, first, { random, from: 1, until: rounds, rounds })).best;
  const mixing = mixingShare(first.best);
  const until = Math.round(trunkShare(mixing) * rounds);
  const coolingAt = (share: number) => coolingWithTrunk(share, until / rounds);
  const trunk = await annealRounds(together, first, { random, from: 1, until, rounds, coolingAt });
  if (!isWorthHunting(together, trunk.best)) return mixTogether(together, { trunk, from: until / rounds, stepsPerTask, mixing });
  return (await annealRounds(together, trunk, { random, from: until, until: rounds, rounds, coolingAt })).best;
}

/** How many steps the budget has for each task that may be moved; 0 where there are too few of them. */
function reachOf({ budget, iterations }: Together, rounds: number, tasks: number): number {
  return tasks < BREEDS_FROM.tasks ? 0 : (budget.iterations ?? iterations * rounds) / tasks;
}

interface Stretch {
  /** Its rounds, of all that the budget has. */
  from: number;
  until: number;
  rounds: number;
  /** How far the plan has cooled when that share of the budget is used up. */
  coolingAt?: (share: number) => number;
}

async function annealRounds(together: Together, first: Plans, { random, ...stretch }: Stretch & { random: Random }): Promise<Plans> {
  const { until, rounds } = stretch;
  const hunting = exceedsRoom(together.compiled) ? HUNTS_BY_LOAD : HUNTS;
  const tries = createTries();
  let plans = first;
  for (let round = stretch.from; round < until && !isStopped(together);) {
    const next = (length: number) => roundOf(together, { ...stretch, from: round, until: Math.min(until, round + length) });
    const parts = together.searches === 2 ? splitPlan(together.compiled, plans.current.slots, random) : null;
    const mayTry = parts !== null && round + TRY_ROUNDS <= until && isTryDue(tries, next(1).cooling.from);
    const shortened = mayTry ? withoutRoute(together.compiled, plans.current) : null;
    if (shortened !== null) {
      plans = await tryWithout(together, plans, shortened, { tries, round: next(TRY_ROUNDS) });
      round += TRY_ROUNDS;
      continue;
    }
    const hunts = rounds > WHOLE_ROUNDS && isHunt(hunting, round, rounds) && isWorthHunting(together, plans.current);
    const length = parts !== null || hunts ? 1 : Math.ceil(rounds / WHOLE_ROUNDS);
    plans = await annealRound(together, plans, { ...next(length), parts, hunts });
    round += length;
  }
  return plans;
}

function roundOf({ seed, searches }: Together, { from, until, rounds, coolingAt = (share) => share }: Stretch): Round {
  const span = { from: from / rounds, until: until / rounds };
  return {
    seeds: Array.from({ length: searches }, (_, nth) => deriveSeed(seed, 1 + from * searches + nth)),
    span, cooling: { from: coolingAt(span.from), until: coolingAt(span.until) },
  };
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
