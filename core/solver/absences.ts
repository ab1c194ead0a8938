import { countWithout, FLAG } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import type { State } from './state.ts';

/**
 * How often each task was left out: what is hard to serve adds up. Of two plans that leave out as many, the one whose left out tasks were
 * missed less often brings the search to other sets of tasks, and at last to one that is smaller (the fleet minimisation of Christiaens &
 * Vanden Berghe 2020).
 *
 * Where all vehicles together can not take the load of all tasks, what counts instead is the load that is left out: the more of it, the more room
 * there is for one task more. Whoever leaves out the heaviest serves most.
 */
export interface Absences {
  countsLoad: boolean;
  /** The more, the sooner a task is put back in a hunt: how often it was left out, or less its load. */
  counts: Int32Array;
  /** What the present plan leaves out: `missing[0 .. missingCount)`. */
  missing: Int32Array;
  missingCount: number;
  hopelessCount: number;
}

export function createAbsences(state: State): Absences {
  const { taskCount, flags, demand } = state.compiled;
  const countsLoad = exceedsRoom(state.compiled);
  const absences = {
    countsLoad, counts: countsLoad ? demand.map((load) => -load) : new Int32Array(taskCount), missing: new Int32Array(taskCount), missingCount: 0,
    hopelessCount: state.tasks.reduce((sum, task) => sum + (flags[task] & FLAG.isHopeless ? 1 : 0), 0),
  };
  keepMissing(absences, state);
  return absences;
}

/** Is there more load than all slots together take? */
export function exceedsRoom(compiled: Compiled): boolean {
  return leastMissing(compiled) > countHopeless(compiled);
}

export function countHopeless({ taskCount, flags }: Compiled): number {
  return taskCount - countWithout(flags, FLAG.isHopeless);
}

/** So many tasks are left out at least: those that fit nowhere, and the heaviest of the others where all slots together can not take their load. */
export function leastMissing(compiled: Compiled): number {
  const room = roomOfAll(compiled);
  return compiled.taskCount - leastLoads(compiled).findLastIndex((load) => load <= room);
}

/** The least load that so many tasks have, by their number: of those that fit anywhere. */
export function leastLoads({ demand, flags }: Compiled): number[] {
  const sums = [0];
  for (const load of demand.filter((_, task) => (flags[task] & FLAG.isHopeless) === 0).sort()) sums.push(sums[sums.length - 1] + load);
  return sums;
}

/** What all slots take together. */
export function roomOfAll({ slotCapacity }: Compiled): number {
  return slotCapacity.reduce((sum, capacity) => sum + capacity, 0);
}

/** The state is the present plan now. */
export function keepMissing(absences: Absences, state: State): void {
  absences.missingCount = state.sum.unserved;
  absences.missing.set(state.unserved.subarray(0, state.sum.unserved));
}

/** Is anything left out that some plan may serve? */
export function missesAny({ missingCount, hopelessCount }: Absences): boolean {
  return missingCount > hopelessCount;
}

/** Negative where what the state leaves out was missed less often, or has more load, than what the present plan leaves out. */
export function compareMissing({ counts, missing, missingCount }: Absences, { unserved, sum }: State): number {
  return total(counts, unserved, sum.unserved) - total(counts, missing, missingCount);
}

/** Counts what the state leaves out. */
export function countMissing({ countsLoad, counts }: Absences, { unserved, sum }: State): void {
  if (countsLoad) return;
  for (let i = 0; i < sum.unserved; i++) counts[unserved[i]]++;
}

function total(counts: Int32Array, tasks: Int32Array, until: number): number {
  let sum = 0;
  for (let i = 0; i < until; i++) sum += counts[tasks[i]];
  return sum;
}
