import { NONE } from './problem.ts';
import type { Problem } from './problem.ts';

/** Something that takes a driver's time: a shift, or a fixed span. The other index is NONE. */
export interface DriverEvent {
  shift: number;
  fixedSpan: number;
  start: number;
}

/**
 * All shifts and fixed spans in the one order in which drivers work through them: by opening, a fixed span before a shift that opens
 * with it, then by index. A driver's spans never change places, not even where another order would be feasible: with the order
 * fixed, earliest and latest times follow from one sweep each.
 */
export function driverOrder(problem: Problem): DriverEvent[] {
  const fixed = problem.fixedSpans.map((span, i) => ({ shift: NONE, fixedSpan: i, start: span.start }));
  const shifts = problem.shifts.map((shift, i) => ({ shift: i, fixedSpan: NONE, start: shift.intervals[0].start }));
  return [...fixed, ...shifts].toSorted((a, b) => a.start - b.start || a.shift - b.shift || a.fixedSpan - b.fixedSpan);
}
