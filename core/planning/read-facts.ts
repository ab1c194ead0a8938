import { invalidAll } from '../contract/errors.ts';
import { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { Driver } from '../drivers/entity.ts';
import { Order } from '../orders/entity.ts';
import { plansAround, shiftKey } from '../plans/current-plans.ts';
import type { Plan } from '../plans/entity.ts';
import { orderIdsOf } from '../plans/stops.ts';
import { recordsById } from '../records/read-records.ts';
import { parseInstant } from '../time/instants.ts';
import { shiftsOf } from '../time/shifts.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { Warehouse } from '../warehouses/entity.ts';
import { endOf, type PlanningFacts, type PlanningRequest, type ShiftFacts } from './facts.ts';

/** Reads everything that planning these vehicles on these dates depends on. Give it a transaction that sees one moment. */
export async function readFacts(em: EntityManager, businessId: string, request: PlanningRequest): Promise<PlanningFacts> {
  const business = await em.findOneOrFail(Business, { id: businessId });
  const vehicles = await requestedVehicles(em, request.vehicle_ids);
  const warehouses = await recordsById<Warehouse>(em, Warehouse, vehicles.map((vehicle) => vehicle.warehouseId));
  const current = await plansAround(em, request.dates, 'planning');
  const shifts = shiftFacts(vehicles, warehouses, current, request.dates, business.timeZone);
  const inRun = new Set(shifts.map((shift) => shift.plan?.id));
  const otherPlans = [...current.values()].filter((plan) => !inRun.has(plan.id) && plan.stops.length > 0);
  const unplanned = await em.find(Order, { planId: null, deletedAt: null, status: { $in: ['created', 'on_road'] }, pendingStatus: null });
  const planned = await recordsById<Order>(em, Order, [...shifts.flatMap((shift) => (shift.plan ? [...orderIdsOf(shift.plan), ...orderIdsOf(shift.plan.published ?? noStops)] : [])), ...otherPlans.flatMap(breakIdsOf)]);
  const drivers = new Map((await em.find(Driver, { deletedAt: null })).map((driver) => [driver.id, driver]));
  // Neither the moment of creation nor the database's idea of order decides what is planned.
  unplanned.sort((a, b) => (a.id < b.id ? -1 : 1));
  const asOfMs = parseInstant(request.as_of)!;
  return { business, asOfMs, isReplay: shifts.every(({ intervals }) => endOf(intervals) <= asOfMs), shifts, unplanned, planned, drivers, otherPlans };
}

/** Every one of them has to be there: one that was deleted meanwhile makes the request invalid. */
async function requestedVehicles(em: EntityManager, ids: string[]): Promise<Vehicle[]> {
  const found = await recordsById<Vehicle>(em, Vehicle, ids);
  const missing = ids.flatMap((id, index) => (found.has(id) ? [] : [{ path: `/vehicle_ids/${index}`, message: `names no vehicle: ${JSON.stringify(id)}` }]));
  if (missing.length > 0) throw invalidAll(missing);
  return ids.map((id) => found.get(id)!);
}

function shiftFacts(vehicles: Vehicle[], warehouses: Map<string, Warehouse>, plans: Map<string, Plan>, dates: string[], zone: string): ShiftFacts[] {
  const wanted = new Set(dates);
  const [first, last] = [dates[0], dates[dates.length - 1]];
  return vehicles.flatMap((vehicle) =>
    shiftsOf(vehicle.workingHours, zone, first, last)
      .filter((shift) => wanted.has(shift.date))
      .map((shift) => ({
        vehicle, warehouse: warehouses.get(vehicle.warehouseId)!, date: shift.date, intervals: shift.intervals,
        plan: plans.get(shiftKey(vehicle.id, shift.date)) ?? null,
      })),
  );
}

const noStops = { stops: [] };

const breakIdsOf = (plan: Plan): string[] => plan.stops.flatMap((stop) => (stop.kind === 'break' && stop.order_id !== undefined ? [stop.order_id] : []));
