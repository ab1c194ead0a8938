import { conflict, notFound } from '../contract/errors.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import type { Intent } from '../records/kind.ts';
import { getRecord, listRecords, type Page, type RecordStatus } from '../records/read-records.ts';
import { lockRecord, markDeleted } from '../records/write-records.ts';
import { Reservation } from './entity.ts';
import type { ReservationStatus } from './schema.ts';

export const reservationKind = { word: 'reservation', entity: Reservation, searched: ['vehicleId', 'orderId'] as const };

export interface ReservationQuery extends Record<string, unknown> {
  status?: ReservationStatus;
  group_id?: string;
  vehicle_id?: string;
}

export function listReservations(em: EntityManager, businessId: string, query: ReservationQuery): Promise<Page<Reservation>> {
  const filter: object[] = [];
  if (query.status) filter.push(withStatus(query.status, new Date()));
  if (query.group_id) filter.push({ groupId: query.group_id });
  if (query.vehicle_id) filter.push({ vehicleId: query.vehicle_id });
  return listRecords<Reservation>(em, reservationKind, businessId, query, filter);
}

function withStatus(status: ReservationStatus, now: Date): object {
  if (status === 'open') return { state: 'open', expiresAt: { $gt: now } };
  if (status === 'expired') return { state: 'open', expiresAt: { $lte: now } };
  return { state: status };
}

export const getReservation = (em: EntityManager, id: string, status?: RecordStatus): Promise<Reservation> => getRecord<Reservation>(em, reservationKind, id, status);

/** Gives a reservation back. It leaves active reads; its history stays. */
export async function releaseReservation(em: EntityManager, id: string, intent: Intent): Promise<void> {
  const reservation = await lockRecord<Reservation>(em, reservationKind, id, { ifMatch: intent.ifMatch });
  if (reservation.state === 'confirmed') throw conflict(`the reservation has become the order ${reservation.orderId}: delete or cancel that`);
  if (reservation.state === 'open') reservation.state = 'released';
  markDeleted(reservation, intent);
  await em.flush();
}

/** The reservation, locked and still to be had. */
export async function lockOpenReservation(em: EntityManager, id: string, nowMs: number): Promise<Reservation> {
  const reservation = await em.findOne(Reservation, { id }, { lockMode: rowLock.write, refresh: true });
  if (reservation === null) throw notFound('reservation', id);
  refuseUnlessOpen(reservation, nowMs);
  return reservation;
}

export function refuseUnlessOpen({ state, deletedAt, orderId, expiresAt }: Reservation, nowMs: number): void {
  if (state === 'confirmed') throw conflict(`the reservation has been confirmed already, as the order ${orderId}`);
  if (state === 'dropped') throw conflict('another window of the same group has been confirmed');
  if (state === 'released' || deletedAt) throw conflict('the reservation has been released');
  if (expiresAt.getTime() <= nowMs) throw conflict('the reservation has expired; ask for availability again');
}
