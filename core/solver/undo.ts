import { NONE } from './problem.ts';
import { refresh } from './refresh.ts';
import { link, unlink } from './state.ts';
import type { State } from './state.ts';

/** The task order of every slot that a step has touched, as it was before the step. */
export interface Undo {
  slots: Int32Array;
  slotsCount: number;
  isSaved: Uint8Array;
  begin: Int32Array;
  tasks: Int32Array;
  tasksCount: number;
}

export function createUndo(state: State): Undo {
  const { slotCount, taskCount } = state.compiled;
  return {
    slots: new Int32Array(slotCount), slotsCount: 0, isSaved: new Uint8Array(slotCount),
    begin: new Int32Array(slotCount + 1), tasks: new Int32Array(taskCount), tasksCount: 0,
  };
}

/** Forgets what was saved: the step stands. */
export function commitStep(undo: Undo): void {
  for (let i = 0; i < undo.slotsCount; i++) undo.isSaved[undo.slots[i]] = 0;
  undo.slotsCount = 0;
  undo.tasksCount = 0;
}

/** To be called before a slot is changed; only the first call of a step does anything. */
export function saveSlot(undo: Undo, state: State, slot: number): void {
  if (undo.isSaved[slot] === 1) return;
  undo.isSaved[slot] = 1;
  undo.slots[undo.slotsCount++] = slot;
  const end = state.firstEnd + slot;
  for (let node = state.next[state.firstStart + slot]; node !== end; node = state.next[node]) undo.tasks[undo.tasksCount++] = node;
  undo.begin[undo.slotsCount] = undo.tasksCount;
}

/** Puts every saved slot back. */
export function rollback(undo: Undo, state: State): void {
  for (let i = 0; i < undo.slotsCount; i++) {
    const start = state.firstStart + undo.slots[i];
    while (state.slotCount[undo.slots[i]] > 0) unlink(state, state.next[start]);
  }
  for (let i = 0; i < undo.slotsCount; i++) {
    const end = state.firstEnd + undo.slots[i];
    for (let k = undo.begin[i]; k < undo.begin[i + 1]; k++) {
      if (state.slotOf[undo.tasks[k]] !== NONE) throw new Error('a task of a saved slot is in a slot that was not saved');
      link(state, undo.tasks[k], state.prev[end]);
    }
  }
  for (let i = 0; i < undo.slotsCount; i++) {
    if (!refresh(state, undo.slots[i])) throw new Error('the routes before the step are not feasible');
  }
  commitStep(undo);
}
