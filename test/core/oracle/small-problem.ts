import { NONE, UNREACHABLE } from '../../../core/solver/problem.ts';
import type { Matrix, Problem, Shift, Task } from '../../../core/solver/problem.ts';

/** Six places on a line, 100 seconds and 1 km apart. Place 0 is the warehouse; from and to place 5 there is no road. */
export function line(): Matrix {
  const size = 6;
  const between = (length: number) => Int32Array.from({ length: size * size }, (_, i) => {
    const from = Math.floor(i / size);
    const to = i % size;
    return from !== to && Math.max(from, to) === 5 ? UNREACHABLE : Math.abs(from - to) * length;
  });
  return { size, seconds: between(100), metres: between(1000) };
}

export const task = (overrides: Partial<Task> = {}): Task => ({
  kind: 'task', place: 1, duration: 100, windowStart: 0, windowEnd: 10_000, shifts: null, mandatory: false, pinned: false, handoverTo: NONE, ...overrides,
});

/** At work from 1000 to 2000. */
export const shift = (overrides: Partial<Shift> = {}): Shift => ({
  vehicle: 0, driver: NONE, startPlace: 0, endPlace: 0, warehouse: 0, intervals: [{ start: 1000, end: 2000 }], gap: 'wait', sequence: [], ...overrides,
});

export const problem = (tasks: Task[], shifts: Shift[] = [shift()], overrides: Partial<Problem> = {}): Problem => ({
  matrices: [line()], tasks, shifts, fixedSpans: [], restSeconds: 0, objective: 'most_served', metric: 'seconds', ...overrides,
});

export const horizon = [{ start: 0, end: 10_000 }];
