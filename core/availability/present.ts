import { instant, presentCommon } from '../records/present.ts';
import type { Reservation } from './entity.ts';
import type { ReservationStatus } from './schema.ts';

export const statusOf = ({ state, expiresAt }: Pick<Reservation, 'state' | 'expiresAt'>, nowMs = Date.now()): ReservationStatus =>
  state === 'open' && expiresAt.getTime() <= nowMs ? 'expired' : state;

export const presentReservation = (reservation: Reservation) => ({
  ...presentCommon(reservation),
  group_id: reservation.groupId,
  status: statusOf(reservation),
  start: instant(reservation.windowStart),
  end: instant(reservation.windowEnd),
  location: reservation.location,
  duration_seconds: reservation.durationSeconds,
  schedule_lock: reservation.scheduleLock,
  assignment_lock: reservation.assignmentLock,
  vehicle_id: reservation.vehicleId,
  date: reservation.shiftDate,
  scheduled_at: instant(reservation.startAt),
  expires_at: instant(reservation.expiresAt),
  order_id: reservation.orderId ?? null,
});
