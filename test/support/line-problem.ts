import { NONE } from '../../core/solver/problem.ts';
import type { Matrix, Problem, Shift, Task } from '../../core/solver/problem.ts';

/** Places on a line, a second and ten metres apart for each step: every number in a test can be checked by hand. */
export function lineMatrix(positions: number[]): Matrix {
  const seconds = positions.flatMap((from) => positions.map((to) => Math.abs(from - to)));
  return { size: positions.length, seconds: Int32Array.from(seconds), metres: Int32Array.from(seconds, (length) => 10 * length) };
}

export function taskAt(place: number, overrides: Partial<Task> = {}): Task {
  return {
    kind: 'task', place, duration: 10, windowStart: 0, windowEnd: 100_000, shifts: null,
    mandatory: false, pinned: false, handoverTo: NONE, ...overrides,
  };
}

export function shiftOf(overrides: Partial<Shift> = {}): Shift {
  return {
    vehicle: 0, driver: NONE, startPlace: 0, endPlace: 0, warehouse: 0,
    intervals: [{ start: 0, end: 1000 }], gap: 'return_to_warehouse', sequence: [], ...overrides,
  };
}

/** The warehouse is place 0 at 0; places 1 to 5 lie at 100, 200, 300, 400 and -100. */
export function lineProblem(overrides: Partial<Problem> & Pick<Problem, 'tasks' | 'shifts'>): Problem {
  return {
    matrices: [lineMatrix([0, 100, 200, 300, 400, -100])], fixedSpans: [], restSeconds: 0,
    objective: 'most_served', metric: 'seconds', ...overrides,
  };
}

/** Three tasks for each of four shifts, and plans that serve those of each shift along the line, which is good, or there and back. */
export function fourShifts(): { problem: Problem; planWith: (good: number[]) => number[][] } {
  const shifts = [0, 1, 2, 3];
  return {
    problem: lineProblem({
      tasks: shifts.flatMap((shift) => [1, 2, 3].map((place) => taskAt(place, { shifts: [shift] }))),
      shifts: shifts.map(() => shiftOf()),
    }),
    planWith: (good) => shifts.map((shift) => (good.includes(shift) ? [0, 1, 2] : [1, 0, 2]).map((nth) => 3 * shift + nth)),
  };
}

interface ScatteredLine {
  tasks: number;
  shifts: number;
  /** The shifts that the nth task is for; every eleventh one, from the first on, is for some only. */
  onlyFor: (nth: number) => number[];
  driverOf: (shift: number) => number;
}

/** Tasks scattered over a long line and a horizon of 6000 s, for shifts of both gap policies with and without a gap. */
export function scatteredLine({ tasks, shifts, onlyFor, driverOf }: ScatteredLine): { positions: number[]; tasks: Task[]; shifts: Shift[] } {
  const positions = Array.from({ length: tasks + 1 }, (_, i) => (i * 7919) % 1999);
  return {
    positions,
    tasks: positions.slice(1).map((at, i) => taskAt(i + 1, { duration: 300, windowStart: (at * 13) % 3000, windowEnd: (at * 13) % 3000 + 2500, shifts: i % 11 === 0 ? onlyFor(i) : null })),
    shifts: Array.from({ length: shifts }, (_, i) => shiftOf({
      driver: driverOf(i), gap: i % 2 === 0 ? 'wait' : 'return_to_warehouse',
      intervals: i % 3 === 0 ? [{ start: 0, end: 6000 }] : [{ start: 10 * i, end: 2500 }, { start: 2700, end: 6000 }],
    })),
  };
}
