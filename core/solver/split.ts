import { FLAG, leastTravel } from './compiled.ts';
import type { Compiled } from './compiled.ts';
import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import type { Part } from './state.ts';

/** Below this size of a part its border is long, and searches of the whole do better. */
const PART_TASKS_MIN = 60;
const PART_ROUTES_MIN = 4;

/** Are so many tasks and routes enough for two parts? */
export function mayBeCut(tasks: number, routes: number): boolean {
  return tasks >= 2 * PART_TASKS_MIN && routes >= 2 * PART_ROUTES_MIN;
}

/**
 * Two parts of a plan that can be searched side by side, cut across between two random tasks: routes nearer to the one and routes
 * nearer to the other, with half of the tasks each. Shifts that depend on one another stay together. Null where the plan is too
 * small for that.
 */
export function splitPlan(compiled: Compiled, slots: number[][], random: Random): [Part, Part] | null {
  const groups = shiftGroups(compiled).map((shifts) => ({ shifts, tasks: tasksOf(compiled, slots, shifts) }));
  const used = groups.filter(({ tasks }) => tasks.length > 0);
  const served = used.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const loose = used.reduce((sum, { tasks }) => sum + tasks.filter((task) => (compiled.flags[task] & FLAG.isFixed) === 0).length, 0);
  if (!mayBeCut(loose, used.length)) return null;

  const distance = (from: number, to: number) => leastTravel(compiled, compiled.taskPlace[from], compiled.taskPlace[to]);
  const [one, other] = [random.below(compiled.taskCount), random.below(compiled.taskCount)];
  const lean = (task: number) => distance(one, task) - distance(other, task);
  const sorted = used
    .map((group) => ({ ...group, lean: group.tasks.reduce((sum, task) => sum + lean(task), 0) / group.tasks.length }))
    .toSorted((a, b) => a.lean - b.lean || a.shifts[0] - b.shifts[0]);
  const parts: [Part, Part] = [{ shifts: [], tasks: [] }, { shifts: [], tasks: [] }];
  for (const { shifts, tasks } of sorted) addTo(parts[2 * parts[0].tasks.length < served ? 0 : 1], shifts, tasks);

  // Shifts that serve nothing are dealt out, and so is what nobody serves, to where its neighbours are.
  const first = random.below(2);
  groups.filter(({ tasks }) => tasks.length === 0).forEach(({ shifts }, i) => addTo(parts[(i + first) % 2], shifts, []));
  const partOf = new Int8Array(compiled.taskCount).fill(NONE);
  parts.forEach(({ tasks }, nth) => tasks.forEach((task) => partOf.fill(nth, task, task + 1)));
  for (let task = 0; task < compiled.taskCount; task++) {
    if (partOf[task] === NONE) parts[partNear(compiled, partOf, task) ?? random.below(2)].tasks.push(task);
  }
  return parts;
}

function addTo(part: Part, shifts: number[], tasks: number[]): void {
  part.shifts.push(...shifts);
  part.tasks.push(...tasks);
}

/** Shifts that share drivers are one group, every other shift is one for itself. */
function shiftGroups({ shiftCount, component, componentCount }: Compiled): number[][] {
  const groups: number[][] = Array.from({ length: componentCount }, () => []);
  for (let shift = 0; shift < shiftCount; shift++) {
    if (component[shift] === NONE) groups.push([shift]);
    else groups[component[shift]].push(shift);
  }
  return groups.filter((shifts) => shifts.length > 0);
}

function tasksOf({ slotBegin }: Compiled, slots: number[][], shifts: number[]): number[] {
  return shifts.flatMap((shift) => slots.slice(slotBegin[shift], slotBegin[shift + 1]).flat());
}

/** The part of the nearest task that is served. */
function partNear({ nearest, nearestCount }: Compiled, partOf: Int8Array, task: number): number | null {
  for (let i = task * nearestCount; i < (task + 1) * nearestCount; i++) if (partOf[nearest[i]] !== NONE) return partOf[nearest[i]];
  return null;
}
