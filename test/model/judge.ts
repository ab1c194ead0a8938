import { verifyPlans } from '../../core/verifier/verify-plans.ts';
import type { FixedSpan, OrderFacts, PlanUnderCheck } from '../../core/verifier/plan-under-check.ts';
import type { Violation } from '../../core/verifier/violation.ts';
import { intervalsOn } from './calendar.ts';
import { at, currentPlans, isLive, ms, type Model, type OrderState, type PlanState, type Wire } from './state.ts';
import { leg, restSeconds } from './world.ts';

type View = 'planning' | 'published';

/** Places are minutes along the road. */
const minuteOf = ({ longitude }: { longitude: number }): number => Math.round(longitude * 100) - 1_300;
const travel = (from: number, to: number) => ({ seconds: leg.seconds * Math.abs(from - to), metres: leg.metres * Math.abs(from - to) });

export const planName = ({ vehicleId, date }: Pick<PlanState, 'vehicleId' | 'date'>): string => `${vehicleId} on ${date}`;

/** What the verifier says of plans beside others whose drivers are busy, as planned or as published. It knows the facts from the model. */
export function objections(model: Model, plans: PlanState[], others: PlanState[], view: View = 'planning'): Violation[] {
  return verifyPlans({
    travel, restSeconds,
    plans: plans.map((plan) => underCheck(model, plan)),
    orders: new Map(plans.flatMap(({ stops }) => stops.flatMap(({ orderId }) => (at(model.orders, orderId) ? [[orderId, factsOf(model.orders[orderId])] as const] : [])))),
    fixedSpans: others.flatMap((plan) => spansOf(model, plan, view)),
  });
}

/** What one plan is told to have against it while all other current plans stand. */
export const warningsOf = (model: Model, plan: PlanState): string[] =>
  sentences(objections(model, [plan], currentPlans(model).filter((other) => other.vehicleId !== plan.vehicleId || other.date !== plan.date)));

export const sentences = (violations: Violation[]): string[] => violations.map(({ message }) => message);

function factsOf(order: OrderState): OrderFacts {
  const live = isLive(order);
  return {
    id: order.id, kind: order.type, place: order.minute, durationSeconds: order.durationSeconds, windowStartMs: order.windowStartMs, windowEndMs: order.windowEndMs,
    vehicleId: (live ? order.published?.vehicleId : null) ?? order.selectedVehicleId, lockedDriverId: live ? null : order.selectedDriverId,
    lockedStartMs: null, lockedVehicleId: null, replacementDriverId: order.replacementDriverId, live,
  };
}

function underCheck(model: Model, { row, vehicleId, date, stops }: PlanState): PlanUnderCheck {
  const vehicle = model.vehicles[vehicleId];
  const warehousePlace = model.warehouses[vehicle.warehouseId].minute;
  const liveCount = row.stops.findLastIndex((stop: Wire) => stop.order_id !== undefined && at(model.orders, stop.order_id) && isLive(model.orders[stop.order_id])) + 1;
  const resume = row.origin?.behind === liveCount ? row.origin.resume : null;
  return {
    planId: planName({ vehicleId, date }), date, vehicleId, driverId: row.driver_id, warehousePlace,
    startPlace: row.origin ? minuteOf(row.origin.location) : warehousePlace,
    intervals: intervalsOn(vehicle, date), gapPolicy: vehicle.hours.gap_policy ?? 'return_to_warehouse',
    startMs: row.start_at && ms(row.start_at), endMs: row.end_at && ms(row.end_at),
    stops: stops.length === 0 ? [] : row.stops.map((stop: Wire) => ({
      sequence: stop.sequence, kind: stop.kind, orderId: stop.order_id ?? null, place: minuteOf(stop.location), driverId: stop.driver_id,
      arrivalMs: ms(stop.arrival_at), startMs: ms(stop.start_at), endMs: ms(stop.end_at), departureMs: ms(stop.departure_at),
      waitSeconds: stop.wait_seconds, travelSeconds: stop.travel_seconds, travelMetres: stop.travel_meters,
    })),
    returnLeg: row.return_leg && {
      departureMs: ms(row.return_leg.departure_at), arrivalMs: ms(row.return_leg.arrival_at), travelSeconds: row.return_leg.travel_seconds, travelMetres: row.return_leg.travel_meters,
    },
    resume: resume && { place: minuteOf(resume.location), atMs: resume.atMs },
  };
}

/** At a handover both drivers are there: one until the break ends, the other from its start. */
function spansOf(model: Model, plan: PlanState, view: View): FixedSpan[] {
  const { row, stops } = plan;
  if (!row.start_at) return [];
  const what = `the plan of ${planName(plan)}`;
  const spans: FixedSpan[] = [];
  let driverId: string | null = row.driver_id;
  // A draft that contradicts itself keeps its driver busy from the first to the last of all that.
  let startMs = Math.min(ms(row.start_at), ...row.stops.map((stop: Wire) => ms(stop.start_at)));
  const lastMs = Math.max(ms(row.end_at), ...row.stops.map((stop: Wire) => ms(stop.end_at)));
  for (const stop of stops) {
    const order = at(model.orders, stop.orderId);
    const replacement = order?.type === 'break' ? (view === 'published' ? order.errand : order)?.replacementDriverId : null;
    if (replacement == null) continue;
    if (driverId !== null) spans.push({ driverId, startMs, endMs: stop.endMs, what });
    driverId = replacement;
    startMs = stop.startMs;
  }
  if (driverId !== null) spans.push({ driverId, startMs, endMs: lastMs, what });
  return spans;
}
