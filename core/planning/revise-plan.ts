import type { Location } from '../contract/schemas.ts';
import { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { activeNetwork } from '../networks/active-network.ts';
import { travelBetween, type TravelTable } from '../networks/travel-table.ts';
import { Order } from '../orders/entity.ts';
import { currentPlan } from '../plans/current-plans.ts';
import type { Plan } from '../plans/entity.ts';
import type { ReturnLeg, Stop } from '../plans/schema.ts';
import { ms } from '../plans/stops.ts';
import { getRecord, recordsById } from '../records/read-records.ts';
import { formatInstant } from '../time/instants.ts';
import { shiftsOf, type WorkInterval } from '../time/shifts.ts';
import { gapPolicyOf } from '../time/working-hours.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { Warehouse } from '../warehouses/entity.ts';
import { isLive } from './facts.ts';
import { saveVersions } from './save-versions.ts';
import { warningsOf } from './warnings.ts';

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

export async function shiftOfVehicle(em: EntityManager, business: Business, vehicleId: string, date: string): Promise<ShiftOfVehicle> {
  const vehicle = await getRecord<Vehicle>(em, { word: 'vehicle', entity: Vehicle }, vehicleId);
  const warehouse = await getRecord<Warehouse>(em, { word: 'warehouse', entity: Warehouse }, vehicle.warehouseId);
  const [shift] = shiftsOf(vehicle.workingHours, business.timeZone, date, date);
  return { vehicle, warehouse, date, intervals: shift?.intervals ?? [] };
}

/**
 * Writes a planning version with the stops of the present one after `change`. Starts stay where they are: what does not fit together
 * any more becomes a warning, never a silent change. The capacity of the business must have been taken.
 */
export async function revisePlan(em: EntityManager, business: Business, shift: ShiftOfVehicle, change: (stops: WantedStop[]) => WantedStop[]): Promise<Plan> {
  const present = await currentPlan(em, shift.vehicle.id, shift.date);
  const presentStops = present?.stops ?? [];
  const orders = await recordsById<Order>(em, Order, presentStops.flatMap((stop) => (stop.order_id === undefined ? [] : [stop.order_id])));
  const wanted = change(presentStops.flatMap((stop) => {
    const order = stop.order_id === undefined ? undefined : orders.get(stop.order_id);
    return order ? [{ order, startMs: ms(stop.start_at) }] : [];
  })).toSorted((a, b) => a.startMs - b.startMs || (a.order.id < b.order.id ? -1 : 1));
  const table = await travelBetween(await activeNetwork(em, business), [shift.warehouse.location, ...originPlaces(present), ...presentStops.map((stop) => stop.location), ...wanted.map(({ order }) => order.location)]);
  const draft = layOut(shift, wanted, { table, present });
  const warnings = await warningsOf(em, business, [{ plan: draft, planId: present?.id ?? 'this plan', ...shift }], table);
  const [plan] = await saveVersions(em, business.id, [{ draft: { ...draft, vehicleId: shift.vehicle.id, date: shift.date }, warnings, unplannedOrderIds: [], jobId: null }]);
  return plan;
}

interface LayOut {
  table: TravelTable;
  present: Plan | null;
}

/** Lays the stops out in time: each starts when it shall, and the vehicle arrives as early as the roads allow, but not after that. */
function layOut({ vehicle, warehouse, intervals }: ShiftOfVehicle, wanted: WantedStop[], { table, present }: LayOut) {
  const presentStop = new Map((present?.stops ?? []).map((stop) => [stop.order_id, stop]));
  const stops: Stop[] = [];
  const origin = present?.origin ?? null;
  let at = { location: origin?.location ?? warehouse.location, readyMs: -Infinity };
  let driverId = vehicle.driverId ?? null;
  const leg = (to: { latitude: number; longitude: number }) => table.travel(table.placeOf(at.location), table.placeOf(to)) ?? { seconds: 0, metres: 0 };
  const push = (stop: Omit<Stop, 'sequence' | 'driver_id'>, readyMs: number) => {
    stops.push({ ...stop, sequence: stops.length + 1, driver_id: driverId });
    at = { location: stop.location, readyMs };
  };

  for (const { order, startMs } of wanted) {
    const kept = presentStop.get(order.id);
    if (kept && isLive(order)) {
      push(withoutNumber(kept), ms(kept.departure_at));
      if (origin?.resume && stops.length === origin.behind) at = { location: origin.resume.location, readyMs: origin.resume.atMs };
    } else {
      const gap = gapPolicyOf(vehicle.workingHours) === 'return_to_warehouse' && stops.length > 0 ? gapBetween(intervals, at.readyMs, startMs) : null;
      if (gap !== null) visitWarehouse(gap);
      const { seconds, metres } = leg(order.location);
      // The first leg, and the one after a gap, begins as late as it can; any other as soon as the stop before it is done.
      const isFirst = stops.length === 0 || stops[stops.length - 1].kind === 'warehouse';
      const departureMs = isFirst ? startMs - seconds * 1_000 : at.readyMs;
      if (isFirst && stops.length > 0) stops[stops.length - 1] = { ...stops[stops.length - 1], departure_at: formatInstant(departureMs) };
      const arrivalMs = Math.min(departureMs + seconds * 1_000, startMs);
      const endMs = startMs + order.durationSeconds * 1_000;
      push({
        kind: order.type, order_id: order.id, location: order.location,
        arrival_at: formatInstant(arrivalMs), start_at: formatInstant(startMs), end_at: formatInstant(endMs), departure_at: formatInstant(endMs),
        wait_seconds: Math.floor((startMs - arrivalMs) / 1_000), travel_seconds: seconds, travel_meters: metres,
      }, endMs);
    }
    if (order.replacementDriverId) driverId = order.replacementDriverId;
  }

  function visitWarehouse(gap: { startMs: number; endMs: number }): void {
    const { seconds, metres } = leg(warehouse.location);
    push({
      kind: 'warehouse', location: warehouse.location,
      arrival_at: formatInstant(at.readyMs + seconds * 1_000), start_at: formatInstant(gap.startMs), end_at: formatInstant(gap.endMs), departure_at: formatInstant(gap.endMs),
      wait_seconds: 0, travel_seconds: seconds, travel_meters: metres,
    }, gap.endMs);
  }

  if (stops.length === 0) return { driverId: vehicle.driverId ?? null, startAt: null, endAt: null, stops, returnLeg: null, origin: null };
  const home = leg(warehouse.location);
  const arrivalMs = at.readyMs + home.seconds * 1_000;
  const returnLeg: ReturnLeg = { departure_at: formatInstant(at.readyMs), arrival_at: formatInstant(arrivalMs), travel_seconds: home.seconds, travel_meters: home.metres, location: warehouse.location };
  const startMs = isLive(wanted[0].order) && present?.startAt ? present.startAt.getTime() : ms(stops[0].arrival_at) - stops[0].travel_seconds * 1_000;
  return { driverId: vehicle.driverId ?? null, startAt: new Date(startMs), endAt: new Date(arrivalMs), stops, returnLeg, origin };
}

/** The points that a plan made under way goes on from. */
export const originPlaces = (plan: Pick<Plan, 'origin'> | null): Location[] => (plan?.origin ? [plan.origin.location, ...(plan.origin.resume ? [plan.origin.resume.location] : [])] : []);

const withoutNumber = ({ sequence: _sequence, driver_id: _driver, ...stop }: Stop): Omit<Stop, 'sequence' | 'driver_id'> => stop;

/** The gap that lies between two instants, where there is one. */
function gapBetween(intervals: WorkInterval[], fromMs: number, toMs: number): { startMs: number; endMs: number } | null {
  for (let index = 1; index < intervals.length; index++) {
    const gap = { startMs: intervals[index - 1].endMs, endMs: intervals[index].startMs };
    if (fromMs <= gap.startMs && toMs >= gap.endMs) return gap;
  }
  return null;
}
