import { drives } from './drives.ts';
import { historyOf } from './history.ts';
import type { Interval, OrderFacts, PlanUnderCheck, StopUnderCheck } from './plan-under-check.ts';
import type { Report } from './report.ts';
import { instant } from './words.ts';

/** Service and travel each lie within one working interval, and gaps are spent where the policy says. */
export function checkHours(plan: PlanUnderCheck, orders: Map<string, OrderFacts>, report: Report): void {
  const isLive = (stop: StopUnderCheck) => stop.orderId !== null && orders.get(stop.orderId)?.live === true;
  for (const stop of plan.stops) {
    if (stop.kind === 'warehouse' || isLive(stop) || isWithin(plan.intervals, stop.startMs, stop.endMs)) continue;
    report('service_outside_hours', stop.orderId, `${stop.orderId} is served from ${instant(stop.startMs)} to ${instant(stop.endMs)}, which is not within the hours of ${plan.vehicleId}`);
  }
  for (const drive of drives(plan, orders)) {
    if (isWithin(plan.intervals, drive.departureMs, drive.arrivalMs)) continue;
    report('travel_outside_hours', drive.orderId, `the leg to ${drive.name} from ${instant(drive.departureMs)} to ${instant(drive.arrivalMs)} is not within the hours of ${plan.vehicleId}`);
  }
  const gaps = gapsOf(plan.intervals);
  checkWarehouseStops(plan, gaps, orders, report);
  if (plan.gapPolicy === 'return_to_warehouse') checkGaps(plan, gaps, isLive, report);
}

/**
 * A gap counts when the plan has begun before it and goes on after it. Where a vehicle stood before its plan begins is not part of
 * the plan. A gap that a live stop reaches into or follows is history, and so is one that begins before the vehicle goes on.
 */
function checkGaps(plan: PlanUnderCheck, gaps: Interval[], isLive: (stop: StopUnderCheck) => boolean, report: Report): void {
  if (plan.startMs === null || plan.endMs === null) return;
  for (const gap of gaps) {
    if (gap.startMs === gap.endMs || plan.startMs > gap.startMs || plan.endMs < gap.endMs) continue;
    if (plan.stops.some((stop) => isLive(stop) && stop.departureMs > gap.startMs) || (plan.resume && plan.resume.atMs >= gap.startMs)) continue;
    const spent = plan.stops.some((stop) => stop.kind === 'warehouse' && stop.arrivalMs <= gap.startMs && stop.departureMs >= gap.endMs);
    if (!spent) report('not_at_warehouse', null, `vehicle ${plan.vehicleId} is off from ${instant(gap.startMs)} to ${instant(gap.endMs)} and should spend that time at its warehouse, but does not`);
  }
}

/** A warehouse stop is a gap, or several in a row, spent at the warehouse: it starts and ends as they do. */
function checkWarehouseStops(plan: PlanUnderCheck, gaps: Interval[], orders: Map<string, OrderFacts>, report: Report): void {
  const { isPast } = historyOf(plan, orders);
  for (const stop of plan.stops) {
    if (stop.kind !== 'warehouse' || isPast(stop)) continue;
    if (plan.gapPolicy === 'wait') {
      report('warehouse_stop', null, `stop ${stop.sequence} returns to the warehouse, but vehicle ${plan.vehicleId} waits at a stop while it is off`);
      continue;
    }
    const first = gaps.findIndex((gap) => gap.startMs === stop.startMs);
    const last = gaps.findIndex((gap) => gap.endMs === stop.endMs);
    if (first === -1 || last < first) report('warehouse_stop', null, `stop ${stop.sequence} is at the warehouse from ${instant(stop.startMs)} to ${instant(stop.endMs)}, which is no gap in the hours of ${plan.vehicleId}`);
  }
}

/** Between two intervals that touch, the gap has no length: a warehouse stop may stand for it, but need not. */
function gapsOf(intervals: Interval[]): Interval[] {
  return intervals.slice(1).map((later, index) => ({ startMs: intervals[index].endMs, endMs: later.startMs }));
}

function isWithin(intervals: Interval[], startMs: number, endMs: number): boolean {
  return intervals.some((interval) => interval.startMs <= startMs && startMs <= endMs && endMs <= interval.endMs);
}
