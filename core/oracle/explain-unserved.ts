import { fit } from '../solver/intervals.ts';
import { aloneTrip } from '../solver/objective.ts';
import { matrixOf, NONE, UNREACHABLE } from '../solver/problem.ts';
import type { Problem, Solution } from '../solver/problem.ts';
import { hasTours, timeRoute } from '../solver/timing.ts';
import type { ExplainOptions, Explanation, Reason } from './explanation.ts';
import { findFix } from './find-fix.ts';
import { cheapestInsertion, compareTravel, draftOf, insertions } from './insertion.ts';
import type { Draft, Insertion } from './insertion.ts';
import { isWorth } from './worth.ts';

/** Why one order is left out: see `explainLeftovers`, which does this for all of them at less cost. */
export function explainUnserved(problem: Problem, solution: Solution, task: number, options: ExplainOptions): Explanation {
  return explain(draftsOf(problem, solution), task, options);
}

/** Why each order that the plan leaves out is left out. It takes for granted that `insertLeftovers` has put in what fits. */
export function explainLeftovers(problem: Problem, solution: Solution, options: ExplainOptions): Map<number, Explanation> {
  const drafts = draftsOf(problem, solution);
  return new Map(solution.unserved.map((task) => [task, explain(drafts, task, options)]));
}

/** The plan, and what is left of it when only the locked stops or nothing at all remains. */
export interface Drafts {
  plan: Draft;
  locked: Draft;
}

function draftsOf(problem: Problem, solution: Solution): Drafts {
  const locked = solution.routes.map((route) => route.filter((task) => problem.tasks[task].pinned));
  return { plan: draftOf(problem, solution.routes), locked: draftOf(problem, locked) };
}

export interface Finding {
  reason: Reason;
  proved: boolean;
  detail: string;
  extraTravel?: number;
}

function explain(drafts: Drafts, task: number, options: ExplainOptions): Explanation {
  const { problem } = drafts.plan;
  const { extraTravel = null, ...finding } = findReason(drafts, task, options);
  return {
    ...finding,
    fix: findFix(drafts.plan, task, options),
    travelSecondsAlone: travelSecondsAlone(problem, task),
    costlier: extraTravel !== null,
    extraTravel,
  };
}

/** The first rule that excludes the order, from those that hold for it alone to those that come from the rest of the plan. */
export function findReason(drafts: Drafts, task: number, options: ExplainOptions): Finding {
  const { problem } = drafts.plan;
  const allowed = problem.tasks[task].shifts ?? problem.shifts.keys().toArray();
  return findByItself(problem, task, allowed, options) ?? findAmongLocked(drafts.locked, task, allowed) ?? findInPlan(drafts.plan, task, allowed);
}

/** What excludes it from an empty plan. By the triangle inequality other stops never make room, so that this is proved. */
function findByItself(problem: Problem, index: number, allowed: number[], { horizon }: ExplainOptions): Finding | null {
  const proved = true;
  const task = problem.tasks[index];
  if (allowed.length === 0) return { reason: 'no_eligible_vehicle', proved, detail: 'no vehicle may serve it on the requested dates' };
  const atWork = allowed.filter((shift) => {
    const start = fit(problem.shifts[shift].intervals, task.windowStart, task.duration);
    return start + task.duration <= task.windowEnd;
  });
  if (atWork.length === 0) {
    const isWithinDates = horizon.some(({ start, end }) => task.windowStart < end && task.windowEnd > start);
    if (!isWithinDates) return { reason: 'window_outside_dates', proved, detail: 'its window lies outside the requested dates' };
    if (task.windowEnd - task.windowStart < task.duration) return { reason: 'window_too_tight', proved, detail: 'its window is shorter than its service' };
    return { reason: 'outside_working_hours', proved, detail: 'no vehicle that may serve it works long enough within its window' };
  }
  const reached = atWork.filter((shift) => isReached(problem, shift, task.place));
  if (reached.length === 0) return { reason: 'unreachable', proved, detail: 'no road leads to it and back for a vehicle that works within its window' };
  if (reached.some((shift) => timeRoute(problem, shift, [index]) !== null)) return null;
  const weightless = { ...problem, tasks: problem.tasks.with(index, { ...task, demand: 0 }) };
  if (reached.some((shift) => timeRoute(weightless, shift, [index]) !== null)) return { reason: 'capacity', proved, detail: 'it is more than any vehicle that may serve it can load' };
  return { reason: 'window_too_tight', proved, detail: 'even an empty vehicle can not be there and back within its window and the working hours' };
}

/** What the locked stops and the drivers' other work exclude, by trying every position among them. */
function findAmongLocked(locked: Draft, task: number, allowed: number[]): Finding | null {
  if (allowed.some((shift) => fitsIn(locked, task, shift))) return null;
  return { reason: 'locked_conflict', proved: isProved(locked, task, allowed), detail: 'locked stops and the drivers\' other work leave no room for it' };
}

/**
 * Adding stops makes no room, with one exception: a handover that is not locked could free a driver. Where there is such a break, it
 * is proved only if the locked stops exclude the order with drivers who need no rest.
 */
function isProved(locked: Draft, task: number, allowed: number[]): boolean {
  const { problem } = locked;
  if (!problem.tasks.some((one) => one.handoverTo !== NONE && !one.pinned)) return true;
  const restless = draftOf({ ...problem, fixedSpans: [], shifts: problem.shifts.map((shift) => ({ ...shift, driver: NONE })), tasks: problem.tasks.map((one) => ({ ...one, handoverTo: NONE })) }, locked.routes);
  return !allowed.some((shift) => fitsIn(restless, task, shift));
}

function findInPlan(plan: Draft, task: number, allowed: number[]): Finding {
  const { problem } = plan;
  const cheapest = allowed
    .map((shift) => cheapestInsertion(plan, task, shift))
    .filter((found): found is Insertion => found !== null)
    .sort((a, b) => compareTravel(problem, a, b))[0];
  if (cheapest === undefined || isWorth(problem, task, cheapest)) {
    return { reason: 'capacity', proved: false, detail: 'the vehicles that may serve it are taken up by other orders' };
  }
  const added = cheapest[problem.metric];
  const more = added - aloneTrip(problem, task);
  return { reason: 'capacity', proved: false, detail: `serving it costs ${amount(problem, more)} more travel than a trip for it alone`, extraTravel: added };
}

function fitsIn(draft: Draft, task: number, shift: number): boolean {
  return insertions(draft, task, shift).next().done !== true;
}

function isReached(problem: Problem, index: number, place: number): boolean {
  const shift = problem.shifts[index];
  const { size, seconds } = matrixOf(problem, index);
  const reaches = (from: number, to: number) => seconds[from * size + to] < UNREACHABLE;
  const there = reaches(shift.startPlace, place) || (hasTours(problem, index) && reaches(shift.warehouse, place));
  const back = reaches(place, shift.endPlace) || (hasTours(problem, index) && reaches(place, shift.warehouse));
  return there && back;
}

function travelSecondsAlone(problem: Problem, index: number): number | null {
  const { place, shifts } = problem.tasks[index];
  const trips = (shifts ?? problem.shifts.keys().toArray())
    .map((shift) => {
      const { size, seconds } = matrixOf(problem, shift);
      const { warehouse } = problem.shifts[shift];
      return [seconds[warehouse * size + place], seconds[place * size + warehouse]];
    })
    .filter((legs) => legs.every((leg) => leg < UNREACHABLE))
    .map(([there, back]) => there + back);
  return trips.length === 0 ? null : Math.min(...trips);
}

/** `12 min`, at least 1; `3.4 km`, at least 0.1. */
function amount(problem: Problem, value: number): string {
  if (problem.metric === 'seconds') return `${Math.max(1, Math.round(value / 60))} min`;
  return `${Math.max(0.1, Math.round(value / 100) / 10)} km`;
}
