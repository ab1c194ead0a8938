import type { FromSchema } from 'json-schema-to-ts';
import { inputOf, instantSchema, nameSchema, nullable, patchOf, recordOf, uuidSchema, idSchema, type FieldsOf } from '../contract/schemas.ts';
import { allEvents, eventTypes } from '../events/schema.ts';

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
