import { NONE } from './problem.ts';
import { refresh } from './refresh.ts';
import { clearLeg, frameShift, markAllServed, markEmpty, markServed, markUnserved, markUsed, NO_BOUND } from './state.ts';
import type { State } from './state.ts';

/** Every slot that a step has touched, as it was before the step: its nodes with their legs and times. */
export interface Undo {
  slots: Int32Array;
  slotsCount: number;
  isSaved: Uint8Array;
  /** Of the nth saved slot: where its nodes begin in `log`, how many tasks it had, how much room. */
  begin: Int32Array;
  count: Int32Array;
  room: Int32Array;
  handovers: Int32Array;
  /** ENTRY integers for each node: node, legSeconds, legTravel, legOther, earliest, ready, latest. */
  log: Int32Array;
  /** Was nothing left out before the step? */
  servesAll: boolean;
  travel: number;
  other: number;
  /** The tasks that the saved slots serve while they are put back. */
  displaced: Int32Array;
  /** Component of each slot, and those of the state whose other slots may have got other times. */
  component: Int32Array;
  isSwept: Uint8Array;
}

const ENTRY = 7;

export function createUndo(state: State): Undo {
  const { slotCount, taskCount, slotShift, component } = state.compiled;
  const slots = () => new Int32Array(slotCount + 1);
  return {
    slots: slots(), slotsCount: 0, isSaved: new Uint8Array(slotCount), begin: slots(), count: slots(), room: slots(), handovers: slots(),
    log: new Int32Array(state.nodeCount * ENTRY), servesAll: false, travel: 0, other: 0, displaced: new Int32Array(taskCount),
    component: slotShift.map((shift) => component[shift]), isSwept: state.isSwept,
  };
}

/** Forgets what was saved: the step stands. */
export function commitStep(undo: Undo): void {
  for (let i = 0; i < undo.slotsCount; i++) {
    undo.isSaved[undo.slots[i]] = 0;
    const component = undo.component[undo.slots[i]];
    if (component !== NONE) undo.isSwept[component] = 0;
  }
  undo.slotsCount = 0;
}

/** To be called before a slot is changed; only the first call of a step does anything. */
export function saveSlot(undo: Undo, state: State, slot: number): void {
  if (undo.isSaved[slot] === 1) return;
  const { next, legSeconds, legTravel, legOther, earliest, ready, latest } = state;
  const { log } = undo;
  const nth = undo.slotsCount++;
  if (nth === 0) {
    undo.servesAll = state.sum.unserved === 0;
    undo.travel = state.sum.travel;
    undo.other = state.sum.other;
  }
  undo.isSaved[slot] = 1;
  undo.slots[nth] = slot;
  undo.count[nth] = state.slotCount[slot];
  undo.room[nth] = state.slotRoom[slot];
  undo.handovers[nth] = state.slotHandovers[slot];
  let at = undo.begin[nth];
  for (let node = state.firstStart + slot; node !== NONE; node = next[node]) {
    log[at] = node;
    log[at + 1] = legSeconds[node];
    log[at + 2] = legTravel[node];
    log[at + 3] = legOther[node];
    log[at + 4] = earliest[node];
    log[at + 5] = ready[node];
    log[at + 6] = latest[node];
    at += ENTRY;
  }
  undo.begin[nth + 1] = at;
}

/** Puts every saved slot back. */
export function rollback(undo: Undo, state: State): void {
  if (undo.slotsCount === 0) return;
  if (undo.servesAll) {
    markAllServed(state);
    for (let nth = 0; nth < undo.slotsCount; nth++) putBack(undo, state, nth);
  } else putBackSome(undo, state);
  for (let nth = 0; nth < undo.slotsCount; nth++) {
    if (state.slotIsAlone[undo.slots[nth]] === 0) frameShift(state, state.compiled.slotShift[undo.slots[nth]]);
  }
  state.sum.travel = undo.travel;
  state.sum.other = undo.other;
  for (let nth = 0; nth < undo.slotsCount; nth++) {
    if (!isRestored(undo, state, undo.slots[nth]) && !refresh(state, undo.slots[nth])) throw new Error('the routes before the step are not feasible');
  }
  commitStep(undo);
}

/** The same where something was left out: what has taken a place in this step must be left out again. */
function putBackSome(undo: Undo, state: State): void {
  const displaced = takeOut(undo, state);
  for (let nth = 0; nth < undo.slotsCount; nth++) putBack(undo, state, nth);
  for (let i = 0; i < displaced; i++) {
    const task = undo.displaced[i];
    if (state.slotOf[task] !== NONE) continue;
    markUnserved(state, task);
    clearLeg(state, task);
  }
}

/** Are all times that a slot depends on those of before the step, now that its own are? */
function isRestored(undo: Undo, state: State, slot: number): boolean {
  const component = undo.component[slot];
  const isSo = state.slotIsAlone[slot] === 1 || state.compiled.isOdd[state.compiled.slotShift[slot]] === 0 && undo.isSwept[component] === 0;
  if (isSo) state.slotIsStale[slot] = 0;
  return isSo;
}

function takeOut({ slots, slotsCount, displaced }: Undo, state: State): number {
  let count = 0;
  for (let nth = 0; nth < slotsCount; nth++) {
    const end = state.firstEnd + slots[nth];
    for (let node = state.next[state.firstStart + slots[nth]]; node !== end; node = state.next[node]) {
      state.slotOf[node] = NONE;
      displaced[count++] = node;
    }
  }
  return count;
}

function putBack(undo: Undo, state: State, nth: number): void {
  const { next, prev, slotOf, unservedAt, legSeconds, legTravel, legOther, legIn, legOut, earliest, ready, latest } = state;
  const { log } = undo;
  const slot = undo.slots[nth];
  const until = undo.begin[nth + 1];
  let before = NONE;
  for (let at = undo.begin[nth]; at < until; at += ENTRY) {
    const node = log[at];
    const isElsewhere = slotOf[node] !== slot;
    if (isElsewhere) {
      slotOf[node] = slot;
      if (unservedAt[node] !== NONE) markServed(state, node);
    }
    if (isElsewhere || prev[node] !== before) {
      prev[node] = before;
      next[before] = node;
      const travel = log[at + 2];
      const bound = before < state.firstStart && node < state.firstStart ? travel : NO_BOUND;
      legIn[node] = bound;
      legOut[before] = bound;
      legSeconds[node] = log[at + 1];
      legTravel[node] = travel;
      legOther[node] = log[at + 3];
    }
    earliest[node] = log[at + 4];
    ready[node] = log[at + 5];
    latest[node] = log[at + 6];
    before = node;
  }
  const wasUsed = undo.count[nth] > 0;
  if (wasUsed !== state.slotCount[slot] > 0) {
    state.sum.usedSlots += wasUsed ? 1 : -1;
    if (wasUsed) markUsed(state, slot);
    else markEmpty(state, slot);
  }
  state.slotCount[slot] = undo.count[nth];
  state.slotRoom[slot] = undo.room[nth];
  state.slotHandovers[slot] = undo.handovers[nth];
  state.slotIsStale[slot] = 1 - state.slotIsAlone[slot];
}
