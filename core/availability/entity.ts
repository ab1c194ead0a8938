import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Location } from '../contract/schemas.ts';
import { recordProperties, recordTable } from '../records/entity.ts';

/** What has become of a reservation. Whether an open one has expired is judged when it is read. */
export type ReservationState = 'open' | 'confirmed' | 'dropped' | 'released';

/** One window in which an order would fit: an alternative of its group. It is tentative and takes nobody's time. */
const schema = defineEntity({
  ...recordTable,
  name: 'Reservation',
  tableName: 'reservations',
  properties: {
    ...recordProperties,
    groupId: p.uuid(),
    state: p.string().length(10).$type<ReservationState>().default('open'),
    windowStart: p.datetime(),
    windowEnd: p.datetime(),
    location: p.json<Location>(),
    durationSeconds: p.integer(),
    scheduleLock: p.boolean(),
    assignmentLock: p.boolean(),
    vehicleId: p.string().length(120),
    shiftDate: p.string().length(10),
    startAt: p.datetime(),
    expiresAt: p.datetime(),
    orderId: p.string().length(120).nullable(),
  },
});
export class Reservation extends schema.class {}
schema.setClass(Reservation);
