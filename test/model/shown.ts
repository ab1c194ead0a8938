import { at as location } from '../support/line-world.ts';
import { active, at, instant, instantOrNull, isFinished, publishedPlans, type Errand, type Model, type OrderState, type PlanState, type Wire } from './state.ts';
import { visibleFields } from './world.ts';

/** How the service shows what the model knows. Fields that the model does not follow are left out. */

export const shownErrand = ({ minute, durationSeconds, windowStartMs, windowEndMs, replacementDriverId }: Errand): Errand => ({ minute, durationSeconds, windowStartMs, windowEndMs, replacementDriverId });

export function shownOrder(order: OrderState, view: 'planning' | 'published'): Wire {
  const { minute, durationSeconds, windowStartMs, windowEndMs, replacementDriverId } = (view === 'published' ? order.errand : null) ?? order;
  const place = view === 'published' ? order.published : order.planned;
  const selected = view === 'published' ? { vehicleId: null, driverId: null } : { vehicleId: order.selectedVehicleId, driverId: order.selectedDriverId };
  return {
    id: order.id, type: order.type, location: location(minute), duration_seconds: durationSeconds, window_start: instant(windowStartMs), window_end: instant(windowEndMs),
    status: order.status, pending_status: order.pendingStatus, scheduled_at: instantOrNull(place?.startMs ?? null),
    vehicle_id: place?.vehicleId ?? selected.vehicleId, driver_id: place?.driverId ?? selected.driverId, replacement_driver_id: replacementDriverId,
    custom_fields: order.customFields, actual_started_at: instantOrNull(order.startedMs), actual_completed_at: instantOrNull(order.completedMs),
  };
}

export const shownPlan = ({ id, vehicleId, date, state, row }: PlanState): Wire => ({
  id, vehicle_id: vehicleId, date, state, driver_id: row.driver_id, start_at: row.start_at, end_at: row.end_at, stops: row.stops, return_leg: row.return_leg,
});

/** How long a plan stays on the driver's device after its end. */
const lingerMs = 24 * 3_600_000;

/** Plans by id with the driver's own stops, and the orders as drivers see them. */
export function shownToDriver(model: Model, driverId: string): { plans: Record<string, Wire>; orders: Record<string, Wire> } {
  const mine = active(model.orders).filter(({ published }) => published?.driverId === driverId);
  const plans = publishedPlans(model).filter((plan) => {
    const own = mine.filter(({ published }) => published!.planId === plan.id);
    const isRecent = plan.row.end_at !== null && Date.parse(plan.row.end_at) > model.nowMs - lingerMs;
    return own.some((order) => !isFinished(order)) || (isRecent && (own.length > 0 || plan.row.driver_id === driverId));
  });
  const ownStops = (plan: PlanState): Wire[] => plan.snapshot.stops.filter((stop: Wire) => stop.driver_id === driverId);
  const orders = plans.flatMap((plan) => ownStops(plan).flatMap((stop) => at(model.orders, stop.order_id ?? null) ?? []));
  return {
    plans: Object.fromEntries(plans.map((plan) => [plan.id, { stops: ownStops(plan), warnings: [], unplanned_order_ids: [] }])),
    orders: Object.fromEntries(orders.map((order) => [order.id, {
      ...shownOrder(order, 'published'), pending_status: null, custom_fields: Object.fromEntries(Object.entries(order.customFields).filter(([id]) => visibleFields.includes(id))),
    }])),
  };
}
