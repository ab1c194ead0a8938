import { Business } from '../businesses/entity.ts';
import { reader, transaction, type EntityManager, type Store } from '../db/store.ts';
import { newId } from '../records/ids.ts';
import { formatInstant } from '../time/instants.ts';
import { askedWindows, type AskedWindow } from './asked-windows.ts';
import type { FoundPlace } from './find-places.ts';
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
  const reservations = new Map<AskedWindow, NewReservation>();
  for (const [window, judgement] of judged) if ('place' in judgement) reservations.set(window, reservationOf(window, judgement.place, nowMs));
  if (reservations.size > 0) await transaction(store, businessId, (own) => save(own, { businessId, groupId, input, nowMs, reservations: [...reservations.values()] }));
  return { group_id: groupId, windows: windows.map((window) => answerOf(window, judged.get(window), reservations.get(window))) };
}

/** In the form of the table. */
interface NewReservation {
  id: string;
  window_start: string;
  window_end: string;
  vehicle_id: string;
  shift_date: string;
  start_at: string;
  expires_at: string;
}

function reservationOf({ startMs, endMs }: AskedWindow, { room, startMs: servedMs }: FoundPlace, nowMs: number): NewReservation {
  const [{ vehicle, date }] = room.facts.shifts;
  return {
    id: newId(), window_start: formatInstant(startMs), window_end: formatInstant(endMs),
    vehicle_id: vehicle.id, shift_date: date, start_at: formatInstant(servedMs), expires_at: formatInstant(Math.min(nowMs + reservationLifeMs, endMs)),
  };
}

interface Saving {
  businessId: string;
  groupId: string;
  input: AvailabilityInput;
  nowMs: number;
  reservations: NewReservation[];
}

/** One statement for all of them: making five hundred records one by one would hold up everybody else. */
async function save(em: EntityManager, { businessId, groupId, input, nowMs, reservations }: Saving): Promise<void> {
  const { location, duration_seconds: duration, schedule_lock: scheduleLock = false, assignment_lock: assignmentLock = false } = input;
  const now = new Date(nowMs);
  await em.execute(
    `insert into reservations (business_id, created_at, updated_at, group_id, location, duration_seconds, schedule_lock, assignment_lock, id, window_start, window_end, vehicle_id, shift_date, start_at, expires_at)
     select ?, ?, ?, ?, ?::jsonb, ?, ?, ?, each.* from jsonb_to_recordset(?::jsonb)
       as each (id varchar, window_start timestamptz, window_end timestamptz, vehicle_id varchar, shift_date varchar, start_at timestamptz, expires_at timestamptz)`,
    [businessId, now, now, groupId, JSON.stringify(location), duration, scheduleLock, assignmentLock, JSON.stringify(reservations)],
  );
}

function answerOf({ start, end }: AskedWindow, judgement: Judgement | undefined, reservation: NewReservation | undefined): object {
  if (reservation) return { start, end, available: true, reservation_id: reservation.id, expires_at: reservation.expires_at };
  const why = judgement && 'whyNot' in judgement ? judgement.whyNot : { reason: 'window_outside_dates', detail: 'the window is not between start and end of the query' };
  return { start, end, available: false, reservation_id: null, expires_at: null, ...why };
}
