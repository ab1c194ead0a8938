import { NONE } from './problem.ts';
import type { Problem, Shift, Task } from './problem.ts';

/** The neighbour lists sort by distance and index in one number, with 16 bits for the index. */
const TASKS_MAX = 0x10000;

/** Throws where a problem contradicts itself. What is wrong here is wrong in the program that made the problem, not in anybody's input. */
export function checkProblem(problem: Problem): void {
  must(problem.matrices.length > 0, 'there is a matrix');
  problem.matrices.forEach(({ size, seconds, metres }, i) => {
    must(size >= 0 && Number.isInteger(size), `matrices[${i}].size is a whole number`);
    must(size === problem.matrices[0].size, `matrices[${i}].size is that of the others`);
    must(seconds.length === size ** 2, `matrices[${i}].seconds has size * size entries`);
    must(metres.length === size ** 2, `matrices[${i}].metres has size * size entries`);
  });
  must(problem.tasks.length <= TASKS_MAX, `there are at most ${TASKS_MAX} tasks`);
  must(problem.restSeconds >= 0, 'restSeconds is not negative');
  must(problem.objective === 'most_served' || problem.objective === 'least_travel', 'objective is known');
  must(problem.metric === 'seconds' || problem.metric === 'metres', 'metric is known');
  problem.tasks.forEach((task, i) => checkTask(problem, task, `tasks[${i}]`));
  problem.shifts.forEach((shift, i) => checkShift(problem, shift, `shifts[${i}]`));
  problem.fixedSpans.forEach((span, i) => {
    must(isIndex(span.driver, Infinity), `fixedSpans[${i}].driver is a driver`);
    must(isTime(span.start) && isTime(span.end) && span.start <= span.end, `fixedSpans[${i}] starts before it ends`);
  });
  checkSequences(problem);
}

function checkTask(problem: Problem, task: Task, name: string): void {
  must(isIndex(task.place, problem.matrices[0].size), `${name}.place is a place of the matrix`);
  must(Number.isInteger(task.duration) && task.duration >= 1, `${name}.duration is at least 1`);
  must(isTime(task.windowStart) && isTime(task.windowEnd), `${name} has a window in whole seconds`);
  must(task.shifts === null || task.shifts.every((shift) => isIndex(shift, problem.shifts.length)), `${name}.shifts are shifts`);
  must(task.handoverTo === NONE || isIndex(task.handoverTo, Infinity), `${name}.handoverTo is a driver or NONE`);
  must(task.handoverTo === NONE || task.kind === 'break', `${name} hands over at a break`);
  must(task.demand === undefined || isTime(task.demand) && task.demand >= 0, `${name}.demand is not negative`);
}

function checkShift(problem: Problem, shift: Shift, name: string): void {
  for (const place of ['startPlace', 'endPlace', 'warehouse'] as const) {
    must(isIndex(shift[place], problem.matrices[0].size), `${name}.${place} is a place of the matrix`);
  }
  must(isIndex(shift.matrix ?? 0, problem.matrices.length), `${name}.matrix is one of the matrices`);
  must(shift.driver === NONE || isIndex(shift.driver, Infinity), `${name}.driver is a driver or NONE`);
  must(shift.intervals.length > 0, `${name} has an interval`);
  must(shift.capacity === undefined || isTime(shift.capacity) && shift.capacity >= 0, `${name}.capacity is not negative`);
  shift.intervals.forEach(({ start, end }, i) => {
    must(isTime(start) && isTime(end) && start <= end, `${name}.intervals[${i}] starts before it ends`);
    must(i === 0 || shift.intervals[i - 1].end <= start, `${name}.intervals are ascending and disjoint`);
  });
}

function checkSequences(problem: Problem): void {
  const seen = new Set<number>();
  for (const [i, shift] of problem.shifts.entries()) {
    for (const task of shift.sequence) {
      must(isIndex(task, problem.tasks.length), `shifts[${i}].sequence holds tasks`);
      must(!seen.has(task), `task ${task} is in one sequence only`);
      seen.add(task);
    }
  }
}

/** Times and loads keep so far from the limits of 32 bits that a leg and a service can be added. */
function isTime(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= 0x3fffffff;
}

function isIndex(value: number, count: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < count;
}

function must(holds: boolean, claim: string): void {
  if (!holds) throw new Error(`Not a problem the solver can take: ${claim}.`);
}
