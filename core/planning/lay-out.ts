import type { TravelTable } from '../networks/travel-table.ts';
import type { Location } from '../contract/schemas.ts';
import type { Order } from '../orders/entity.ts';
import type { Plan, PlanOrigin } from '../plans/entity.ts';
import type { ReturnLeg, Stop } from '../plans/schema.ts';
import { ms } from '../plans/stops.ts';
import { formatInstant } from '../time/instants.ts';
import type { WorkInterval } from '../time/shifts.ts';
import { gapPolicyOf } from '../time/working-hours.ts';
import type { Vehicle } from '../vehicles/entity.ts';
import type { Warehouse } from '../warehouses/entity.ts';
import type { PlanDraft } from './assemble-plans.ts';
import { isLive } from './facts.ts';

/** A stop as an administrator wants it: this order, served from this instant on. */
export interface WantedStop {
  order: Order;
  startMs: number;
}

/** A vehicle's shift and what it shall serve. */
export interface ShiftOfVehicle {
  vehicle: Vehicle;
  warehouse: Warehouse;
  date: string;
  intervals: WorkInterval[];
}

/**
 * Lays stops out in time. Each starts when it shall, and the vehicle leaves the one before as early as its hours allow, even where it
 * then comes too late: what does not fit is for the verifier to say. What has happened stays as it stands in the present plan.
 */
export function layOut(shift: ShiftOfVehicle, wanted: WantedStop[], { table, present }: { table: TravelTable; present: Plan | null }): Omit<PlanDraft, 'shift'> {
  const { vehicle, warehouse, intervals } = shift;
  const { history, ahead, origin } = divide(wanted, present);
  const stops: Stop[] = [...history];
  let driverId = driverAfter(history, wanted, vehicle);
  let at = whereItGoesOn(history, origin, warehouse);
  const leg = (to: Location) => table.travel(vehicle, table.placeOf(at.location), table.placeOf(to)) ?? { seconds: 0, metres: 0 };
  const push = (stop: Omit<Stop, 'sequence' | 'driver_id'>) => {
    stops.push({ ...stop, sequence: stops.length + 1, driver_id: driverId });
    at = { location: stop.location, readyMs: ms(stop.departure_at) };
  };
  const leave = (departureMs: number) => {
    const last = stops.at(-1);
    if (last && stops.length > history.length) stops[stops.length - 1] = { ...last, departure_at: formatInstant(departureMs) };
  };

  for (const { order, startMs } of ahead) {
    const gap = gapPolicyOf(vehicle.workingHours) === 'return_to_warehouse' && stops.length > 0 ? gapsBetween(intervals, at.readyMs, startMs) : null;
    if (gap !== null) push(warehouseStop(warehouse, leg(warehouse.location), { gap, readyMs: at.readyMs }));
    const { seconds, metres } = leg(order.location);
    // The first leg, and the one after a gap, begins as late as it can.
    const isFirst = stops.length === 0 || stops[stops.length - 1].kind === 'warehouse';
    const departureMs = isFirst ? startMs - seconds * 1_000 : earliestDeparture(intervals, at.readyMs, seconds);
    leave(departureMs);
    const arrivalMs = Math.min(departureMs + seconds * 1_000, startMs);
    const end = formatInstant(startMs + order.durationSeconds * 1_000);
    push({
      kind: order.type, order_id: order.id, location: order.location,
      arrival_at: formatInstant(arrivalMs), start_at: formatInstant(startMs), end_at: end, departure_at: end,
      wait_seconds: Math.floor((startMs - arrivalMs) / 1_000), travel_seconds: seconds, travel_meters: metres,
    });
    driverId = order.replacementDriverId ?? driverId;
  }

  const draft = { driverId: vehicle.driverId ?? null, warnings: [] };
  if (stops.length === 0) return { ...draft, startAt: null, endAt: null, stops, returnLeg: null, origin: null };
  const home = leg(warehouse.location);
  const departureMs = earliestDeparture(intervals, at.readyMs, home.seconds);
  leave(departureMs);
  const endMs = departureMs + home.seconds * 1_000;
  const returnLeg: ReturnLeg = { departure_at: formatInstant(departureMs), arrival_at: formatInstant(endMs), travel_seconds: home.seconds, travel_meters: home.metres, location: warehouse.location };
  const startMs = history.length > 0 && present?.startAt ? present.startAt.getTime() : ms(stops[0].arrival_at) - stops[0].travel_seconds * 1_000;
  return { ...draft, ...(history.length > 0 ? { driverId: present?.driverId ?? null } : {}), startAt: new Date(startMs), endAt: new Date(endMs), stops, returnLeg, origin };
}

/** What has happened, with the warehouse stops among it, and what can still be laid out. */
function divide(wanted: WantedStop[], present: Plan | null): { history: Stop[]; ahead: WantedStop[]; origin: PlanOrigin | null } {
  const live = new Set(wanted.filter(({ order }) => isLive(order)).map(({ order }) => order.id));
  const presentStops = present?.stops ?? [];
  const past = presentStops.slice(0, presentStops.findLastIndex((stop) => stop.order_id !== undefined && live.has(stop.order_id)) + 1);
  const history = past.filter((stop) => stop.kind === 'warehouse' || live.has(stop.order_id!)).map((stop, index) => ({ ...stop, sequence: index + 1 }));
  const happened = new Set(history.map((stop) => stop.order_id));
  const ahead = wanted.filter(({ order }) => !happened.has(order.id)).toSorted((a, b) => a.startMs - b.startMs || (a.order.id < b.order.id ? -1 : 1));
  const origin = present?.origin ?? null;
  if (origin === null || origin.behind === history.length) return { history, ahead, origin };
  // More or less has happened than when the plan was made: where it went on from then is of no use any more.
  return { history, ahead, origin: history.length > 0 ? { ...origin, behind: history.length, resume: null } : null };
}

function whereItGoesOn(history: Stop[], origin: PlanOrigin | null, warehouse: Warehouse): { location: Location; readyMs: number } {
  if (origin?.resume) return { location: origin.resume.location, readyMs: origin.resume.atMs };
  const last = history.at(-1);
  if (last) return { location: last.location, readyMs: ms(last.departure_at) };
  return { location: origin?.location ?? warehouse.location, readyMs: -Infinity };
}

/** Whoever has begun a shift drives it to its end, or to a handover. */
function driverAfter(history: Stop[], wanted: WantedStop[], vehicle: Vehicle): string | null {
  const last = history.at(-1);
  if (last === undefined) return vehicle.driverId ?? null;
  return wanted.find(({ order }) => order.id === last.order_id)?.order.replacementDriverId ?? last.driver_id ?? null;
}

function warehouseStop(warehouse: Warehouse, { seconds, metres }: { seconds: number; metres: number }, { gap, readyMs }: { gap: WorkInterval; readyMs: number }): Omit<Stop, 'sequence' | 'driver_id'> {
  const [start, end] = [formatInstant(gap.startMs), formatInstant(gap.endMs)];
  return {
    kind: 'warehouse', location: warehouse.location,
    arrival_at: formatInstant(readyMs + seconds * 1_000), start_at: start, end_at: end, departure_at: end,
    wait_seconds: 0, travel_seconds: seconds, travel_meters: metres,
  };
}

/** The vehicle is off between two intervals: a leg that does not fit before the gap begins after it. */
function earliestDeparture(intervals: WorkInterval[], readyMs: number, seconds: number): number {
  const starts = intervals.flatMap(({ startMs, endMs }) => (Math.max(startMs, readyMs) + seconds * 1_000 <= endMs ? [Math.max(startMs, readyMs)] : []));
  return starts[0] ?? readyMs;
}

/** The time off between two instants, from the first gap in it to the last. */
function gapsBetween(intervals: WorkInterval[], fromMs: number, toMs: number): WorkInterval | null {
  const gaps = intervals.slice(1).map((later, index) => ({ startMs: intervals[index].endMs, endMs: later.startMs })).filter((gap) => fromMs <= gap.startMs && toMs >= gap.endMs);
  return gaps.length === 0 ? null : { startMs: gaps[0].startMs, endMs: gaps[gaps.length - 1].endMs };
}
