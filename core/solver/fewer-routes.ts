import type { Plans, Round } from './anneal-together.ts';
import { UNBOUNDED } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { mayChangeShift } from './eligibility.ts';
import { NONE } from './problem.ts';
import type { SearchProgress, SlotPlan } from './search.ts';
import { report, runSearches } from './search-jobs.ts';
import type { SearchJob, Together } from './search-jobs.ts';
import { isBetter } from './search-value.ts';

/** Load may take so much of the room that is left without a route: where vehicles are fuller than that there is no way without it. */
const FULL = 0.98;

/** How far a plan has cooled when it is first tried without one of its routes, how much farther where that was in vain before it is tried again, and up to where. */
const TRIED = { from: 0.25, again: 0.2, until: 0.8 };
/** So many rounds does a try take: with fewer, what is left out is back, but the rest has not made room for it yet. */
export const TRY_ROUNDS = 3;

/** When a plan is tried without a route next. */
export interface Tries {
  from: number;
}

export function createTries(): Tries {
  return { from: TRIED.from };
}

/** A plan that lacks one route, whose tasks are left out for now, and what it may use to serve them: no vehicle that it does not use already. */
export type Shortened = Required<Pick<SearchJob, 'slots' | 'part'>>;

/**
 * The plan without the route of fewest tasks, where all of that may change and the vehicles that are left have the room; null where nothing may go, or
 * something is left out already: then every vehicle is wanted.
 */
export function withoutRoute(compiled: Compiled, { slots, unserved }: SlotPlan): Shortened | null {
  const { shiftCount, slotBegin, taskCount, component } = compiled;
  if (unserved > 0) return null;
  const tasksOf = (shift: number): number[] => slots.slice(slotBegin[shift], slotBegin[shift + 1]).flat();
  const used = Array.from({ length: shiftCount }, (_, shift) => shift).filter((shift) => tasksOf(shift).length > 0);
  const mayGo = (shift: number) => component[shift] === NONE && tasksOf(shift).every((task) => mayChangeShift(compiled, task));
  const going = used.filter(mayGo).reduce((least, shift) => (least === NONE || tasksOf(shift).length < tasksOf(least).length ? shift : least), NONE);
  if (going === NONE || !hasRoomWithout(compiled, used, going)) return null;
  return {
    slots: slots.map((tasks, slot) => (compiled.slotShift[slot] === going ? [] : tasks)),
    part: { shifts: used.filter((shift) => shift !== going), tasks: Array.from({ length: taskCount }, (_, task) => task) },
  };
}

function hasRoomWithout({ slotBegin, slotCapacity, demand }: Compiled, used: number[], going: number): boolean {
  let room = 0;
  for (const shift of used) {
    for (let slot = slotBegin[shift]; shift !== going && slot < slotBegin[shift + 1]; slot++) room += slotCapacity[slot] === UNBOUNDED ? Infinity : slotCapacity[slot];
  }
  return demand.reduce((sum, load) => sum + load, 0) <= FULL * room;
}

export function isTryDue({ from }: Tries, cooled: number): boolean {
  return cooled >= from && cooled < TRIED.until;
}

/**
 * One search goes on from the plan as it is, the other one from it without a route, and what is better in the end counts. Annealing hardly ever finds the way to fewer
 * routes by itself: the tasks of one have to find places in many others, which first have to make room for them.
 */
export async function tryWithout(together: Together, plans: Plans, shortened: Shortened, { tries, round: { seeds, span, cooling } }: { tries: Tries; round: Round }): Promise<Plans> {
  const before = together.iterations;
  const onProgress = ({ iterations }: SearchProgress) => report(together, plans.best, before + iterations);
  const [usual, fewer] = await runSearches(together, span, [
    { seed: seeds[0], cooling, slots: plans.current.slots, onProgress },
    { seed: seeds[1], cooling, ...shortened },
  ]);
  const succeeds = isBetter(fewer.current.value, usual.current.value);
  if (!succeeds) tries.from = cooling.from + TRIED.again;
  const best = [plans.best, usual.best, fewer.best].reduce((one, other) => (isBetter(other.value, one.value) ? other : one));
  report(together, best, together.iterations);
  return { best, current: (succeeds ? fewer : usual).current };
}
