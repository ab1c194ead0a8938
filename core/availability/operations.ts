import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { idSchema, listOf, listQuery } from '../contract/schemas.ts';
import { order } from '../orders/schema.ts';
import { availability, availabilityInput, confirmInput, reservation, reservationStatuses } from './schema.ts';

const path = `${businessPath}/reservations`;
const one = `${path}/{reservation_id}`;
const common = { tag: 'availability', errors: usualErrors } as const;

const queryAvailability = operation({
  ...common, id: 'availability.query', method: 'POST', path: `${businessPath}/availability`, summary: 'Find or check appointment windows',
  description: 'Each available window gets a tentative reservation, which blocks nobody: the first confirmation that fits wins.',
  access: inBusiness('availability.query'), body: availabilityInput, status: 200, answer: availability,
  example: {
    body: {
      start: '2026-03-02T08:00:00+01:00', end: '2026-03-02T18:00:00+01:00', location: { latitude: 52.52, longitude: 13.405 }, duration_seconds: 1_800,
      candidate_windows: [{ start: '2026-03-02T09:00:00+01:00', end: '2026-03-02T11:00:00+01:00' }, { start: '2026-03-02T14:00:00+01:00', end: '2026-03-02T16:00:00+01:00' }],
    },
  },
});
const listReservations = operation({
  ...common, id: 'reservations.list', method: 'GET', path, summary: 'List reservations', access: inBusiness('availability.query'), status: 200, answer: listOf(reservation),
  query: { ...listQuery, status: { type: 'string', enum: reservationStatuses }, group_id: { type: 'string', format: 'uuid' }, vehicle_id: idSchema },
});
const getReservation = operation({ ...common, id: 'reservations.get', method: 'GET', path: one, summary: 'Read a reservation', access: inBusiness('availability.query'), query: { record_status: listQuery.record_status }, status: 200, answer: reservation });
const releaseReservation = operation({ ...common, id: 'reservations.release', method: 'DELETE', path: one, summary: 'Release a reservation', description: 'A confirmed one is an order and can not be released.', access: inBusiness('availability.query'), precondition: 'If-Match', status: 204 });
const confirmReservation = operation({
  ...common, id: 'reservations.confirm', method: 'POST', path: `${one}/confirm`, summary: 'Make an order of a reservation',
  description: 'Checks again that it fits, creates the order in the window, puts it into the planning version of a vehicle and drops the other windows of the group. 409 where it has expired, has been used or released, or does not fit any more.',
  access: inBusiness('orders.write'), body: confirmInput, bodyOptional: true, status: 201, answer: order,
  example: { body: { order: { custom_fields: {} } } },
});

export const availabilityOperations = [queryAvailability, listReservations, getReservation, releaseReservation, confirmReservation];
