import { objections, planName, sentences, warningsOf } from './judge.ts';
import type { Seen } from './seen.ts';
import { agree, currentPlan, currentPlans, ms, same, type Model, type ReservationState, type Wire } from './state.ts';
import { claimVersion, stand } from './versions.ts';

/** The reservation has become an order in the planning version of some vehicle; nothing else has moved more than it had to. */
export function followConfirmation(model: Model, seen: Seen, reservation: ReservationState, shown: Wire): void {
  const { id } = shown;
  model.orders[id] = {
    id, type: 'task', minute: reservation.minute, durationSeconds: reservation.durationSeconds, windowStartMs: reservation.startMs, windowEndMs: reservation.endMs, customFields: {},
    status: 'created', pendingStatus: null, pendingFrom: null, selectedVehicleId: null, selectedDriverId: null, selectedStartMs: null, replacementDriverId: null,
    planned: null, published: null, errand: null, startedMs: null, completedMs: null, isDeleted: false,
  };
  const version = seen.events.find(({ type, data }) => type === 'plan.created' && !model.plans[data.id] && data.stops.some((stop: Wire) => stop.order_id === id));
  agree(version !== undefined, () => `the new order ${id} is in no new planning version`);
  const { vehicle_id: vehicleId, date } = version.data;
  const present = currentPlan(model, vehicleId, date);
  const starts = new Map((present?.stops ?? []).map(({ orderId, startMs }) => [orderId, startMs]));
  const plan = claimVersion(model, seen, { vehicleId, date });
  same(`the orders before and after it in ${planName(plan)}`, plan.stops.map(({ orderId }) => orderId).filter((orderId) => orderId !== id), [...starts.keys()].filter((orderId) => model.orders[orderId] && !model.orders[orderId].isDeleted));
  for (const { orderId, startMs } of plan.stops) {
    const isLocked = starts.has(orderId) && (reservation.scheduleLock || model.orders[orderId].selectedStartMs !== null);
    if (isLocked) same(`the start of ${orderId}, which is locked,`, startMs, starts.get(orderId));
  }
  const stop = plan.stops.find(({ orderId }) => orderId === id)!;
  agree(stop.startMs >= model.nowMs, () => `${id} starts in the past`);
  stand(model, plan, present);
  same(`the warnings of ${planName(plan)}`, plan.row.warnings, warningsOf(model, plan));
  const about = objections(model, [plan], currentPlans(model).filter((other) => other !== plan)).filter(({ orderId }) => orderId === id);
  same(`what is against the new order ${id}`, sentences(about), []);
  for (const other of Object.values(model.reservations)) if (other.groupId === reservation.groupId && other.state === 'open') other.state = 'dropped';
  Object.assign(reservation, { state: 'confirmed', orderId: id });
  same('the place of the new order', [ms(shown.scheduled_at), shown.vehicle_id], [stop.startMs, vehicleId]);
  model.epoch++;
}
