import type { Problem, Shift, Task } from '../solver/problem.ts';
import type { ExplainOptions, Fix } from './explanation.ts';
import { draftOf, insertions } from './insertion.ts';
import type { Draft } from './insertion.ts';
import { isWorth } from './worth.ts';

const daySeconds = 24 * 3600;
type Stretch = Exclude<Fix['kind'], 'other_vehicle'>;
const stretches: Stretch[] = ['window_end_later', 'window_start_earlier', 'hours_end_later', 'hours_start_earlier'];

/**
 * The smallest single change after which the task fits into the plan, found by trying the changed problem. A longer window or longer
 * hours never take room away, so that halving finds the least; of equal changes the first kind and the first shift.
 */
export function findFix(draft: Draft, task: number, options: ExplainOptions): Fix | null {
  const { problem } = draft;
  const allowed = problem.tasks[task].shifts ?? problem.shifts.keys().toArray();
  // What fits as it is needs no fix; `insertLeftovers` should have put it in.
  if (allowed.some((shift) => isServed(draft, task, shift))) return null;
  const another = otherVehicle(draft, task, options);
  if (another !== null) return another;
  let best: Fix | null = null;
  for (const kind of stretches) {
    for (const shift of allowed) {
      const limit = Math.min(best === null ? options.fixSecondsMax ?? daySeconds : best.seconds - 1, room(problem, { kind, shift }, options));
      const seconds = leastSeconds(limit, (tried) => helps(draft, task, { kind, seconds: tried, shift }));
      if (seconds !== null) best = { kind, seconds, shift };
    }
  }
  return best;
}

/** The problem after a fix. */
export function applyFix(problem: Problem, task: number, fix: Fix): Problem {
  const changeTask = (change: Partial<Task>) => ({ ...problem, tasks: problem.tasks.with(task, { ...problem.tasks[task], ...change }) });
  const { windowStart, windowEnd } = problem.tasks[task];
  const shift = problem.shifts[fix.shift];
  const first = shift.intervals[0];
  const last = shift.intervals.at(-1)!;
  const changeHours = (intervals: Shift['intervals']) => ({ ...problem, shifts: problem.shifts.with(fix.shift, { ...shift, intervals }) });
  switch (fix.kind) {
    case 'other_vehicle': return changeTask({ shifts: [...problem.tasks[task].shifts ?? [], fix.shift] });
    case 'window_end_later': return changeTask({ windowEnd: windowEnd + fix.seconds });
    case 'window_start_earlier': return changeTask({ windowStart: windowStart - fix.seconds });
    case 'hours_end_later': return changeHours(shift.intervals.with(-1, { start: last.start, end: last.end + fix.seconds }));
    case 'hours_start_earlier': return changeHours(shift.intervals.with(0, { start: first.start - fix.seconds, end: first.end }));
  }
}

/** A vehicle that was not selected. A break belongs to its vehicle. */
function otherVehicle(draft: Draft, task: number, options: ExplainOptions): Fix | null {
  const { kind, shifts } = draft.problem.tasks[task];
  if (kind === 'break' || shifts === null) return null;
  const others = (options.selectable?.(task) ?? draft.problem.shifts.keys().toArray()).filter((shift) => !shifts.includes(shift));
  const shift = others.find((other) => helps(draft, task, { kind: 'other_vehicle', seconds: 0, shift: other }));
  return shift === undefined ? null : { kind: 'other_vehicle', seconds: 0, shift };
}

/** Does the task fit after the fix, at a price that is worth it? */
function helps(draft: Draft, task: number, fix: Fix): boolean {
  const problem = applyFix(draft.problem, task, fix);
  // The task is in no route yet, so that what is known of the routes still holds, unless the hours have changed.
  const changed = fix.kind.startsWith('hours') ? { ...draftOf(problem, draft.routes), related: draft.related } : { ...draft, problem };
  return isServed(changed, task, fix.shift);
}

function isServed(draft: Draft, task: number, shift: number): boolean {
  for (const insertion of insertions(draft, task, shift)) if (isWorth(draft.problem, task, insertion)) return true;
  return false;
}

/** How far hours can be extended before the vehicle is in its next shift, or in its last one, or in the past. */
function room(problem: Problem, { kind, shift: index }: { kind: Stretch; shift: number }, options: ExplainOptions): number {
  const shift = problem.shifts[index];
  const { start } = shift.intervals[0];
  const { end } = shift.intervals.at(-1)!;
  const others = problem.shifts.filter((other, i) => i !== index && other.vehicle === shift.vehicle);
  if (kind === 'hours_end_later') return Math.min(Infinity, ...others.map((other) => other.intervals[0].start).filter((next) => next >= end)) - end;
  if (kind === 'hours_start_earlier') return start - Math.max(options.notBefore ?? -Infinity, ...others.map((other) => other.intervals.at(-1)!.end).filter((previous) => previous <= start));
  return Infinity;
}

/** The least number of seconds from 1 to `most` that will do, by halving; null where not even `most` does. */
function leastSeconds(most: number, willDo: (seconds: number) => boolean): number | null {
  if (most < 1 || !willDo(most)) return null;
  let tooLittle = 0;
  let enough = most;
  while (enough - tooLittle > 1) {
    const middle = Math.floor((tooLittle + enough) / 2);
    if (willDo(middle)) enough = middle;
    else tooLittle = middle;
  }
  return enough;
}
