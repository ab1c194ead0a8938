import { Business } from '../businesses/entity.ts';
import { reader, transaction, type Store } from '../db/store.ts';
import { newId } from '../records/ids.ts';
import { instant } from '../records/present.ts';
import { askedWindows, type AskedWindow } from './asked-windows.ts';
import { Reservation } from './entity.ts';
import { judgeWindows, type Judgement } from './judge-windows.ts';
import type { AvailabilityInput } from './schema.ts';

const reservationLifeMs = 24 * 3_600_000;

/** A computation of some seconds ago still counts, and what it says still holds when it arrives: its now is up to this far ahead. */
const asOfStepMs = 15_000;
const asOf = (nowMs: number): number => Math.ceil(nowMs / asOfStepMs) * asOfStepMs;

/** Judges the windows as things stand and leaves a reservation for each that is available. It changes no plan and blocks nobody. */
export async function queryAvailability(store: Store, businessId: string, input: AvailabilityInput, nowMs = Date.now()): Promise<object> {
  const em = reader(store, businessId);
  const { timeZone } = await em.findOneOrFail(Business, { id: businessId }, { disableIdentityMap: true, fields: ['timeZone'] });
  const windows = askedWindows(input, timeZone);
  const asked = windows.filter(({ isOutside }) => !isOutside);
  const judgements = await judgeWindows(em, businessId, {
    location: input.location, durationSeconds: input.duration_seconds, windows: asked, asOfMs: asOf(nowMs),
    scheduleLock: input.schedule_lock ?? false, assignmentLock: input.assignment_lock ?? false,
  });
  const groupId = newId();
  const judged = new Map(asked.map((window, index) => [window, judgements[index]]));
  const reservations = new Map<AskedWindow, Reservation>();
  await transaction(store, businessId, async (own) => {
    reservations.clear();
    for (const [window, judgement] of judged) {
      if ('place' in judgement) reservations.set(window, own.create(Reservation, reservationOf(window, { input, judgement, businessId, groupId, nowMs }) as never));
    }
    await own.persist([...reservations.values()]).flush();
  });
  return { group_id: groupId, windows: windows.map((window) => answerOf(window, judged.get(window), reservations.get(window))) };
}

interface Reserving {
  input: AvailabilityInput;
  judgement: Extract<Judgement, { place: unknown }>;
  businessId: string;
  groupId: string;
  nowMs: number;
}

function reservationOf({ startMs, endMs }: AskedWindow, { input, judgement: { place }, businessId, groupId, nowMs }: Reserving) {
  const [{ vehicle, date }] = place.room.facts.shifts;
  return {
    businessId, id: newId(), groupId, state: 'open', windowStart: new Date(startMs), windowEnd: new Date(endMs),
    location: input.location, durationSeconds: input.duration_seconds, scheduleLock: input.schedule_lock ?? false, assignmentLock: input.assignment_lock ?? false,
    vehicleId: vehicle.id, shiftDate: date, startAt: new Date(place.startMs), expiresAt: new Date(Math.min(nowMs + reservationLifeMs, endMs)),
  };
}

function answerOf({ start, end }: AskedWindow, judgement: Judgement | undefined, reservation: Reservation | undefined): object {
  if (reservation) return { start, end, available: true, reservation_id: reservation.id, expires_at: instant(reservation.expiresAt) };
  const why = judgement && 'whyNot' in judgement ? judgement.whyNot : { reason: 'window_outside_dates', detail: 'the window is not between start and end of the query' };
  return { start, end, available: false, reservation_id: null, expires_at: null, ...why };
}
