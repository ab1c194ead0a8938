import fc from 'fast-check';
import { at as location } from '../../support/line-world.ts';
import { answers, refusal, request, type Act, type Prepared, type Refusal } from '../act.ts';
import { turnOf } from '../execution.ts';
import { mergedFields } from '../order-rules.ts';
import { shownOrder } from '../shown.ts';
import { at, isFinished, same, type DriverState, type Model, type OrderState, type Wire } from '../state.ts';
import { visibleFields, type Real } from '../world.ts';
import { minutes } from './wanted-orders.ts';
import { pick } from './pick.ts';

/** What drivers do with their app, be it signed in or not. */

/** Mostly somebody who has something to do. */
function driverFor(model: Model, n: number): DriverState | null {
  const withSession = Object.values(model.drivers).filter(({ hasApp }) => hasApp);
  const busy = withSession.filter(({ id }) => turnOf(model, id).next ?? turnOf(model, id).inProgress);
  return pick(n % 4 === 0 ? withSession : [...busy, ...busy, ...withSession], n);
}

interface Action {
  driverId: string;
  text: string;
  method?: 'POST' | 'PATCH';
  path: string;
  body?: Wire;
  /** Sent under this id, so that it can be sent again. */
  actionId?: string;
  /** Whether it can be done with location permission denied. */
  needsLocation?: boolean;
  refuse(model: Model): Refusal;
  effect(model: Model, answer: Wire): void;
}

/** One action of a driver: access first, then whether it was done already, then its own rules. */
function action({ driverId, text, method = 'POST', path, body = {}, actionId, needsLocation = true, refuse, effect }: Action) {
  const what = `${path} ${JSON.stringify(body)}`;
  return request(`${driverId}: ${text}${actionId ? ` (${actionId})` : ''}`, {
    method, path: () => `/api/v1/driver/${path}`, body: () => ({ ...body, ...(actionId ? { action_id: actionId } : {}) }), client: ({ apps }: Real) => apps.get(driverId)!,
    steps: (reply) => [(now) => {
      const driver = now.drivers[driverId];
      const done = actionId === undefined ? undefined : driver.actions[actionId];
      if (!driver.isSignedIn) return void answers(reply, 200, refusal(401, 'the session has ended'));
      if (done) {
        if (answers(reply, 200, done.what === what ? null : refusal(422, 'the id was used for another action'))) same('the answer to the same action', reply.text, done.answer);
        return;
      }
      if (!answers(reply, 200, needsLocation && driver.isLocationDenied ? refusal(403, 'location permission is denied') : refuse(now))) return;
      effect(now, reply.body);
      if (actionId) driver.actions[actionId] = { what, answer: reply.text };
    }],
  });
}

const actionIds = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom('a-1', 'a-2', 'a-3', 'a-4') });

export const changeDuty: fc.Arbitrary<Act> = fc.tuple(fc.nat(20), fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }), fc.constantFrom(undefined, undefined, null, 0, 1, 4), actionIds).map(([n, online, vehicle, actionId]) => (model) => duty(model, driverFor(model, n), { online, vehicle, actionId }));

/** The driver goes on or off duty, perhaps with a vehicle. */
export function duty(model: Model, driver: DriverState | null, { online, vehicle, actionId }: { online: boolean; vehicle?: number | null; actionId?: string }): Prepared | null {
  const vehicleId = vehicle === undefined || vehicle === null ? vehicle : pick(Object.keys(model.vehicles), vehicle);
  return driver && action({
    driverId: driver.id, text: `${online ? 'on' : 'off'} duty${vehicleId ? ` on ${vehicleId}` : ''}`, path: 'duty', body: { online, ...(vehicleId === undefined ? {} : { vehicle_id: vehicleId }) }, actionId, needsLocation: online,
    refuse: (now) => (vehicleId != null && at(now.vehicles, vehicleId) === null ? refusal(422, 'there is no such vehicle') : null),
    effect(now) {
      const onDuty = now.drivers[driver.id];
      onDuty.isOnline = online;
      if (!online) onDuty.dutyVehicleId = null;
      else if (vehicleId !== undefined) onDuty.dutyVehicleId = vehicleId;
    },
  });
}

/** An order of a driver's own published work; to anybody else it is not there. */
const ownOrder = (model: Model, driverId: string, orderId: string): OrderState | null => {
  const order = at(model.orders, orderId);
  return order?.published?.driverId === driverId ? order : null;
};

function refuseWork(model: Model, driverId: string, orderId: string): Refusal {
  if (ownOrder(model, driverId, orderId) === null) return refusal(404, `${orderId} is not in the driver's published work`);
  return model.drivers[driverId].isOnline ? null : refusal(409, 'the driver is off duty');
}

type OrderAction = { text: string; path: string; body?: Wire; refuse(model: Model, order: OrderState, driverId: string): Refusal; effect(model: Model, order: OrderState): void };

const orderActions: Record<'start' | 'complete' | 'unable', OrderAction> = {
  start: {
    text: 'start', path: 'start',
    refuse(model, order, driverId) {
      if (order.status === 'in_progress' || isFinished(order)) return refusal(409, `it is ${order.status}`);
      const { next, waitsFor, inProgress } = turnOf(model, driverId);
      if (inProgress) return refusal(409, `${inProgress.id} is in progress`);
      if (waitsFor) return refusal(409, `${waitsFor.id} of another driver comes first`);
      return next?.id === order.id ? null : refusal(409, `${next?.id} comes first`);
    },
    // What is done is what was published.
    effect: (model, order) => void Object.assign(order, order.errand, { status: 'in_progress', startedMs: model.nowMs, completedMs: null }),
  },
  complete: { text: 'complete', path: 'complete', refuse: refuseUnlessInProgress, effect: (model, order) => void Object.assign(order, { status: 'completed', completedMs: model.nowMs }) },
  unable: { text: 'unable to complete', path: 'unable-to-complete', body: { reason: 'nobody at home' }, refuse: refuseUnlessInProgress, effect: (model, order) => void Object.assign(order, { status: 'unable_to_complete', completedMs: model.nowMs }) },
};

function refuseUnlessInProgress(_model: Model, { status }: OrderState): Refusal {
  return status === 'in_progress' ? null : refusal(409, `it is ${status}`);
}

/** Mostly the order whose turn it is. */
const orderFor = (model: Model, driverId: string, n: number): OrderState | null => {
  const { next, inProgress } = turnOf(model, driverId);
  return n % 4 > 0 ? (inProgress ?? next ?? pick(Object.values(model.orders), n)) : pick(Object.values(model.orders), n);
};

export const workOnOrder: fc.Arbitrary<Act> = fc.tuple(fc.nat(40), fc.constantFrom('start' as const, 'start' as const, 'complete' as const, 'complete' as const, 'unable' as const), fc.nat(40), actionIds).map(([n, kind, m, actionId]) => (model) => {
  const driver = driverFor(model, n);
  const order = driver && orderFor(model, driver.id, m);
  if (!driver || !order) return null;
  const { text, path, body, refuse, effect } = orderActions[kind];
  return action({
    driverId: driver.id, text: `${text} ${order.id}`, path: `orders/${order.id}/${path}`, body, actionId,
    refuse: (now) => refuseWork(now, driver.id, order.id) ?? refuse(now, now.orders[order.id], driver.id),
    effect(now, answer) {
      const own = now.orders[order.id];
      effect(now, own);
      same('what the driver is answered', { status: answer.status, scheduled_at: answer.scheduled_at, location: answer.location, custom_fields: Object.keys(answer.custom_fields).filter((field) => !visibleFields.includes(field)) }, { ...pickShown(own), custom_fields: [] });
    },
  });
});

const pickShown = (order: OrderState) => {
  const { status, scheduled_at, location: place } = shownOrder(order, 'published');
  return { status, scheduled_at, location: place };
};

const driverFields: Wire[] = [{ note: 'at the back door' }, { note: null }, { code: 'B2' }, { margin: 0 }, { note: 7 }];

export const editAsDriver: fc.Arbitrary<Act> = fc.tuple(fc.nat(40), fc.nat(40), fc.constantFrom(...driverFields), actionIds).map(([n, m, values, actionId]) => (model) => {
  const driver = driverFor(model, n);
  const order = driver && orderFor(model, driver.id, m);
  if (!driver || !order) return null;
  return action({
    driverId: driver.id, text: `write ${JSON.stringify(values)} into ${order.id}`, method: 'PATCH', path: `orders/${order.id}`, body: { custom_fields: values }, actionId,
    refuse(now) {
      const refused = refuseWork(now, driver.id, order.id);
      if (refused) return refused;
      if (isFinished(now.orders[order.id])) return refusal(409, `it is ${now.orders[order.id].status}`);
      return 'note' in values && values.note !== 7 ? null : refusal(422, 'a driver may not write that');
    },
    effect(now) {
      now.orders[order.id].customFields = mergedFields(now.orders[order.id].customFields, values);
    },
  });
});

export const reportPosition: fc.Arbitrary<Act> = fc.tuple(fc.nat(20), fc.option(fc.constantFrom(...minutes, 1, 9), { freq: 4 }), fc.constantFrom(false, false, false, true)).map(([n, minute, isDenied]) => (model) => {
  const driver = driverFor(model, n);
  return driver && request(`${driver.id}: ${isDenied ? 'no permission' : `at minute ${minute}`}`, {
    method: 'POST', path: () => '/api/v1/driver/location', client: ({ apps }: Real) => apps.get(driver.id)!,
    body: () => ({ permission: isDenied ? 'denied' : 'granted', ...(minute === null ? {} : { location: location(minute) }) }),
    steps: (reply) => [(now) => {
      const seen = now.drivers[driver.id];
      const expected = !seen.isSignedIn ? refusal(401, 'the session has ended') : isDenied && minute !== null ? refusal(422, 'a position without permission') : null;
      if (!answers(reply, 200, expected)) return;
      seen.isLocationDenied = isDenied;
      if (minute !== null) Object.assign(seen, { minute, seenMs: now.nowMs });
    }],
  });
});

export const refresh: fc.Arbitrary<Act> = fc.nat(20).map((n) => (model) => {
  const driver = driverFor(model, n);
  return driver && request(`${driver.id}: refresh`, {
    method: 'GET', path: () => '/api/v1/driver/refresh', client: ({ apps }: Real) => apps.get(driver.id)!,
    steps: (reply) => [(now) => void answers(reply, 200, now.drivers[driver.id].isSignedIn ? null : refusal(401, 'the session has ended'))],
  });
});
