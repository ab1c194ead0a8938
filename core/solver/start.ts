import { FLAG } from './compiled.ts';
import { mayServe } from './eligibility.ts';
import { scanSlot } from './insertion.ts';
import { isSameRoute, linksOf } from './links.ts';
import type { Links } from './links.ts';
import { resetPlace } from './place.ts';
import type { Finder } from './place.ts';
import { NONE } from './problem.ts';
import { refresh } from './refresh.ts';
import { link, unlink, unlinkRun } from './state.ts';
import type { State } from './state.ts';

/** Brings the empty routes to the plan that the problem starts from, or as near to it as is feasible. */
export function loadStart(state: State, finder: Finder): void {
  if (state.compiled.startFits) loadSlots(state, startSlots(state));
  else repairStart(state, finder);
}

export function loadSlots(state: State, slots: number[][]): void {
  changeTo(state, linksOf(state, slots));
}

/**
 * Brings the routes to another plan, of the tasks that are searched. Only slots in which the two differ are touched, and those whose
 * times are of no use.
 */
export function changeTo(state: State, plan: Pick<Links, 'next'>): void {
  const { next } = plan;
  const changed: number[] = [];
  for (let slot = 0; slot < state.compiled.slotCount; slot++) {
    if (state.slotIsStale[slot] === 1 || !isSameRoute(state, plan, slot)) changed.push(slot);
  }
  for (const slot of changed) if (state.slotCount[slot] > 0) unlinkRun(state, state.next[state.firstStart + slot], state.slotCount[slot]);
  for (const slot of changed) {
    for (let node = next[state.firstStart + slot]; node !== state.firstEnd + slot; node = next[node]) link(state, node, state.prev[state.firstEnd + slot]);
  }
  for (const slot of changed) if (!refresh(state, slot)) throw new Error('the plan to start from is not feasible');
  state.isSwept.fill(0);
}

function startSlots({ compiled }: State): number[][] {
  const { startBegin, startTask, slotCount } = compiled;
  return Array.from({ length: slotCount }, (_, slot) => [...startTask.subarray(startBegin[slot], startBegin[slot + 1])]);
}

/** Pinned tasks first, in their order; then mandatory ones and then the rest where they fit in their own shift. */
function repairStart(state: State, finder: Finder): void {
  const { slotShift, flags } = state.compiled;
  for (let slot = 0; slot < state.compiled.slotCount; slot++) {
    if (!refresh(state, slot)) throw new Error('empty routes are always feasible');
  }
  const planned = startSlots(state).flatMap((tasks, slot) => tasks.map((task) => ({ task, shift: slotShift[slot] })));
  const nextSlot = new Map<number, number>();
  for (const { task, shift } of planned) if (flags[task] & FLAG.isPinned) appendPinned(state, task, shift, nextSlot);
  const loose = planned.filter(({ task }) => (flags[task] & FLAG.isPinned) === 0);
  const [mandatory, rest] = [FLAG.isMandatory, 0].map((flag) => loose.filter(({ task }) => (flags[task] & FLAG.isMandatory) === flag));
  for (const { task, shift } of [...mandatory, ...rest]) keepInShift(state, finder, task, shift);
}

function appendPinned(state: State, task: number, shift: number, nextSlot: Map<number, number>): void {
  const { slotBegin } = state.compiled;
  for (let slot = nextSlot.get(shift) ?? slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) {
    if (!mayServe(state, task, slot)) continue;
    link(state, task, state.prev[state.firstEnd + slot]);
    if (refresh(state, slot)) {
      nextSlot.set(shift, slot);
      return;
    }
    unlink(state, task);
    if (!refresh(state, slot)) throw new Error('routes that were feasible no longer are');
  }
}

function keepInShift(state: State, finder: Finder, task: number, shift: number): void {
  const { slotBegin } = state.compiled;
  resetPlace(finder);
  for (let slot = slotBegin[shift]; slot < slotBegin[shift + 1]; slot++) scanSlot(state, finder, task, slot);
  if (finder.after === NONE) return;
  const slot = state.slotOf[finder.after];
  link(state, task, finder.after);
  if (!refresh(state, slot)) throw new Error(`inserting task ${task} was tested and is not feasible`);
}
