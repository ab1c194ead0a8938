import fc from 'fast-check';
import { at as location } from '../../support/line-world.ts';
import { answers, below, refusal, request, type Act, type Refusal } from '../act.ts';
import { faultOf, mergedFields, place, withdraw } from '../order-rules.ts';
import type { Seen } from '../seen.ts';
import { at, canonical, instant, isFinished, ms, type Model, type OrderState, type Wire } from '../state.ts';
import { changeByHand } from '../versions.ts';
import { someInstant } from '../world.ts';
import { pick } from './pick.ts';
import { customs, durations, minutes, statuses, windowOf, windows } from './wanted-orders.ts';

/** Makes one field of a body, or several that belong together. */
type Field = (model: Model) => Wire;

const orNull = (values: string[], n: number) => pick([...values, null], n);
const vehicle = fc.nat(5).map((n): Field => ({ vehicles }) => ({ vehicle_id: orNull(Object.keys(vehicles), n) }));
const driver = fc.nat(5).map((n): Field => ({ drivers }) => ({ driver_id: orNull(Object.keys(drivers), n) }));
const start = fc.nat(29).map((n): Field => (model) => ({ scheduled_at: instant(someInstant(model, n)) }));
const minute = fc.constantFrom(...minutes).map((each): Field => () => ({ location: location(each) }));
const duration = fc.constantFrom(...durations).map((each): Field => () => ({ duration_seconds: each }));
const window = windows.map((wanted): Field => (model) => {
  const { windowStartMs, windowEndMs } = windowOf(model, wanted);
  return { window_start: instant(windowStartMs), window_end: instant(windowEndMs) };
});
const both = (...fields: fc.Arbitrary<Field>[]) => fc.tuple(...fields).map((made): Field => (model) => Object.assign({}, ...made.map((field) => field(model))));

const fields: fc.Arbitrary<Field> = fc.oneof(
  { weight: 6, arbitrary: both(vehicle, start) },
  { weight: 3, arbitrary: start },
  { weight: 2, arbitrary: fc.constant((): Wire => ({ scheduled_at: null })) },
  { weight: 3, arbitrary: vehicle },
  { weight: 2, arbitrary: driver },
  { weight: 2, arbitrary: minute },
  { weight: 2, arbitrary: duration },
  { weight: 2, arbitrary: window },
  { weight: 1, arbitrary: both(minute, duration, window) },
  { weight: 1, arbitrary: fc.nat(5).map((n): Field => ({ drivers }) => ({ replacement_driver_id: orNull(Object.keys(drivers), n) })) },
  { weight: 2, arbitrary: fc.constantFrom(...customs).map((values): Field => () => ({ custom_fields: values })) },
  { weight: 4, arbitrary: fc.constantFrom(...statuses).map((status): Field => () => ({ status })) },
  { weight: 2, arbitrary: fc.constantFrom(...statuses, null).map((status): Field => () => ({ pending_status: status })) },
);

/** What the client says to know of the order. */
const knowledge = fc.oneof(
  { weight: 12, arbitrary: fc.constant('nothing' as const) }, { weight: 3, arbitrary: fc.constant('the revision' as const) },
  { weight: 1, arbitrary: fc.constant('an old revision' as const) }, { weight: 1, arbitrary: fc.constant('another etag' as const) },
);
type Knowledge = typeof knowledge extends fc.Arbitrary<infer T> ? T : never;

export const editOrder: fc.Arbitrary<Act> = fc.tuple(fc.nat(20), fields, knowledge).map(([n, field, knows]) => (model) => {
  const chosen = pick(Object.values(model.orders), n);
  if (chosen === null) return null;
  const body = field(model);
  const asSeen = canonical(chosen);
  return request(`edit ${chosen.id}: ${JSON.stringify(body)}${knows === 'nothing' ? '' : `, knowing ${knows}`}`, {
    method: 'PATCH', path: below(`orders/${chosen.id}`),
    body: ({ seen }) => {
      const { revision } = seen.orders.get(chosen.id)!.planning;
      return { ...body, ...(knows === 'the revision' ? { revision } : knows === 'an old revision' ? { revision: revision + 7 } : {}) };
    },
    headers: ({ seen }): Record<string, string> => (knows === 'another etag' ? { 'if-match': `"${seen.orders.get(chosen.id)!.planning.revision + 7}"` } : {}),
    steps: (reply) => [(now, seen) => {
      const edit = editOf(now, chosen.id, body);
      if (answers(reply, 200, refuseEdit(now, { id: chosen.id, knows, isAsSeen: canonical(now.orders[chosen.id]) === asSeen, edit }))) apply(now, seen, edit!);
    }],
  });
});

type Move = { kind: 'stay' } | { kind: 'leave' } | { kind: 'nowhere' } | { kind: 'go'; vehicleId: string; startMs: number };

interface Edit {
  before: OrderState;
  after: OrderState;
  move: Move;
  /** Planning depends on what was edited. */
  replans: boolean;
}

/** What the order would be; null where it is not there. */
function editOf(model: Model, id: string, body: Wire): Edit | null {
  const before = at(model.orders, id);
  if (before === null) return null;
  const after: OrderState = { ...before };
  if (body.location) after.minute = Math.round(body.location.longitude * 100) - 1_300;
  if (body.duration_seconds !== undefined) after.durationSeconds = body.duration_seconds;
  if (body.window_start !== undefined) Object.assign(after, { windowStartMs: ms(body.window_start), windowEndMs: ms(body.window_end) });
  if (body.replacement_driver_id !== undefined) after.replacementDriverId = body.replacement_driver_id;
  if (body.custom_fields !== undefined) after.customFields = mergedFields(before.customFields, body.custom_fields);
  // What is sent back as it was shown is no choice.
  if (body.vehicle_id !== undefined && body.vehicle_id !== (before.planned?.vehicleId ?? before.selectedVehicleId)) after.selectedVehicleId = body.vehicle_id;
  if (body.driver_id !== undefined && body.driver_id !== (before.planned?.driverId ?? before.selectedDriverId)) after.selectedDriverId = body.driver_id;
  choosePending(after, body);
  const planned = ['minute', 'durationSeconds', 'windowStartMs', 'windowEndMs', 'selectedVehicleId', 'selectedDriverId', 'replacementDriverId'] as const;
  return { before, after, move: moveOf(before, after, body), replans: planned.some((field) => before[field] !== after[field]) };
}

/** A status waits until it is published; the live one withdraws what waits. */
function choosePending(order: OrderState, { status, pending_status: pending }: Wire): void {
  const wanted = pending !== undefined && pending !== order.pendingStatus ? pending : status;
  if (wanted === undefined) return;
  order.pendingStatus = wanted === order.status ? null : wanted;
  order.pendingFrom = order.pendingStatus === null ? null : order.status;
}

function moveOf(before: OrderState, after: OrderState, { scheduled_at: scheduledAt, vehicle_id: vehicleId }: Wire): Move {
  const startMs = scheduledAt == null ? null : ms(scheduledAt);
  const hasOtherTime = scheduledAt !== undefined && startMs !== (before.planned?.startMs ?? null);
  if (before.planned && ((hasOtherTime && scheduledAt === null) || vehicleId === null)) return { kind: 'leave' };
  const hasOtherVehicle = after.selectedVehicleId !== before.selectedVehicleId;
  if (!hasOtherTime && !(hasOtherVehicle && before.planned)) return { kind: 'stay' };
  const to = hasOtherVehicle ? after.selectedVehicleId : (before.planned?.vehicleId ?? after.selectedVehicleId);
  return to === null ? { kind: 'nowhere' } : { kind: 'go', vehicleId: to, startMs: hasOtherTime ? startMs! : before.planned!.startMs };
}

function refuseEdit(model: Model, { id, knows, isAsSeen, edit }: { id: string; knows: Knowledge; isAsSeen: boolean; edit: Edit | null }): Refusal {
  if (edit === null) return refusal(404, `${id} has been deleted`);
  if (knows === 'another etag') return refusal(412, 'the etag is not that of the current revision');
  if (knows === 'an old revision' || (knows === 'the revision' && !isAsSeen)) return refusal(409, 'the revision is stale');
  const { before, after, move, replans } = edit;
  if (move.kind === 'nowhere') return refusal(422, 'a start needs a vehicle');
  if ((replans || move.kind !== 'stay') && (before.status === 'in_progress' || isFinished(before))) return refusal(409, `the order is ${before.status}`);
  const changed = (field: 'selectedVehicleId' | 'selectedDriverId' | 'replacementDriverId') => (before[field] === after[field] ? null : after[field]);
  const fault = faultOf(model, after, { selectedVehicleId: changed('selectedVehicleId'), selectedDriverId: changed('selectedDriverId'), replacementDriverId: changed('replacementDriverId') });
  return fault === null ? null : refusal(422, fault);
}

function apply(model: Model, seen: Seen, { after, move, replans }: Edit): void {
  const order = Object.assign(model.orders[after.id], after);
  if (move.kind !== 'stay' || (replans && order.planned)) model.epoch++;
  if (move.kind === 'go') place(model, seen, order, move);
  else if (move.kind === 'leave') {
    order.selectedStartMs = null;
    withdraw(model, seen, order);
  } else if (replans && order.planned) changeByHand(model, seen, model.plans[order.planned.planId], (stops) => stops);
}
