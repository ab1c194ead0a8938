import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Location } from '../contract/schemas.ts';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { SchemaSnapshot } from '../schemas/entity.ts';
import type { PublishedDetails } from './published-details.ts';
import type { OrderStatus, OrderType } from './schema.ts';

const reference = () => p.string().length(120).nullable();

const schema = defineEntity({
  ...recordTable,
  name: 'Order',
  tableName: 'orders',
  properties: {
    ...recordProperties,
    type: p.string().length(10).$type<OrderType>(),
    location: p.json<Location>(),
    durationSeconds: p.integer(),
    windowStart: p.datetime(),
    windowEnd: p.datetime(),
    status: p.string().length(20).$type<OrderStatus>().default('created'),
    pendingStatus: p.string().length(20).$type<OrderStatus>().nullable(),
    /** The live status that the administrator saw when choosing the pending one. */
    pendingFrom: p.string().length(20).$type<OrderStatus>().nullable(),
    replacementDriverId: reference(),
    customFields: p.json<Record<string, unknown>>(),
    schemaSnapshot: p.json<SchemaSnapshot>(),
    actualStartedAt: p.datetime().nullable(),
    actualCompletedAt: p.datetime().nullable(),
    /** What an administrator chose; planning keeps to it. */
    selectedVehicleId: reference(),
    selectedDriverId: reference(),
    selectedStartAt: p.datetime().nullable(),
    /** Its place in the latest planning version; all null while it is unplanned. */
    planId: reference(),
    scheduledAt: p.datetime().nullable(),
    vehicleId: reference(),
    driverId: reference(),
    /** Its place in the last published snapshot. */
    publishedPlanId: reference(),
    publishedScheduledAt: p.datetime().nullable(),
    publishedVehicleId: reference(),
    publishedDriverId: reference(),
    publishedDetails: p.json<PublishedDetails>().nullable(),
    /** Whose it is since when, over publications that change nothing about that; written by `core/execution` only. */
    releasedTo: reference(),
    releasedAt: p.datetime().nullable(),
  },
});
export class Order extends schema.class {}
schema.setClass(Order);
