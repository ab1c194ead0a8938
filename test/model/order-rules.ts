import { shiftDateAt } from './calendar.ts';
import type { Seen } from './seen.ts';
import { at, type Model, type OrderState } from './state.ts';
import { changeByHand } from './versions.ts';

/** What is wrong with an order by itself, and with what it newly refers to; null where nothing is. */
export function faultOf(model: Model, order: OrderState, { selectedVehicleId, selectedDriverId, replacementDriverId }: Partial<OrderState>): string | null {
  if (order.windowEndMs - order.windowStartMs < order.durationSeconds * 1_000) return 'the service does not fit into its window';
  if (order.type === 'break' && order.selectedVehicleId === null) return 'a break belongs to a vehicle';
  if (order.type === 'task' && order.replacementDriverId !== null) return 'only a break hands over';
  if (!Object.entries(order.customFields).every(isRightValue)) return 'a custom field is unknown or of another type';
  if (selectedVehicleId != null && at(model.vehicles, selectedVehicleId) === null) return 'it names no vehicle';
  return [selectedDriverId, replacementDriverId].some((id) => id != null && at(model.drivers, id) === null) ? 'it names no driver' : null;
}

const isRightValue = ([field, value]: [string, unknown]): boolean => (field === 'margin' ? typeof value === 'number' : ['note', 'code'].includes(field) && typeof value === 'string');

/** A null clears a value. */
export const mergedFields = (present: Record<string, unknown>, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...present, ...values }).filter(([, value]) => value !== null));

/** Puts an order on a vehicle at an instant, wherever it was before. */
export function place(model: Model, seen: Seen, order: OrderState, { vehicleId, startMs }: { vehicleId: string; startMs: number }): void {
  const shift = { vehicleId, date: shiftDateAt(model.vehicles[vehicleId], startMs) };
  const present = order.planned && at(model.plans, order.planned.planId);
  if (present && !(present.vehicleId === shift.vehicleId && present.date === shift.date)) withdraw(model, seen, order);
  order.selectedStartMs = startMs;
  changeByHand(model, seen, shift, (stops) => [...stops.filter(({ orderId }) => orderId !== order.id), { orderId: order.id, startMs }]);
}

/** Takes an order out of its plan. Where the plan or its vehicle has gone since there is nothing to be changed. */
export function withdraw(model: Model, seen: Seen, order: OrderState): void {
  const plan = order.planned && at(model.plans, order.planned.planId);
  if (plan && plan.state !== 'superseded' && at(model.vehicles, plan.vehicleId)) changeByHand(model, seen, plan, (stops) => stops.filter(({ orderId }) => orderId !== order.id));
  order.planned = null;
}
