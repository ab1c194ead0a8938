import { instant, instantOrNull, presentCommon } from '../records/present.ts';
import type { Webhook, WebhookDelivery } from './entity.ts';

export const presentWebhook = (webhook: Webhook) => ({
  ...presentCommon(webhook),
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  active: webhook.active,
  disabled_reason: webhook.disabledReason ?? null,
  failing_since: instantOrNull(webhook.failingSince),
  secret_rotated_at: instant(webhook.secretRotatedAt),
});

export const presentDelivery = (delivery: WebhookDelivery) => ({
  ...presentCommon(delivery),
  webhook_id: delivery.webhookId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  status: delivery.status,
  attempts: delivery.attempts,
  next_attempt_at: instantOrNull(delivery.nextAttemptAt),
  response_status: delivery.responseStatus ?? null,
  response_body: delivery.responseBody ?? null,
  error: delivery.error ?? null,
  duration_ms: delivery.durationMs ?? null,
  delivered_at: instantOrNull(delivery.deliveredAt),
  attempt_log: delivery.attemptLog,
});
