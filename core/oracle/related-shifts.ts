import { NONE } from '../solver/problem.ts';
import type { FixedSpan, Problem } from '../solver/problem.ts';

/** The shifts of a plan whose times depend on one another through their drivers, and these drivers' other work. */
export interface RelatedShifts {
  shifts: number[];
  fixedSpans: FixedSpan[];
}

/**
 * Everything that shares a driver with `shift`, directly or through others, when the tasks in `routes` are served and `extra` too.
 * Idle shifts take nobody's time and are left out, but for the shift itself.
 */
export function relatedShifts(problem: Problem, routes: number[][], at: { shift: number; extra: number }): RelatedShifts {
  const driversOf = (shift: number, extra: number[]) => [problem.shifts[shift].driver, ...[...routes[shift], ...extra].map((task) => problem.tasks[task].handoverTo)].filter((driver) => driver !== NONE);
  const drivers = new Set(driversOf(at.shift, [at.extra]));
  const related = new Set([at.shift]);
  for (let grown = true; grown;) {
    grown = false;
    for (const [shift, route] of routes.entries()) {
      if (related.has(shift) || route.length === 0) continue;
      const own = driversOf(shift, []);
      if (!own.some((driver) => drivers.has(driver))) continue;
      related.add(shift);
      for (const driver of own) drivers.add(driver);
      grown = true;
    }
  }
  // Ascending, because the order of a driver's shifts is decided by index where they open together.
  const shifts = [...related].sort((a, b) => a - b);
  return { shifts, fixedSpans: problem.fixedSpans.filter((span) => drivers.has(span.driver)) };
}

/** The problem cut down to them. Its shifts are numbered anew. */
export function relatedProblem(problem: Problem, { shifts, fixedSpans }: RelatedShifts): Problem {
  return { ...problem, shifts: shifts.map((shift) => problem.shifts[shift]), fixedSpans };
}
