import type { OrderFacts, PlanUnderCheck, StopUnderCheck } from './plan-under-check.ts';
import type { Report } from './report.ts';
import { instant, offBy } from './words.ts';

/**
 * Whether the plan can be judged at all. A comparison with NaN or undefined is silently false, and a verifier that compares such
 * a thing would let it pass.
 */
export function checkForm(plan: PlanUnderCheck, orders: Map<string, OrderFacts>, report: Report): boolean {
  const problems = [...hoursProblems(plan), ...timesProblems(plan), ...plan.stops.flatMap((stop) => stopProblems(stop, orders))];
  for (const problem of problems) report('malformed', null, problem);
  if (problems.length > 0) return false;
  return checkTimes(plan, report);
}

function hoursProblems(plan: PlanUnderCheck): string[] {
  const problems = [];
  // A plan without stops needs no hours: it may stand for a day off.
  if (plan.intervals.length === 0 && plan.stops.length > 0) problems.push('the shift has no working interval');
  plan.intervals.forEach(({ startMs, endMs }, index) => {
    if (!isInstant(startMs) || !isInstant(endMs)) problems.push(`working interval ${index + 1} is not between two instants`);
    else if (endMs <= startMs) problems.push(`working interval ${index + 1} ends at ${instant(endMs)}, before it starts`);
    else if (index > 0 && startMs < plan.intervals[index - 1].endMs) problems.push(`working interval ${index + 1} starts at ${instant(startMs)}, before the one before it ends`);
  });
  if (plan.gapPolicy !== 'wait' && plan.gapPolicy !== 'return_to_warehouse') problems.push(`the gap policy ${String(plan.gapPolicy)} is unknown`);
  return problems;
}

function timesProblems(plan: PlanUnderCheck): string[] {
  const problems = [];
  if (plan.startMs !== null && !isInstant(plan.startMs)) problems.push('the start of the plan is no instant');
  if (plan.endMs !== null && !isInstant(plan.endMs)) problems.push('the end of the plan is no instant');
  if (plan.resume && !isInstant(plan.resume.atMs)) problems.push('the instant at which the plan goes on is no instant');
  if (plan.returnLeg) {
    const { departureMs, arrivalMs, travelSeconds, travelMetres } = plan.returnLeg;
    if (!isInstant(departureMs) || !isInstant(arrivalMs) || !isLength(travelSeconds) || !isLength(travelMetres)) problems.push('the return leg has an instant or a length that is no whole number');
  }
  return problems;
}

function stopProblems(stop: StopUnderCheck, orders: Map<string, OrderFacts>): string[] {
  const problems = [];
  const instants = [stop.arrivalMs, stop.startMs, stop.endMs, stop.departureMs];
  if (!instants.every(isInstant)) problems.push(`stop ${stop.sequence} has an instant that is no whole number of milliseconds`);
  if (![stop.waitSeconds, stop.travelSeconds, stop.travelMetres].every(isLength)) problems.push(`stop ${stop.sequence} has a wait or a leg that is no whole number from 0`);
  const order = stop.orderId === null ? undefined : orders.get(stop.orderId);
  if (order && ![order.windowStartMs, order.windowEndMs, order.durationSeconds, order.lockedStartMs ?? 0].every(isInstant)) problems.push(`${order.id} has a window, a duration or a locked start that is no whole number`);
  return problems;
}

/** Times are there exactly when there are stops, and the plan ends when its return leg does. */
function checkTimes(plan: PlanUnderCheck, report: Report): boolean {
  const { startMs, endMs, returnLeg } = plan;
  if (plan.stops.length === 0) {
    if (startMs === null && endMs === null && returnLeg === null) return true;
    report('plan_times', null, 'the plan has no stops, yet a start, an end or a return leg');
    return false;
  }
  if (startMs === null || endMs === null || returnLeg === null) {
    report('plan_times', null, 'the plan has stops, but no start, no end or no return leg');
    return false;
  }
  if (endMs !== returnLeg.arrivalMs) report('plan_times', null, `the plan ends at ${instant(endMs)}, ${offBy(endMs, returnLeg.arrivalMs)} for its arrival at the warehouse`);
  return true;
}

const isInstant = (value: number) => Number.isSafeInteger(value);
const isLength = (value: number) => Number.isSafeInteger(value) && value >= 0;
