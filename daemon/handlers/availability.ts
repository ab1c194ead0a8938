import { confirmReservation } from '../../core/availability/confirm-reservation.ts';
import { presentReservation } from '../../core/availability/present.ts';
import { queryAvailability } from '../../core/availability/query-availability.ts';
import { getReservation, listReservations, releaseReservation, type ReservationQuery } from '../../core/availability/reservations.ts';
import type { AvailabilityInput, ConfirmInput } from '../../core/availability/schema.ts';
import { reader, transaction } from '../../core/db/store.ts';
import { presentOrder } from '../../core/orders/present.ts';
import type { RecordStatus } from '../../core/records/read-records.ts';
import type { Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';
import { created } from './records.ts';

export const availabilityHandlers: Handlers = {
  'availability.query': async ({ service, businessId, body }) => ({ body: await queryAvailability(service.store, businessId, body as unknown as AvailabilityInput) }),
  'reservations.list': async ({ service, businessId, query }) => {
    const { records, nextCursor } = await listReservations(reader(service.store, businessId), businessId, query as ReservationQuery);
    return { body: { items: records.map(presentReservation), next_cursor: nextCursor } };
  },
  'reservations.get': async ({ service, businessId, params, query }) => ({
    body: presentReservation(await getReservation(reader(service.store, businessId), params.reservation_id, query.record_status as RecordStatus)),
  }),
  'reservations.release': async (call) => {
    await transaction(call.service.store, call.businessId, (em) => releaseReservation(em, call.params.reservation_id, intentOf(call)));
    return {};
  },
  'reservations.confirm': async (call) => {
    const order = await confirmReservation(call.service.store, call.businessId, call.params.reservation_id, call.body as ConfirmInput);
    return created(call, 'orders', presentOrder(order), order.id);
  },
};
