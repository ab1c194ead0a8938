import { FLAG } from './compiled.ts';
import { isAllowed, mayChangeShift } from './eligibility.ts';
import { isAlike } from './links.ts';
import type { Links } from './links.ts';
import { matchingRoutes } from './matching.ts';
import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import { refresh } from './refresh.ts';
import { link, unlink, unlinkRun } from './state.ts';
import type { State } from './state.ts';

/**
 * Selective route exchange (Nagata & Kobayashi 2010): routes near a random task give way to those routes of another plan that serve
 * nearly the same tasks (see `matching.ts`). What the two plans serve twice is served once, what they miss is left out for now. All times are up to date then;
 * false where that is not feasible, or nothing was exchanged: the state is of no use until it is changed to another plan.
 */
export function exchangeRoutes(state: State, mate: Links, random: Random): boolean {
  const { leaving, coming } = matchingRoutes(state, mate, random, (slot) => mayGo(state, slot));
  if (coming.length === 0) return false;
  for (const slot of leaving) unlinkRun(state, state.next[state.firstStart + slot], state.slotCount[slot]);
  for (const slot of leaving) if (!refresh(state, slot)) return false;
  const takesOver = (random.bits() & 1) === 0;
  for (const slot of coming) if (!bringRoute(state, mate, slot, takesOver)) return false;
  state.isSwept.fill(0);
  return true;
}

/** Has a slot nothing that has to stay in its shift? */
export function mayGo({ next, firstStart, firstEnd, compiled }: State, slot: number): boolean {
  for (let node = next[firstStart + slot]; node !== firstEnd + slot; node = next[node]) if (!mayChangeShift(compiled, node)) return false;
  return true;
}

/** Links a route of the other plan; what is served elsewhere stays there, or leaves that route where this one takes over. */
function bringRoute(state: State, mate: Links, from: number, takesOver: boolean): boolean {
  const { slotOf, firstStart, firstEnd, compiled } = state;
  const slot = emptyLike(state, from);
  if (slot === NONE) return true;
  const robbed: number[] = [];
  for (let node = mate.next[firstStart + from]; node !== firstEnd + from; node = mate.next[node]) {
    if (!mayChangeShift(compiled, node) || !isAllowed(compiled, node, compiled.slotShift[slot])) continue;
    if (slotOf[node] !== NONE) {
      if (!takesOver) continue;
      if (!robbed.includes(slotOf[node])) robbed.push(slotOf[node]);
      unlink(state, node);
    } else if (state.unservedAt[node] === NONE) continue;
    link(state, node, state.prev[firstEnd + slot]);
  }
  for (const other of robbed) if (!refresh(state, other)) return false;
  return settleRoute(state, slot);
}

/** Brings the times of a new route up to date. Where it is not feasible there, its tasks look for places of their own: other hours, or drivers who need their rest. */
export function settleRoute(state: State, slot: number): boolean {
  if (refresh(state, slot)) return true;
  if (state.slotCount[slot] > 0) unlinkRun(state, state.next[state.firstStart + slot], state.slotCount[slot]);
  return refresh(state, slot);
}

/** The slot itself if it is empty, or another empty one that is the same to every task. */
export function emptyLike({ emptyAt, emptyCount, emptySlots, classBegin, compiled }: State, slot: number): number {
  const kind = compiled.slotClass[slot];
  const first = classBegin[kind];
  if (emptyAt[slot] < first + emptyCount[kind] && emptySlots[emptyAt[slot]] === slot) return slot;
  return emptyCount[kind] > 0 ? emptySlots[first] : NONE;
}

/** So many of the nearest tasks of each that has no neighbours yet, or new ones, are looked at as well. */
const AROUND = 3;

/** Tasks whose neighbours in their route are those of neither plan, and what is near them: where the child is not as good as its parents. */
export function changedTasks(state: State, parents: [Links, Links]): Int32Array {
  return withNearest(state, state.loose.filter((task) => !parents.some((links) => isAlike(state, links, task))));
}

/** Tasks that were served in another plan and are not yet in this one, and what is near them. */
export function missingTasks(state: State, before: Links): Int32Array {
  return withNearest(state, state.loose.filter((task) => state.slotOf[task] === NONE && before.slotOf[task] !== NONE));
}

function withNearest(state: State, tasks: Int32Array): Int32Array {
  const { nearest, nearestCount, flags } = state.compiled;
  const all = new Set<number>();
  for (const task of tasks) {
    all.add(task);
    for (let i = 0; i < Math.min(AROUND, nearestCount); i++) {
      const near = nearest[task * nearestCount + i];
      if ((flags[near] & FLAG.isFixed) === 0 && isSearched(state, near)) all.add(near);
    }
  }
  return Int32Array.from(all);
}

/** Is it in the part that is searched? */
function isSearched({ slotOf, unservedAt }: State, task: number): boolean {
  return slotOf[task] !== NONE || unservedAt[task] !== NONE;
}
