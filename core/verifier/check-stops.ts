import { historyOf } from './history.ts';
import type { OrderFacts, PlanUnderCheck, StopUnderCheck } from './plan-under-check.ts';
import type { Report } from './report.ts';
import { instant, lapse, offBy } from './words.ts';

/** Each stop by itself and against its order: number, kind, place, service, window, vehicle, locks and driver. */
export function checkStops(plan: PlanUnderCheck, orders: Map<string, OrderFacts>, report: Report): void {
  const { isPast } = historyOf(plan, orders);
  let driverId = plan.driverId;
  plan.stops.forEach((stop, index) => {
    if (stop.sequence !== index + 1) report('sequence', stop.orderId, `stop ${index + 1} is numbered ${stop.sequence}`);
    const order = stop.orderId === null ? undefined : orders.get(stop.orderId);
    if (!isPast(stop) && stop.driverId !== driverId) report('driver', stop.orderId, `${nameOf(stop)} carries ${driver(stop.driverId)}, but ${driver(driverId)} is at work then`);
    if (stop.orderId === null) checkWarehouseStop(plan, stop, { isPast: isPast(stop) }, report);
    else if (order === undefined) report('order_unknown', stop.orderId, `stop ${stop.sequence} serves ${stop.orderId}, which does not exist`);
    else checkOrderStop(plan, stop, order, report);
    if (!isPast(stop)) checkStay(stop, report);
    if (order?.kind === 'break' && order.replacementDriverId !== null) driverId = order.replacementDriverId;
  });
}

function checkWarehouseStop(plan: PlanUnderCheck, stop: StopUnderCheck, { isPast }: { isPast: boolean }, report: Report): void {
  if (stop.kind !== 'warehouse') report('kind', null, `stop ${stop.sequence} is a ${stop.kind} without an order`);
  else if (!isPast && stop.place !== plan.warehousePlace) report('place', null, `stop ${stop.sequence} is called a warehouse stop, but is not at the warehouse of ${plan.vehicleId}`);
}

function checkOrderStop(plan: PlanUnderCheck, stop: StopUnderCheck, order: OrderFacts, report: Report): void {
  if (stop.kind !== order.kind) report('kind', order.id, `stop ${stop.sequence} is a ${stop.kind}, but ${order.id} is a ${order.kind}`);
  // An order that moved after it was begun was served where it was then.
  if (!order.live && stop.place !== order.place) report('place', order.id, `stop ${stop.sequence} is not where ${order.id} is`);
  checkVehicle(plan, order, report);
  checkDriverLock(stop, order, report);
  if (order.live) return;
  const durationMs = order.durationSeconds * 1000;
  if (stop.endMs - stop.startMs !== durationMs) {
    report('duration', order.id, `${order.id} is served in ${lapse(stop.endMs - stop.startMs)}${stop.endMs < stop.startMs ? ' backwards' : ''}, but takes ${lapse(durationMs)}`);
  }
  if (stop.startMs < order.windowStartMs) {
    report('window', order.id, `${order.id} starts at ${instant(stop.startMs)}, ${lapse(order.windowStartMs - stop.startMs)} before its window opens`);
  }
  if (stop.endMs > order.windowEndMs) {
    report('window', order.id, `${order.id} ends at ${instant(stop.endMs)}, ${lapse(stop.endMs - order.windowEndMs)} after its window closes`);
  }
  if (order.lockedStartMs !== null && stop.startMs !== order.lockedStartMs) {
    report('lock_time', order.id, `${order.id} is locked to start at ${instant(order.lockedStartMs)}, but starts ${offBy(stop.startMs, order.lockedStartMs)}`);
  }
}

function checkVehicle(plan: PlanUnderCheck, order: OrderFacts, report: Report): void {
  if (order.vehicleId !== null && order.vehicleId !== plan.vehicleId) {
    if (order.kind === 'break') report('break_vehicle', order.id, `${order.id} is a break of vehicle ${order.vehicleId}, but is planned on ${plan.vehicleId}`);
    else report('vehicle_selected', order.id, `vehicle ${order.vehicleId} is selected for ${order.id}, but it is planned on ${plan.vehicleId}`);
  }
  if (order.lockedVehicleId !== null && order.lockedVehicleId !== plan.vehicleId) {
    report('lock_vehicle', order.id, `${order.id} is locked to vehicle ${order.lockedVehicleId}, but is planned on ${plan.vehicleId}`);
  }
}

function checkDriverLock(stop: StopUnderCheck, order: OrderFacts, report: Report): void {
  if (order.lockedDriverId === null || order.lockedDriverId === stop.driverId) return;
  report('lock_driver', order.id, `${order.id} is locked to ${driver(order.lockedDriverId)}, but carries ${driver(stop.driverId)}`);
}

/** Arrive, wait, serve, leave: in this order, and with the wait that is stated. */
function checkStay(stop: StopUnderCheck, report: Report): void {
  const name = nameOf(stop);
  if (stop.startMs < stop.arrivalMs) {
    report('service_before_arrival', stop.orderId, `${name} starts at ${instant(stop.startMs)}, ${lapse(stop.arrivalMs - stop.startMs)} before the vehicle arrives`);
  } else if (stop.waitSeconds !== waitOf(stop)) {
    report('wait', stop.orderId, `${name} states a wait of ${lapse(stop.waitSeconds * 1000)}, but it is ${lapse(waitOf(stop) * 1000)} from arrival to start`);
  }
  if (stop.departureMs < stop.endMs) {
    report('departure_before_end', stop.orderId, `the vehicle leaves ${name} at ${instant(stop.departureMs)}, ${lapse(stop.endMs - stop.departureMs)} before it ends`);
  }
}

/** Whole seconds. Being off at the warehouse is not waiting. */
const waitOf = (stop: StopUnderCheck) => (stop.kind === 'warehouse' ? 0 : Math.floor((stop.startMs - stop.arrivalMs) / 1000));

const nameOf = (stop: StopUnderCheck) => stop.orderId ?? `the warehouse stop ${stop.sequence}`;
const driver = (id: string | null) => (id === null ? 'no driver' : `driver ${id}`);
