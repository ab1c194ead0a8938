import fc from 'fast-check';
import { at as location } from '../../support/line-world.ts';
import { answers, below, refusal, request, sendRequest, type Act, type Refusal } from '../act.ts';
import { intervalsOn } from '../calendar.ts';
import { followConfirmation } from '../reservation-rules.ts';
import { active, agree, at, currentPlans, instant, ms, same, type Model, type ReservationState, type Wire } from '../state.ts';
import { leg, someInstant } from '../world.ts';
import { pick } from './pick.ts';
import { durations, minutes, orderIds, windowOf, windows } from './wanted-orders.ts';

const questions = fc.record({
  minute: fc.constantFrom(...minutes), durationSeconds: fc.constantFrom(...durations), schedule_lock: fc.boolean(), assignment_lock: fc.boolean(),
  candidates: fc.option(fc.array(windows, { minLength: 1, maxLength: 4 }), { freq: 4 }), gap: fc.constantFrom(undefined, 0, 1_800), start: fc.nat(29), hours: fc.constantFrom(-1, 2, 6),
});

/** Asks when an order would fit: what is available is reserved. */
export const askForWindows: fc.Arbitrary<Act> = questions.map(({ minute, durationSeconds, candidates, gap, start, hours, ...locks }) => (model) => {
  const windowsAsked = candidates?.map((wanted) => windowOf(model, wanted)).map(({ windowStartMs, windowEndMs }) => ({ startMs: windowStartMs, endMs: windowEndMs })) ?? null;
  const range = windowsAsked ? { startMs: Math.min(...windowsAsked.map(({ startMs }) => startMs)), endMs: Math.max(...windowsAsked.map(({ endMs }) => endMs)) } : { startMs: someInstant(model, start), endMs: someInstant(model, start) + hours * 3_600_000 };
  const lengthMs = (durationSeconds + (gap ?? 0)) * 1_000;
  const laidOut = Array.from({ length: Math.max(0, Math.floor((range.endMs - range.startMs) / lengthMs)) }, (_, index) => ({ startMs: range.startMs + index * lengthMs, endMs: range.startMs + (index + 1) * lengthMs }));
  const expected = windowsAsked ?? laidOut;
  const body = {
    start: instant(range.startMs), end: instant(range.endMs), location: location(minute), duration_seconds: durationSeconds, ...locks, ...(gap === undefined ? {} : { gap_seconds: gap }),
    ...(windowsAsked ? { candidate_windows: windowsAsked.map(({ startMs, endMs }) => ({ start: instant(startMs), end: instant(endMs) })) } : {}),
  };
  return request(`ask for ${durationSeconds} s at minute ${minute} in ${expected.length} windows from ${body.start} to ${body.end}${locks.schedule_lock ? ', schedule locked' : ''}`, {
    method: 'POST', path: below('availability'), body: () => body,
    steps: (reply) => [(now) => {
      const refused = range.endMs <= range.startMs ? refusal(422, 'it ends before it starts') : windowsAsked === null && gap === undefined ? refusal(422, 'discovery needs a gap') : null;
      if (!answers(reply, 200, refused)) return;
      same('the windows', reply.body.windows.map(({ start: from, end }: Wire) => [ms(from), ms(end)]), expected.map(({ startMs, endMs }) => [startMs, endMs]));
      for (const [index, window] of expected.entries()) followWindow(now, { ...window, minute, durationSeconds, ...locks }, { answer: reply.body.windows[index], groupId: reply.body.group_id });
    }],
  });
});

interface Asked {
  minute: number;
  durationSeconds: number;
  startMs: number;
  endMs: number;
  schedule_lock: boolean;
  assignment_lock: boolean;
}

function followWindow(model: Model, asked: Asked, { answer, groupId }: { answer: Wire; groupId: string }): void {
  const told = `${new Date(asked.startMs).toISOString()} to ${new Date(asked.endMs).toISOString()}`;
  const [canNot, must] = [certainlyNot(model, asked), certainly(model, asked)];
  agree(!(answer.available && canNot), () => `the window from ${told} is said to be available, but ${canNot}`);
  agree(answer.available || must === null, () => `the window from ${told} is said not to be available (${answer.reason}), but ${must}`);
  if (!answer.available) return;
  const expiresMs = Math.min(model.nowMs + 24 * 3_600_000, asked.endMs);
  same('when the reservation expires', ms(answer.expires_at), expiresMs);
  model.reservations[answer.reservation_id] = {
    id: answer.reservation_id, groupId, state: 'open', minute: asked.minute, durationSeconds: asked.durationSeconds, startMs: asked.startMs, endMs: asked.endMs, expiresMs,
    scheduleLock: asked.schedule_lock, assignmentLock: asked.assignment_lock, orderId: null, epoch: model.epoch, foundMs: model.nowMs, isDeleted: false,
  };
}

/** Reasons that can be seen with half an eye. */
function certainlyNot(model: Model, { startMs, endMs, durationSeconds, minute }: Asked): string | null {
  const fromMs = Math.max(startMs, model.nowMs);
  if (endMs - fromMs < durationSeconds * 1_000) return 'the service does not fit into what is left of it';
  const hasHours = active(model.vehicles).some((vehicle) => shiftDates(model).some((date) => intervalsOn(vehicle, date).some((hours) => Math.min(endMs, hours.endMs) - Math.max(fromMs, hours.startMs) >= durationSeconds * 1_000)));
  return hasHours ? null : `no vehicle works long enough then for minute ${minute}`;
}

/** A vehicle that has nothing else to do, with a driver who has nothing else to do, gets there and back within its hours. */
function certainly(model: Model, { startMs, endMs, durationSeconds, minute }: Asked): string | null {
  const plans = currentPlans(model).filter(({ stops }) => stops.length > 0);
  for (const vehicle of active(model.vehicles)) {
    if (vehicle.driverId && plans.some(({ row }) => row.driver_id === vehicle.driverId || row.stops.some((stop: Wire) => stop.driver_id === vehicle.driverId))) continue;
    const travelMs = Math.abs(minute - model.warehouses[vehicle.warehouseId].minute) * leg.seconds * 1_000;
    for (const date of shiftDates(model)) {
      const [first] = intervalsOn(vehicle, date);
      if (first === undefined || first.startMs <= model.nowMs || plans.some((plan) => plan.vehicleId === vehicle.id)) continue;
      const servedMs = Math.max(startMs, first.startMs + travelMs);
      const doneMs = servedMs + durationSeconds * 1_000;
      if (doneMs <= endMs && doneMs + travelMs <= first.endMs) return `${vehicle.id} has nothing else to do on ${date}`;
    }
  }
  return null;
}

const shiftDates = ({ season: { dates } }: Model): string[] => [Temporal.PlainDate.from(dates[0]).subtract({ days: 1 }).toString(), ...dates, Temporal.PlainDate.from(dates[2]).add({ days: 1 }).toString()];

export const confirm: fc.Arbitrary<Act> = fc.tuple(fc.nat(40), fc.nat(orderIds.length + 2), fc.boolean()).map(([n, id, contradicts]) => (model) => {
  const chosen = newestFirst(model, n);
  if (chosen === null) return null;
  const order = { ...(orderIds[id] ? { id: orderIds[id] } : {}), ...(contradicts && id === 0 ? { duration_seconds: chosen.durationSeconds + 60 } : {}) };
  const doesContradict = 'duration_seconds' in order;
  return {
    ...request(`confirm ${told(chosen)} as ${order.id ?? 'a new order'}${doesContradict ? ', for longer' : ''}`, {
      method: 'POST', path: below(`reservations/${chosen.id}/confirm`), body: () => ({ order }),
      steps: (reply) => [(now, seen) => {
        const expected = refuseConfirmation(now, chosen.id, { orderId: order.id, doesContradict });
        if (expected === null && reply.status === 409 && reply.text.includes('not available any more')) {
          const { epoch, foundMs } = now.reservations[chosen.id];
          agree(epoch !== now.epoch || foundMs !== now.nowMs, () => `nothing has changed since it was found available: ${reply.text}`);
          return;
        }
        if (answers(reply, 201, expected)) followConfirmation(now, seen, now.reservations[chosen.id], reply.body);
      }],
    }),
  };
});

const newestFirst = ({ reservations }: Model, n: number): ReservationState | null => pick(Object.values(reservations).toReversed(), n);
const told = ({ startMs, endMs, minute, state }: ReservationState): string => `the ${state} reservation from ${instant(startMs)} to ${instant(endMs)} at minute ${minute}`;

function refuseConfirmation({ reservations, orders, nowMs }: Model, id: string, { orderId, doesContradict }: { orderId?: string; doesContradict: boolean }): Refusal {
  const { state, isDeleted, expiresMs } = reservations[id];
  if (doesContradict) return refusal(422, 'it contradicts what was reserved');
  if (state !== 'open' || isDeleted) return refusal(409, `the reservation is ${state}`);
  if (expiresMs <= nowMs) return refusal(409, 'the reservation has expired');
  return orderId !== undefined && orders[orderId] ? refusal(409, `the id ${orderId} is taken`) : null;
}

export const release: fc.Arbitrary<Act> = fc.nat(40).map((n) => (model) => {
  const chosen = newestFirst(model, n);
  return chosen && request(`release ${told(chosen)}`, {
    method: 'DELETE', path: below(`reservations/${chosen.id}`),
    steps: (reply) => [(now) => {
      const reservation = at(now.reservations, chosen.id);
      const expected = reservation === null ? refusal(404, 'it has been released') : reservation.state === 'confirmed' ? refusal(409, 'it is an order') : null;
      if (!answers(reply, 204, expected)) return;
      if (reservation!.state === 'open') reservation!.state = 'released';
      reservation!.isDeleted = true;
    }],
  });
});

/** A refused confirmation and a query for the same window at the same moment say the same. */
export const askAgain: fc.Arbitrary<Act> = fc.nat(40).map((n) => (model) => {
  const chosen = newestFirst(model, n);
  if (chosen === null || refuseConfirmation(model, chosen.id, { doesContradict: false }) !== null || chosen.expiresMs <= model.nowMs + 60_000) return null;
  return {
    text: `confirm ${told(chosen)}, having asked again`,
    async send(real) {
      const window = { start: instant(chosen.startMs), end: instant(chosen.endMs) };
      const question = await real.admin.post(`${real.path}/availability`, { ...window, location: location(chosen.minute), duration_seconds: chosen.durationSeconds, candidate_windows: [window], schedule_lock: chosen.scheduleLock, assignment_lock: chosen.assignmentLock });
      const reply = await sendRequest(real, { method: 'POST', path: below(`reservations/${chosen.id}/confirm`), body: () => ({}), steps: () => [] });
      const [answer] = question.body.windows;
      return [
        (now) => followWindow(now, { ...chosen, schedule_lock: chosen.scheduleLock, assignment_lock: chosen.assignmentLock }, { answer, groupId: question.body.group_id }),
        (now, seen) => {
          if (answers(reply, 201, answer.available ? null : refusal(409, `it is not available (${answer.reason})`))) followConfirmation(now, seen, now.reservations[chosen.id], reply.body);
        },
      ];
    },
  };
});
