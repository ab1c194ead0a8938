import type { FromSchema } from 'json-schema-to-ts';
import { inputOf, instantSchema, nameSchema, nullable, patchOf, recordOf, uuidSchema, idSchema, type FieldsOf } from '../contract/schemas.ts';
import type { JsonSchema } from '../contract/operation.ts';
import { reservation } from '../availability/schema.ts';
import { driver } from '../drivers/schema.ts';
import { allEvents, eventTypes, type EventType } from '../events/schema.ts';
import { evidence } from '../evidence/schema.ts';
import { job } from '../jobs/schema.ts';
import { order, orderStatuses } from '../orders/schema.ts';
import { plan } from '../plans/schema.ts';
import { region, regionStatuses } from '../regions/schema.ts';

export const webhookFields = {
  name: nameSchema,
  url: { type: 'string', format: 'uri', maxLength: 2_000, description: 'HTTPS destination, without credentials and fragment.' },
  events: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: [allEvents, ...eventTypes] }, description: 'Subscribed events; `*` means all.' },
  active: { type: 'boolean', description: 'Only an active webhook is sent anything.' },
} as const;
export type WebhookFields = FieldsOf<typeof webhookFields>;

const managed = {
  disabled_reason: { ...nullable({ type: 'string' } as const), readOnly: true, description: 'Why the service switched it off.' },
  failing_since: { ...nullable(instantSchema), readOnly: true, description: 'Since when no delivery has succeeded.' },
  secret_rotated_at: { ...instantSchema, readOnly: true },
} as const;

const secretSchema = { type: 'string', maxLength: 100, description: 'Signing secret: `whsec_` and the base64 of 24 to 64 bytes. Made where absent; shown once, at creation and rotation.' } as const;
const secret = { secret: secretSchema } as const;
const options = { readOnly: Object.keys(managed) };

export const webhook = recordOf('Webhook', { ...webhookFields, ...managed });
export const webhookWithSecret = recordOf('WebhookWithSecret', { ...webhookFields, ...managed, ...secret });
export const webhookInput = inputOf('Webhook', { ...webhookFields, ...secret }, { ...options, required: ['name', 'url', 'events'] });
export const webhookPatch = patchOf('Webhook', { ...webhookFields, ...secret }, options);

export const rotateSecretInput = { title: 'RotateSecretInput', type: 'object', additionalProperties: false, properties: secret } as const;
export type RotateSecretInput = FromSchema<typeof rotateSecretInput>;

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'gave_up'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const responseStatus = nullable({ type: 'integer' } as const);
const error = nullable({ type: 'string' } as const);
const durationMs = nullable({ type: 'integer', minimum: 0 } as const);

const attempt = {
  type: 'object', additionalProperties: false, required: ['attempt', 'at', 'response_status', 'error', 'duration_ms'],
  properties: { attempt: { type: 'integer', minimum: 1 }, at: instantSchema, response_status: responseStatus, error, duration_ms: durationMs },
} as const;
export type Attempt = FromSchema<typeof attempt>;

export const deliveryFields = {
  webhook_id: idSchema,
  event_id: { ...uuidSchema, description: 'The `webhook-id` header and the `id` of the body.' },
  event_type: { type: 'string', enum: eventTypes },
  status: { type: 'string', enum: deliveryStatuses, description: 'pending: to be sent; failed: will be tried again; gave_up: will not, unless it is redelivered or recovered.' },
  attempts: { type: 'integer', minimum: 0 },
  next_attempt_at: nullable(instantSchema),
  response_status: { ...responseStatus, description: 'Of the last attempt, like the fields that follow.' },
  response_body: { ...nullable({ type: 'string' } as const), description: 'Its first kilobyte.' },
  error,
  duration_ms: durationMs,
  delivered_at: nullable(instantSchema),
  attempt_log: { type: 'array', items: attempt, description: 'The latest attempts, 25 at most.' },
} as const;
export const delivery = recordOf('WebhookDelivery', deliveryFields);

export const recoverInput = {
  title: 'RecoverInput', type: 'object', additionalProperties: false, required: ['since'],
  properties: { since: { ...instantSchema, description: 'Deliveries of events from this instant on.' } },
} as const;
export type RecoverInput = FromSchema<typeof recoverInput>;

export const recovered = {
  title: 'Recovered', type: 'object', additionalProperties: false, required: ['recovered'],
  properties: { recovered: { type: 'integer', minimum: 0, description: 'So many deliveries are sent again.' } },
} as const;

/** A shape with some fields more. */
function extended(schema: JsonSchema, title: string, more: Record<string, JsonSchema>, required: readonly string[]): JsonSchema {
  return { ...schema, title, required: [...(schema.required as string[]), ...required], properties: { ...(schema.properties as object), ...more } };
}

const sequence = { type: 'integer', minimum: 1, description: 'Counts the events of this order, without a gap: whatever arrives late or twice can be told.' } as const;
const orderEvent = extended(order, 'OrderEvent', { sequence }, ['sequence']);
const orderStatusEvent = extended(order, 'OrderStatusEvent', { previous_status: { type: 'string', enum: orderStatuses }, sequence }, ['previous_status', 'sequence']);

const regionEvent = extended(region, 'RegionEvent', { previous_status: { type: 'string', enum: regionStatuses } }, ['previous_status']);

/** What `data` holds: the record as it is shown, as of the end of the change. */
const eventData: Record<EventType, JsonSchema> = {
  'order.created': orderEvent, 'order.updated': orderEvent, 'order.deleted': orderEvent, 'order.status_changed': orderStatusEvent, 'order.planned': orderEvent, 'order.unplanned': orderEvent,
  'plan.created': plan, 'plan.published': plan, 'plan.superseded': plan, 'plan.received': plan,
  'job.completed': job, 'job.failed': job, 'job.cancelled': job,
  'driver.duty_changed': driver, 'evidence.created': evidence, 'reservation.confirmed': reservation,
  'region.status_changed': regionEvent, 'webhook.test': webhook,
};

/** The body of a delivery. */
export const eventMessage = (type: EventType): JsonSchema => ({
  type: 'object', additionalProperties: false, required: ['id', 'type', 'timestamp', 'business_id', 'data'],
  properties: {
    id: { ...uuidSchema, description: 'The same for every attempt, and the same as the webhook-id header.' },
    type: { type: 'string', enum: [type] },
    timestamp: { ...instantSchema, description: 'When it happened.' },
    business_id: uuidSchema,
    data: eventData[type],
  },
});
