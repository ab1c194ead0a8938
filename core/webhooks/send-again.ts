import { conflict, notFound } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { requestIdNow } from '../events/request-scope.ts';
import { newId } from '../records/ids.ts';
import { lockRecord } from '../records/write-records.ts';
import { Webhook, WebhookDelivery } from './entity.ts';
import { presentWebhook } from './present.ts';

const webhookWord = { word: 'webhook', entity: Webhook };

/** A webhook that is switched off is sent nothing, not even this. The lock keeps it on until the delivery is written. */
async function lockActive(em: EntityManager, id: string): Promise<Webhook> {
  const webhook = await lockRecord<Webhook>(em, webhookWord, id);
  if (!webhook.active) throw conflict('the webhook is not active: nothing is sent to it');
  return webhook;
}

/** Makes a `webhook.test` event for this webhook alone, whatever it subscribes to. */
export async function testWebhook(em: EntityManager, id: string): Promise<WebhookDelivery> {
  const webhook = await lockActive(em, id);
  const now = new Date();
  const [event, delivery] = [newId(), newId()];
  await em.execute(
    `with event as (
       insert into events (business_id, id, type, data, request_id, created_at, fanned_out_at) values (?, ?, 'webhook.test', ?::jsonb, ?, ?, ?) returning position
     )
     insert into webhook_deliveries (business_id, id, created_at, updated_at, webhook_id, event_id, event_type, position, status, next_attempt_at)
     select ?, ?, ?, ?, ?, ?, 'webhook.test', event.position, 'pending', now() from event`,
    [webhook.businessId, event, JSON.stringify(presentWebhook(webhook)), requestIdNow(), now, now, webhook.businessId, delivery, now, now, webhook.id, event],
  );
  return em.findOneOrFail(WebhookDelivery, { id: delivery });
}

const startOver = `status = 'pending', failures = 0, next_attempt_at = now(), revision = revision + 1, updated_at = now()`;

/** Sends a delivery again, from the beginning of the schedule. */
export async function redeliver(em: EntityManager, webhookId: string, deliveryId: string): Promise<WebhookDelivery> {
  const webhook = await lockActive(em, webhookId);
  const rows = await em.execute<unknown[]>(`update webhook_deliveries set ${startOver} where business_id = ? and webhook_id = ? and id = ? returning id`, [webhook.businessId, webhook.id, deliveryId]);
  if (rows.length === 0) throw notFound('delivery', deliveryId);
  return em.findOneOrFail(WebhookDelivery, { id: deliveryId });
}

/** Sends what has failed since an instant again. How many deliveries that are. */
export async function recoverDeliveries(em: EntityManager, webhookId: string, since: Date): Promise<number> {
  const webhook = await lockActive(em, webhookId);
  const rows = await em.execute<unknown[]>(
    `update webhook_deliveries set ${startOver} where business_id = ? and webhook_id = ? and status in ('failed', 'gave_up') and created_at >= ? returning id`,
    [webhook.businessId, webhook.id, since],
  );
  return rows.length;
}
