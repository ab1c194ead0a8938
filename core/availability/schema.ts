import type { FromSchema } from 'json-schema-to-ts';
import { dateSchema, idSchema, instantSchema, locationSchema, nullable, recordOf, type FieldsOf } from '../contract/schemas.ts';

/** A query answers so many windows at most. */
export const windowsMax = 500;
/** The windows of a query may touch so many local dates at most. */
export const datesMax = 62;
/** As long as an order may take: a week. */
const durationSecondsMax = 7 * 86_400;

const duration = { type: 'integer', minimum: 1, maximum: durationSecondsMax, description: 'Work without travel.' } as const;
const scheduleLock = { type: 'boolean', default: false, description: 'Planned starts stay exactly as they are, and so does their order.' } as const;
const assignmentLock = { type: 'boolean', default: false, description: 'Planned orders stay with their vehicle and driver. They do so without it as well, because nothing is moved to make room.' } as const;

const windowBounds = {
  type: 'object', additionalProperties: false, required: ['start', 'end'],
  properties: { start: instantSchema, end: instantSchema },
} as const;

/** Spec 4.7. */
export const availabilityInput = {
  title: 'AvailabilityInput', type: 'object', additionalProperties: false, required: ['start', 'end', 'location', 'duration_seconds'],
  properties: {
    start: instantSchema,
    end: instantSchema,
    location: locationSchema,
    duration_seconds: duration,
    gap_seconds: { type: 'integer', minimum: 0, maximum: durationSecondsMax, description: 'Needed without candidate_windows: windows of duration and gap together are laid end to end from start.' },
    candidate_windows: { type: 'array', minItems: 1, maxItems: windowsMax, items: windowBounds, description: 'Alternatives for one order; checked as they are.' },
    schedule_lock: scheduleLock,
    assignment_lock: assignmentLock,
  },
} as const;
export type AvailabilityInput = FromSchema<typeof availabilityInput>;

/** Why an order does not fit: the reasons of planning. */
export const unavailableReasons = ['window_outside_dates', 'outside_working_hours', 'unreachable', 'no_eligible_vehicle', 'window_too_tight', 'capacity', 'locked_conflict'] as const;

const answeredWindow = {
  type: 'object', additionalProperties: false, required: ['start', 'end', 'available', 'reservation_id', 'expires_at'],
  properties: {
    start: instantSchema,
    end: instantSchema,
    available: { type: 'boolean', description: 'The whole service and the travel fit.' },
    reservation_id: nullable(idSchema),
    expires_at: nullable(instantSchema),
    reason: { type: 'string', enum: unavailableReasons, description: 'Of a window that is not available.' },
    detail: { type: 'string', description: 'The reason in words.' },
  },
} as const;

export const availability = {
  title: 'Availability', type: 'object', additionalProperties: false, required: ['group_id', 'windows'],
  properties: {
    group_id: { type: 'string', format: 'uuid', description: 'Links the reservations of this query: one of them can be confirmed.' },
    windows: { type: 'array', items: answeredWindow },
  },
} as const;

export const reservationStatuses = ['open', 'confirmed', 'dropped', 'released', 'expired'] as const;
export type ReservationStatus = (typeof reservationStatuses)[number];

export const reservationFields = {
  group_id: { type: 'string', format: 'uuid' },
  status: { type: 'string', enum: reservationStatuses, description: 'dropped: another window of the group was confirmed. Whether it has expired is judged when it is read.' },
  start: instantSchema,
  end: instantSchema,
  location: locationSchema,
  duration_seconds: duration,
  schedule_lock: { type: 'boolean' },
  assignment_lock: { type: 'boolean' },
  vehicle_id: { ...idSchema, description: 'Who would serve it, as things stood when it was asked for.' },
  date: { ...dateSchema, description: 'The local date on which the shift begins.' },
  scheduled_at: { ...instantSchema, description: 'When the service would start, as things stood when it was asked for.' },
  expires_at: instantSchema,
  order_id: { ...nullable(idSchema), description: 'The order that it was confirmed as.' },
} as const;
export type ReservationFields = FieldsOf<typeof reservationFields>;

export const reservation = recordOf('Reservation', reservationFields);

export const confirmInput = {
  title: 'ReservationConfirmInput', type: 'object', additionalProperties: false,
  properties: {
    order: {
      type: 'object', additionalProperties: false,
      description: 'What the order is besides where and when. Place, duration and window are those of the reservation; where they are given they must agree.',
      properties: {
        id: idSchema,
        type: { type: 'string', enum: ['task'] },
        custom_fields: { type: 'object', additionalProperties: true, description: 'Values by custom field id.' },
        location: locationSchema,
        duration_seconds: duration,
        window_start: instantSchema,
        window_end: instantSchema,
      },
    },
  },
} as const;
export type ConfirmInput = FromSchema<typeof confirmInput>;
