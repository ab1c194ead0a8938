import type { Location } from '../contract/schemas.ts';
import type { Order } from '../orders/entity.ts';
import type { Stop } from '../plans/schema.ts';
import { ms } from '../plans/stops.ts';
import type { WorkInterval } from '../time/shifts.ts';
import { isLive, replacementIn, type PlanningFacts, type ShiftFacts } from './facts.ts';

/** Where and when planning takes over in a shift, and what lies behind it. */
export interface ShiftStart {
  /** Stops that have happened or are happening, as they stood when they did; they stay. */
  behind: Stop[];
  /** Stops that planning may still decide on. */
  ahead: Stop[];
  /** Who drives on: after a handover that has happened, the replacement. */
  driverId: string | null;
  location: Location;
  /** What is left of the working intervals; empty when the shift is over. */
  intervals: WorkInterval[];
  /** Until when the driver is busy with an order in progress. */
  busyUntilMs: number | null;
}

/**
 * An untouched shift starts at the warehouse. One that is under way goes on where the vehicle is: at the order in progress when that
 * is done, else at the driver's last position while it is fresh, else at the last finished order, else at the warehouse. One that is
 * over has no time left.
 */
export function shiftStart(shift: ShiftFacts, facts: PlanningFacts): ShiftStart {
  const behind = stopsBehind(shift, facts);
  const ahead = (shift.plan?.stops ?? []).filter((stop) => stop.kind !== 'warehouse' && !isLiveStop(stop, facts));
  const driverId = driverAfter(behind, shift, facts);
  const isUnderWay = shift.intervals[0].startMs <= facts.asOfMs && !facts.isReplay;
  const free = behind.length === 0 ? null : freeAfter(behind[behind.length - 1], facts);
  const position = isUnderWay && !free?.isBusy ? freshPosition(driverId, facts) : null;
  const fromMs = Math.max(isUnderWay ? facts.asOfMs : -Infinity, free?.atMs ?? -Infinity);
  const location = position ?? free?.location ?? shift.warehouse.location;
  return { behind, ahead, driverId, location, intervals: intervalsFrom(fromMs, shift.intervals), busyUntilMs: free?.isBusy ? free.atMs : null };
}

const intervalsFrom = (fromMs: number, intervals: WorkInterval[]): WorkInterval[] =>
  intervals.filter(({ endMs }) => endMs > fromMs).map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, fromMs), endMs }));

/** Nobody begins another shift before the order in hand is done. */
export function startsWhenFree(starts: ShiftStart[], busyUntil: ReadonlyMap<string, number>): ShiftStart[] {
  return starts.map((start) => {
    const untilMs = start.busyUntilMs !== null || start.driverId === null ? undefined : busyUntil.get(start.driverId);
    return untilMs === undefined ? start : { ...start, intervals: intervalsFrom(untilMs, start.intervals) };
  });
}

/** Until when each driver with an order in progress is busy. */
export function busyDrivers(starts: readonly ShiftStart[]): Map<string, number> {
  const busyUntil = new Map<string, number>();
  for (const { driverId, busyUntilMs } of starts) if (driverId !== null && busyUntilMs !== null) busyUntil.set(driverId, Math.max(busyUntilMs, busyUntil.get(driverId) ?? 0));
  return busyUntil;
}

/**
 * What has happened went by the published version, whatever a draft has made of it since: a draft may have moved an order away, or
 * others before it, before its driver began it.
 */
function stopsBehind({ plan }: ShiftFacts, facts: PlanningFacts): Stop[] {
  const stops = plan?.published?.stops ?? plan?.stops.filter((stop) => !orderOf(stop, facts)?.publishedPlanId) ?? [];
  const past = stops.slice(0, stops.findLastIndex((stop) => isLiveStop(stop, facts)) + 1);
  return past.filter((stop) => stop.kind === 'warehouse' || isLiveStop(stop, facts)).map((stop, index) => ({ ...stop, sequence: index + 1 }));
}

function isLiveStop(stop: Stop, facts: PlanningFacts): boolean {
  const order = orderOf(stop, facts);
  return order !== undefined && isLive(order);
}

const orderOf = (stop: Stop, { planned }: PlanningFacts): Order | undefined => (stop.order_id === undefined ? undefined : planned.get(stop.order_id));

/** Whoever has begun a shift drives it to its end, or to a handover: another driver of the vehicle begins with the next shift. */
function driverAfter(behind: Stop[], { vehicle }: ShiftFacts, facts: PlanningFacts): string | null {
  const last = behind.at(-1);
  if (last === undefined) return vehicle.driverId ?? null;
  return (last.kind === 'break' ? replacementIn(facts.planned)(last.order_id!) : null) ?? last.driver_id ?? null;
}

/** When and where the vehicle is free after its last live stop. */
function freeAfter(stop: Stop, facts: PlanningFacts): { atMs: number; location: Location; isBusy: boolean } {
  const order = orderOf(stop, facts);
  if (order?.status === 'in_progress' && order.actualStartedAt) {
    const endMs = order.actualStartedAt.getTime() + order.durationSeconds * 1_000;
    return { atMs: Math.max(endMs, facts.asOfMs), location: order.location, isBusy: true };
  }
  return { atMs: order?.actualCompletedAt?.getTime() ?? ms(stop.departure_at), location: stop.location, isBusy: false };
}

function freshPosition(driverId: string | null, facts: PlanningFacts): Location | null {
  const driver = driverId === null ? undefined : facts.drivers.get(driverId);
  if (!driver?.location || !driver.locationRecordedAt) return null;
  const ageMs = facts.asOfMs - driver.locationRecordedAt.getTime();
  return ageMs <= facts.business.planning.location_freshness_seconds * 1_000 ? driver.location : null;
}
