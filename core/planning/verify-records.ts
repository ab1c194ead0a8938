import type { Order } from '../orders/entity.ts';
import type { Travels } from '../networks/travel-table.ts';
import type { Plan } from '../plans/entity.ts';
import { driverSpans, ms } from '../plans/stops.ts';
import type { WorkInterval } from '../time/shifts.ts';
import { gapPolicyOf } from '../time/working-hours.ts';
import { verifyPlans } from '../verifier/verify-plans.ts';
import type { FixedSpan, OrderFacts, PlanUnderCheck, StopUnderCheck, VerifyInput } from '../verifier/plan-under-check.ts';
import type { Violation } from '../verifier/violation.ts';
import type { Vehicle } from '../vehicles/entity.ts';
import type { Warehouse } from '../warehouses/entity.ts';
import type { Stop } from '../plans/schema.ts';
import { isLive } from './facts.ts';

/** A plan as it stands or shall stand, with the records that it has to agree with. */
export interface CheckedPlan {
  plan: Pick<Plan, 'driverId' | 'startAt' | 'endAt' | 'stops' | 'returnLeg' | 'origin'>;
  date: string;
  vehicle: Vehicle;
  warehouse: Warehouse;
  intervals: WorkInterval[];
}

export interface PlansToVerify {
  plans: CheckedPlan[];
  orders: Map<string, Order>;
  table: Travels;
  restSeconds: number;
  /** Current plans outside of these that keep drivers busy. */
  otherPlans: Plan[];
  /** Orders in progress, with the plan that each belongs to. */
  inProgress?: FixedSpan[];
  replacementOf: (orderId: string) => string | null;
  /** What a lock of this run holds beyond what the order says. */
  locks?: (order: Order) => Partial<OrderFacts>;
  mustServe?: string[];
}

/** What messages call a plan: its id would be another one with each version. */
export const planName = (vehicleId: string, date: string): string => `${vehicleId} on ${date}`;

/** Brings records and plans into the verifier's terms. An empty list means that the plans are sound. */
export function verifyRecords({ plans, orders, table, restSeconds, otherPlans, inProgress = [], replacementOf, locks, mustServe }: PlansToVerify): Violation[] {
  const fixedSpans: FixedSpan[] = otherPlans.flatMap((plan) => driverSpans(plan, replacementOf).map((span) => ({ ...span, what: `the plan of ${plan.vehicleId} on ${plan.shiftDate}` })));
  const facts = new Map([...orders.values()].map((order) => [order.id, { ...orderFacts(order, table), ...locks?.(order) }]));
  const vehicles = new Map(plans.map(({ vehicle }) => [vehicle.id, vehicle]));
  const travel: VerifyInput['travel'] = (from, to, vehicleId) => table.travel(vehicles.get(vehicleId)!, from, to);
  return verifyPlans({ travel, restSeconds, plans: plans.map((checked) => underCheck(checked, { orders, table })), orders: facts, fixedSpans: [...fixedSpans, ...inProgress], ...(mustServe ? { mustServe } : {}) });
}

/** Of work that has begun, the published vehicle is the right one, whatever was chosen since. */
function orderFacts(order: Order, table: PlansToVerify['table']): OrderFacts {
  const live = isLive(order);
  return {
    id: order.id,
    kind: order.type,
    place: table.placeOf(order.location),
    durationSeconds: order.durationSeconds,
    windowStartMs: order.windowStart.getTime(),
    windowEndMs: order.windowEnd.getTime(),
    vehicleId: (live ? order.publishedVehicleId : null) ?? order.selectedVehicleId ?? null,
    lockedStartMs: null,
    lockedVehicleId: null,
    lockedDriverId: live ? null : (order.selectedDriverId ?? null),
    replacementDriverId: order.replacementDriverId ?? null,
    live,
  };
}

function underCheck({ plan, date, vehicle, warehouse, intervals }: CheckedPlan, { orders, table }: Pick<PlansToVerify, 'orders' | 'table'>): PlanUnderCheck {
  const liveCount = plan.stops.findLastIndex((stop) => stop.order_id !== undefined && orders.has(stop.order_id) && isLive(orders.get(stop.order_id)!)) + 1;
  // When more has happened than the plan knew of, where it went on from then says nothing any more.
  const resume = plan.origin?.behind === liveCount ? plan.origin.resume : null;
  const warehousePlace = table.placeOf(warehouse.location);
  return {
    planId: planName(vehicle.id, date), date,
    vehicleId: vehicle.id,
    driverId: plan.driverId ?? null,
    warehousePlace,
    startPlace: plan.origin ? table.placeOf(plan.origin.location) : warehousePlace,
    intervals,
    gapPolicy: gapPolicyOf(vehicle.workingHours),
    startMs: plan.startAt?.getTime() ?? null,
    endMs: plan.endAt?.getTime() ?? null,
    stops: plan.stops.map((stop) => stopUnderCheck(stop, table)),
    returnLeg: plan.returnLeg
      ? { departureMs: ms(plan.returnLeg.departure_at), arrivalMs: ms(plan.returnLeg.arrival_at), travelSeconds: plan.returnLeg.travel_seconds, travelMetres: plan.returnLeg.travel_meters }
      : null,
    resume: resume && { place: table.placeOf(resume.location), atMs: resume.atMs },
  };
}

const stopUnderCheck = (stop: Stop, table: PlansToVerify['table']): StopUnderCheck => ({
  sequence: stop.sequence,
  kind: stop.kind,
  orderId: stop.order_id ?? null,
  place: table.placeOf(stop.location),
  arrivalMs: ms(stop.arrival_at),
  startMs: ms(stop.start_at),
  endMs: ms(stop.end_at),
  departureMs: ms(stop.departure_at),
  waitSeconds: stop.wait_seconds,
  travelSeconds: stop.travel_seconds,
  travelMetres: stop.travel_meters,
  driverId: stop.driver_id ?? null,
});
