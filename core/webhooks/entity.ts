import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from '../events/schema.ts';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { Attempt, DeliveryStatus } from './schema.ts';

/** Secrets are in a table of their own, so that no reading of a webhook comes across them. */
const schema = defineEntity({
  ...recordTable,
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    ...recordProperties,
    name: p.string().length(200),
    url: p.text(),
    events: p.json<string[]>(),
    active: p.boolean().default(true),
    /** Why the service switched it off; null where an administrator did, or nobody. */
    disabledReason: p.text().nullable(),
    secretRotatedAt: p.datetime(),
    /** The first failure after the last success. */
    failingSince: p.datetime().nullable(),
    lastFailureAt: p.datetime().nullable(),
    /** The endpoint has asked to be left alone until then. */
    pausedUntil: p.datetime().nullable(),
  },
});
export class Webhook extends schema.class {}
schema.setClass(Webhook);

/** One event on its way to one webhook. Statements write it; the columns `position` and `failures` are theirs alone. */
const deliverySchema = defineEntity({
  ...recordTable,
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    ...recordProperties,
    webhookId: p.string().length(120),
    eventId: p.uuid(),
    eventType: p.string().length(40).$type<EventType>(),
    status: p.string().length(10).$type<DeliveryStatus>(),
    /** Counts the times that it was taken in hand: what a result names, so that one that comes too late is not written. */
    attempts: p.integer(),
    nextAttemptAt: p.datetime().nullable(),
    responseStatus: p.integer().nullable(),
    responseBody: p.text().nullable(),
    error: p.text().nullable(),
    durationMs: p.integer().nullable(),
    deliveredAt: p.datetime().nullable(),
    attemptLog: p.json<Attempt[]>(),
  },
});
export class WebhookDelivery extends deliverySchema.class {}
deliverySchema.setClass(WebhookDelivery);
