import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { activeNetwork } from '../networks/active-network.ts';
import { travelBetween, type TravelTable } from '../networks/travel-table.ts';
import { Order } from '../orders/entity.ts';
import { isLive, replacementIn } from '../planning/facts.ts';
import { layOut, type ShiftOfVehicle, type WantedStop } from '../planning/lay-out.ts';
import { verifyRecords } from '../planning/verify-records.ts';
import type { Plan } from '../plans/entity.ts';
import { ms, orderIdsOf, originPlaces } from '../plans/stops.ts';
import { recordsById } from '../records/read-records.ts';
import { shiftsOf } from '../time/shifts.ts';
import { gapPolicyOf, type WorkingHours } from '../time/working-hours.ts';
import type { Vehicle } from '../vehicles/entity.ts';
import type { ViolationCode } from '../verifier/violation.ts';
import { Warehouse } from '../warehouses/entity.ts';

export interface HoursChange {
  business: Business;
  vehicle: Vehicle;
  before: WorkingHours;
  after: WorkingHours;
}

/** A plan that a change of hours touches: the orders that do not fit any more, in their order, and what else has to be known. */
export interface PlanMisfits {
  plan: Plan;
  orders: Order[];
  notes: string[];
}

/** What hours have to do with: service, travel and the gaps between them. */
const codesOfHours: readonly ViolationCode[] = ['service_outside_hours', 'travel_outside_hours', 'not_at_warehouse', 'warehouse_stop', 'leg_time'];

/**
 * The plans that do not stand under the new hours as they did under the old ones. Starts stay where they are, as nothing is planned
 * again; the legs between them are driven as the new hours have it. The verifier is the judge. Plans of dates whose hours stay the
 * same are not touched, whatever is wrong with them.
 */
export async function findMisfits(em: EntityManager, change: HoursChange, plans: Plan[]): Promise<PlanMisfits[]> {
  const { business, vehicle, before, after } = change;
  const intervalsOn = (hours: WorkingHours, date: string) => shiftsOf(hours, business.timeZone, date, date)[0]?.intervals ?? [];
  const touched = plans.filter(({ shiftDate }) => JSON.stringify([intervalsOn(before, shiftDate), gapPolicyOf(before)]) !== JSON.stringify([intervalsOn(after, shiftDate), gapPolicyOf(after)]));
  if (touched.length === 0) return [];
  const warehouse = await em.findOneOrFail(Warehouse, { id: vehicle.warehouseId });
  const orders = await recordsById<Order>(em, Order, touched.flatMap(orderIdsOf));
  const table = await travelBetween(await activeNetwork(em, business), {
    vehicles: [vehicle],
    locations: [warehouse.location, ...[...orders.values()].map((order) => order.location), ...touched.flatMap((plan) => [...originPlaces(plan), ...plan.stops.map((stop) => stop.location)])],
  });
  return touched.flatMap((plan) => {
    const shiftUnder = (hours: WorkingHours): ShiftOfVehicle => ({ vehicle: { ...vehicle, workingHours: hours } as Vehicle, warehouse, date: plan.shiftDate, intervals: intervalsOn(hours, plan.shiftDate) });
    return misfitsIn(plan, { old: shiftUnder(before), now: shiftUnder(after), orders, table }) ?? [];
  });
}

interface Surroundings {
  old: ShiftOfVehicle;
  now: ShiftOfVehicle;
  orders: Map<string, Order>;
  table: TravelTable;
}

/** Null where the plan stands as it is. */
function misfitsIn(plan: Plan, { old, now, orders, table }: Surroundings): PlanMisfits | null {
  const stops = plan.stops.flatMap((stop): WantedStop[] => {
    const order = stop.order_id === undefined ? undefined : orders.get(stop.order_id);
    return order ? [{ order, startMs: ms(stop.start_at) }] : [];
  });
  // Where it did not work, nothing fitted that could not fit any more.
  if (old.intervals.length === 0) return null;
  const kept = stops.filter(({ order }) => isLive(order));
  const open = stops.filter(({ order }) => !isLive(order)).toSorted((a, b) => a.startMs - b.startMs);
  if (now.intervals.length === 0) {
    const notes = kept.length > 0 ? [`${now.vehicle.id} does not work on ${plan.shiftDate} any more, but what it has begun there stays`] : [];
    return { plan, orders: open.map(({ order }) => order), notes };
  }
  const judge = (shift: ShiftOfVehicle, wanted: WantedStop[]) => faults({ ...layOut(shift, wanted, { table, present: plan }) }, { shift, orders, table });
  const tolerated = faults(plan, { shift: old, orders, table });
  const isNew = (fault: string) => !tolerated.has(fault);
  if (![...faults(plan, { shift: now, orders, table })].some(isNew)) return null;

  for (const fault of judge(now, kept)) tolerated.add(fault);
  const leaving: Order[] = [];
  // One after the other, as each has to be reached from the one before it and to be left for home.
  for (const stop of open) {
    if ([...judge(now, [...kept, stop])].some(isNew)) leaving.push(stop.order);
    else kept.push(stop);
  }
  return { plan, orders: leaving, notes: [] };
}

/** What the verifier objects to as far as hours are concerned, by rule and order. */
function faults(plan: Pick<Plan, 'driverId' | 'startAt' | 'endAt' | 'stops' | 'returnLeg' | 'origin'>, { shift, orders, table }: { shift: ShiftOfVehicle; orders: Map<string, Order>; table: TravelTable }): Set<string> {
  const violations = verifyRecords({ plans: [{ plan, ...shift }], orders, table, restSeconds: 0, otherPlans: [], replacementOf: replacementIn(orders) });
  return new Set(violations.filter(({ code }) => codesOfHours.includes(code)).map(({ code, orderId }) => `${code} ${orderId ?? ''}`));
}
