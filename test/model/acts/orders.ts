import fc from 'fast-check';
import { at as location } from '../../support/line-world.ts';
import { answers, below, refusal, request, type Act, type Refusal } from '../act.ts';
import { faultOf, mergedFields, place, withdraw } from '../order-rules.ts';
import { at, instant, type Model, type OrderState } from '../state.ts';
import { someInstant } from '../world.ts';
import { pick } from './pick.ts';
import { customs, durations, minutes, orderIds, seldom, windowOf, windows } from './wanted-orders.ts';

const newOrders = fc.record({
  id: fc.nat(orderIds.length - 1), isBreak: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  minute: fc.nat(minutes.length - 1), duration: fc.nat(durations.length - 1), window: windows,
  vehicle: seldom(3, fc.nat(5)), driver: seldom(8, fc.nat(5)), replacement: seldom(2, fc.nat(5)), start: seldom(4, fc.nat(29)), custom: seldom(3, fc.nat(customs.length - 1)),
});
export type NewOrder = typeof newOrders extends fc.Arbitrary<infer T> ? T : never;

export const createOrder: fc.Arbitrary<Act> = newOrders.map((wanted) => creation(wanted));

/** Creates an order like this one. */
export const creation = (wanted: NewOrder): Act => (model) => {
  const order = orderOf(model, wanted);
  const startMs = wanted.start === undefined ? null : someInstant(model, wanted.start);
  const values = wanted.custom === undefined ? {} : customs[wanted.custom];
  return request(`create ${told(order)}${startMs === null ? '' : ` at ${instant(startMs)}`} ${JSON.stringify(values)}`, {
    method: 'POST', path: below('orders'),
    body: () => ({
      id: order.id, type: order.type, location: location(order.minute), duration_seconds: order.durationSeconds, window_start: instant(order.windowStartMs), window_end: instant(order.windowEndMs),
      vehicle_id: order.selectedVehicleId, driver_id: order.selectedDriverId, replacement_driver_id: order.replacementDriverId, custom_fields: values,
      ...(startMs === null ? {} : { scheduled_at: instant(startMs) }),
    }),
    steps: (reply) => [(now, seen) => {
      if (!answers(reply, 201, refuseNew(now, order, startMs))) return;
      const made = structuredClone(order);
      now.orders[order.id] = made;
      if (startMs === null) return;
      now.epoch++;
      place(now, seen, made, { vehicleId: order.selectedVehicleId!, startMs });
    }],
  });
};

function orderOf(model: Model, { id, isBreak, minute, duration, window, vehicle, driver, replacement, custom }: NewOrder): OrderState {
  const drivers = Object.keys(model.drivers);
  return {
    ...windowOf(model, window), id: orderIds[id], type: isBreak ? 'break' : 'task', minute: minutes[minute], durationSeconds: durations[duration],
    customFields: mergedFields({}, custom === undefined ? {} : customs[custom]), status: 'created', pendingStatus: null, pendingFrom: null,
    selectedVehicleId: vehicle === undefined && !isBreak ? null : pick(Object.keys(model.vehicles), vehicle ?? window.day), selectedDriverId: driver === undefined ? null : pick(drivers, driver), selectedStartMs: null,
    // Seldom a task that hands over, which is wrong.
    replacementDriverId: replacement === undefined || (!isBreak && replacement > 0) ? null : pick(drivers, replacement + 2),
    planned: null, published: null, errand: null, startedMs: null, completedMs: null, isDeleted: false,
  };
}

const told = ({ id, type, minute, durationSeconds, windowStartMs, windowEndMs, selectedVehicleId, replacementDriverId }: OrderState): string =>
  `the ${type} ${id} (${durationSeconds} s at minute ${minute}, ${instant(windowStartMs)} to ${instant(windowEndMs)}${selectedVehicleId ? `, on ${selectedVehicleId}` : ''}${replacementDriverId ? `, ${replacementDriverId} takes over` : ''})`;

function refuseNew(model: Model, order: OrderState, startMs: number | null): Refusal {
  const there = model.orders[order.id];
  if (there) return refusal(409, `the id ${order.id} is taken${there.isDeleted ? ' by a deleted order' : ''}`);
  const fault = faultOf(model, order, order);
  if (fault) return refusal(422, fault);
  return startMs !== null && order.selectedVehicleId === null ? refusal(422, 'a start needs a vehicle') : null;
}

export const deleteOrder: fc.Arbitrary<Act> = fc.nat(20).map((n) => (model) => {
  const chosen = pick(Object.values(model.orders), n);
  return chosen && request(`delete the order ${chosen.id}`, {
    method: 'DELETE', path: below(`orders/${chosen.id}`),
    steps: (reply) => [(now, seen) => {
      const order = at(now.orders, chosen.id);
      const expected = order === null ? refusal(404, 'it has been deleted') : order.status === 'in_progress' ? refusal(409, 'it is in progress') : null;
      if (!answers(reply, 204, expected)) return;
      now.epoch++;
      if (order!.planned) {
        order!.selectedStartMs = null;
        withdraw(now, seen, order!);
      }
      order!.isDeleted = true;
    }],
  });
});
