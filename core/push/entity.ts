import { defineEntity, p } from '@mikro-orm/postgresql';
import { newId } from '../records/ids.ts';
import { ofOneBusiness, recordProperties, recordTable } from '../records/entity.ts';
import type { PushProvider } from './schema.ts';

/** A driver's device. A token is on one active device in all businesses: that is one telephone. */
const deviceSchema = defineEntity({
  ...recordTable,
  name: 'PushDevice',
  tableName: 'push_devices',
  properties: {
    ...recordProperties,
    driverId: p.string().length(120),
    /** The session that registered it; when that ends nothing is sent any more. */
    sessionId: p.uuid(),
    provider: p.string().length(20).$type<PushProvider>(),
    deviceToken: p.text(),
    /** SHA-256: a token is too long for an index. */
    tokenHash: p.string().length(64),
    registeredAt: p.datetime(),
  },
});
export class PushDevice extends deviceSchema.class {}
deviceSchema.setClass(PushDevice);

export const pushStatuses = ['queued', 'sent', 'not_sent', 'failed'] as const;
export type PushStatus = (typeof pushStatuses)[number];

/** One message to one device about one publication. */
const deliverySchema = defineEntity({
  name: 'PushDelivery',
  tableName: 'push_deliveries',
  properties: {
    businessId: p.uuid().primary(),
    id: p.uuid().primary().onCreate(newId),
    publicationId: p.string().length(120),
    driverId: p.string().length(120),
    deviceId: p.string().length(120),
    status: p.string().length(20).$type<PushStatus>(),
    attempts: p.integer().default(0),
    /** When it is to be tried, or, while somebody is at it, when that one counts as dead. */
    dueAt: p.datetime(),
    reason: p.text().nullable(),
    createdAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
  },
  filters: ofOneBusiness,
});
export class PushDelivery extends deliverySchema.class {}
deliverySchema.setClass(PushDelivery);
