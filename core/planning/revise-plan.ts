import { notFound } from '../contract/errors.ts';
import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { activeNetwork } from '../networks/active-network.ts';
import { travelBetween } from '../networks/travel-table.ts';
import { Order } from '../orders/entity.ts';
import { currentPlan } from '../plans/current-plans.ts';
import type { Plan } from '../plans/entity.ts';
import { ms, orderIdsOf, originPlaces } from '../plans/stops.ts';
import { recordsById } from '../records/read-records.ts';
import { shiftsOf } from '../time/shifts.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { Warehouse } from '../warehouses/entity.ts';
import type { PlanDraft } from './assemble-plans.ts';
import { layOut, type ShiftOfVehicle, type WantedStop } from './lay-out.ts';
import { saveVersions } from './save-versions.ts';
import { warningsOf } from './warnings.ts';

export async function shiftOfVehicle(em: EntityManager, business: Business, vehicleId: string, date: string): Promise<ShiftOfVehicle> {
  const [shift] = await shiftsOfVehicles(em, business, [{ vehicleId, date }]);
  return shift;
}

/** In their order, with two reads for all of them. */
export async function shiftsOfVehicles(em: EntityManager, business: Business, wanted: { vehicleId: string; date: string }[]): Promise<ShiftOfVehicle[]> {
  const vehicles = await recordsById<Vehicle>(em, Vehicle, [...new Set(wanted.map(({ vehicleId }) => vehicleId))]);
  const warehouses = await recordsById<Warehouse>(em, Warehouse, [...new Set([...vehicles.values()].map((vehicle) => vehicle.warehouseId))]);
  return wanted.map(({ vehicleId, date }) => {
    const vehicle = vehicles.get(vehicleId);
    if (vehicle === undefined) throw notFound('vehicle', vehicleId);
    const warehouse = warehouses.get(vehicle.warehouseId);
    if (warehouse === undefined) throw notFound('warehouse', vehicle.warehouseId);
    const [shift] = shiftsOf(vehicle.workingHours, business.timeZone, date, date);
    return { vehicle, warehouse, date, intervals: shift?.intervals ?? [] };
  });
}

/**
 * Writes a planning version with the stops of the present one after `change`. Starts stay where they are: what does not fit together
 * any more becomes a warning, never a silent change. The capacity of the business must have been taken.
 */
export async function revisePlan(em: EntityManager, business: Business, shift: ShiftOfVehicle, change: (stops: WantedStop[]) => WantedStop[]): Promise<Plan> {
  const draft = await revisedDraft(em, business, { shift, present: await currentPlan(em, shift.vehicle.id, shift.date), change });
  const [plan] = await saveVersions(em, business.id, [{ draft: { ...draft, vehicleId: shift.vehicle.id, date: shift.date }, unplannedOrderIds: [], jobId: null }]);
  return plan;
}

interface Revision {
  shift: ShiftOfVehicle;
  present: Plan | null;
  change: (stops: WantedStop[]) => WantedStop[];
}

/** What a plan would say after a change by hand, with the warnings that follow from it. */
export async function revisedDraft(em: EntityManager, business: Business, { shift, present, change }: Revision): Promise<Omit<PlanDraft, 'shift'>> {
  const presentStops = present?.stops ?? [];
  const orders = await recordsById<Order>(em, Order, present ? orderIdsOf(present) : []);
  const wanted = change(presentStops.flatMap((stop) => {
    const order = stop.order_id === undefined ? undefined : orders.get(stop.order_id);
    return order ? [{ order, startMs: ms(stop.start_at) }] : [];
  }));
  const table = await travelBetween(await activeNetwork(em, business), {
    vehicles: [shift.vehicle],
    locations: [shift.warehouse.location, ...originPlaces(present), ...presentStops.map((stop) => stop.location), ...wanted.map(({ order }) => order.location)],
  });
  const draft = layOut(shift, wanted, { table, present });
  return { ...draft, warnings: await warningsOf(em, business, [{ plan: draft, ...shift }], { table, beside: 'planning' }) };
}
