import { isAlike } from './links.ts';
import type { Links } from './links.ts';
import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import type { State } from './state.ts';

/** How many routes of each plan are looked at, drawn between these. */
const ROUTES = { least: 2, most: 16 };
/** How many random tasks are tried for one that is not as in the other plan. */
const DRAWS = 20;

/** Routes of two plans that serve nearly the same tasks: those of the one may give way to those of the other. */
export interface Matching {
  leaving: number[];
  coming: number[];
}

/** One of the two plans, and the routes of it that are chosen so far. */
interface Side {
  plan: Links;
  routes: number[];
  holds: Uint8Array;
  /** How many tasks of each other route the chosen ones of the other plan serve and those of this one do not. */
  wanted: Map<number, number>;
}

/**
 * From the two routes of a random task on that the plans do not serve alike, always the route of either plan is added that leaves the least that
 * one of them serves and the other does not, up to a random number of routes. What counts is where that was least on the way: the less there is of it, the less has to be put
 * right after the exchange. Nothing where no such task is found. Leaving routes are none that `mayGo` says no to.
 */
export function matchingRoutes(state: State, mate: Links, random: Random, mayGo: (slot: number) => boolean): Matching {
  const seed = differentTask(state, mate, random, mayGo);
  if (seed === NONE) return { leaving: [], coming: [] };
  const one = sideOf(state, state);
  const other = sideOf(state, mate);
  const covered: number[] = [];
  const routesMax = ROUTES.least + random.below(ROUTES.most - ROUTES.least + 1);
  addRoute(state, one, one.plan.slotOf[seed], covered);
  addRoute(state, other, other.plan.slotOf[seed], covered);
  let least = Infinity;
  let best: Matching = { leaving: [], coming: [] };
  for (;;) {
    const difference = countDifference(one, other, covered, mayGo);
    if (difference < least) {
      least = difference;
      best = { leaving: one.routes.slice(), coming: other.routes.slice() };
    }
    const isFull = one.routes.length + other.routes.length >= 2 * routesMax;
    if (difference === 0 || isFull || one.wanted.size + other.wanted.size === 0) return best;
    const [fromOne, fromOther] = [bestRoute(one), bestRoute(other)];
    if (fromOther.more < fromOne.more) addRoute(state, other, fromOther.slot, covered);
    else addRoute(state, one, fromOne.slot, covered);
  }
}

/** A random task that both plans serve, but not between the same two others. */
function differentTask(state: State, mate: Links, random: Random, mayGo: (slot: number) => boolean): number {
  const { loose, slotOf } = state;
  if (loose.length === 0) return NONE;
  for (let draw = 0; draw < DRAWS; draw++) {
    const task = loose[random.below(loose.length)];
    if (slotOf[task] !== NONE && mate.slotOf[task] !== NONE && !isAlike(state, mate, task) && mayGo(slotOf[task])) return task;
  }
  return NONE;
}

function sideOf({ firstStart }: State, plan: Links): Side {
  return { plan, routes: [], holds: new Uint8Array(firstStart), wanted: new Map() };
}

function addRoute({ firstStart, firstEnd }: State, { plan: { next }, routes, holds }: Side, slot: number, covered: number[]): void {
  routes.push(slot);
  for (let node = next[firstStart + slot]; node !== firstEnd + slot; node = next[node]) {
    holds[node] = 1;
    covered.push(node);
  }
}

/** How many tasks the chosen routes of one plan serve and those of the other do not, and which routes would serve them too. */
function countDifference(one: Side, other: Side, covered: number[], mayGo: (slot: number) => boolean): number {
  one.wanted.clear();
  other.wanted.clear();
  let difference = 0;
  for (const task of covered) {
    if (one.holds[task] === other.holds[task]) continue;
    difference++;
    const lacking = one.holds[task] === 1 ? other : one;
    const slot = lacking.plan.slotOf[task];
    if (slot !== NONE && (lacking === other || mayGo(slot))) lacking.wanted.set(slot, (lacking.wanted.get(slot) ?? 0) + 1);
  }
  return difference;
}

/** The route of a plan that leaves the least difference, and how much more that is. */
function bestRoute({ plan, wanted }: Side): { slot: number; more: number } {
  let best = { slot: NONE, more: Infinity };
  for (const [slot, count] of wanted) {
    const more = plan.slotCount[slot] - 2 * count;
    if (more < best.more) best = { slot, more };
  }
  return best;
}
