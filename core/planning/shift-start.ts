import type { Location } from '../contract/schemas.ts';
import type { Stop } from '../plans/schema.ts';
import { ms } from '../plans/stops.ts';
import type { WorkInterval } from '../time/shifts.ts';
import { isLive, type PlanningFacts, type ShiftFacts } from './facts.ts';

/** Where and when planning takes over in a shift, and what lies behind it. */
export interface ShiftStart {
  /** Stops that have happened or are happening, as they stand in the plan; they stay. */
  behind: Stop[];
  /** Stops that planning may still decide on. */
  ahead: Stop[];
  location: Location;
  /** What is left of the working intervals; empty when the shift is over. */
  intervals: WorkInterval[];
  /** Where the vehicle goes on, when that is neither the warehouse at the beginning nor the last stop when it ends. */
  resume: { location: Location; atMs: number } | null;
}

/**
 * An untouched shift starts at the warehouse. One that is under way goes on where the vehicle is: at the order in progress when that
 * is done, else at the driver's last position while it is fresh, else at the last finished order, else at the warehouse.
 */
export function shiftStart(shift: ShiftFacts, facts: PlanningFacts): ShiftStart {
  const stops = shift.plan?.stops ?? [];
  const lastLive = stops.findLastIndex((stop) => stop.order_id !== undefined && isLiveStop(stop, facts));
  const behind = stops.slice(0, lastLive + 1);
  const ahead = stops.slice(lastLive + 1).filter((stop) => stop.kind !== 'warehouse');
  const isUnderWay = shift.intervals[0].startMs <= facts.asOfMs && facts.asOfMs < shift.intervals[shift.intervals.length - 1].endMs;
  const free = behind.length === 0 ? null : freeAfter(behind[behind.length - 1], facts);
  const position = isUnderWay && !free?.isBusy ? freshPosition(shift, facts) : null;
  const fromMs = Math.max(isUnderWay ? facts.asOfMs : -Infinity, free?.atMs ?? -Infinity);
  const location = position ?? free?.location ?? shift.warehouse.location;
  const intervals = shift.intervals.filter((interval) => interval.endMs > fromMs).map((interval) => ({ startMs: Math.max(interval.startMs, fromMs), endMs: interval.endMs }));
  return { behind, ahead, location, intervals, resume: behind.length > 0 && intervals.length > 0 ? { location, atMs: intervals[0].startMs } : null };
}

function isLiveStop(stop: Stop, facts: PlanningFacts): boolean {
  const order = facts.planned.get(stop.order_id!);
  return order !== undefined && isLive(order);
}

/** When and where the vehicle is free after its last live stop. */
function freeAfter(stop: Stop, facts: PlanningFacts): { atMs: number; location: Location; isBusy: boolean } {
  const order = stop.order_id === undefined ? undefined : facts.planned.get(stop.order_id);
  if (order?.status === 'in_progress' && order.actualStartedAt) {
    const endMs = order.actualStartedAt.getTime() + order.durationSeconds * 1_000;
    return { atMs: Math.max(endMs, facts.asOfMs), location: order.location, isBusy: true };
  }
  return { atMs: order?.actualCompletedAt?.getTime() ?? ms(stop.departure_at), location: stop.location, isBusy: false };
}

function freshPosition(shift: ShiftFacts, facts: PlanningFacts): Location | null {
  const driver = shift.vehicle.driverId ? facts.drivers.get(shift.vehicle.driverId) : undefined;
  if (!driver?.location || !driver.locationRecordedAt) return null;
  const ageMs = facts.asOfMs - driver.locationRecordedAt.getTime();
  return ageMs <= facts.business.planning.location_freshness_seconds * 1_000 ? driver.location : null;
}
