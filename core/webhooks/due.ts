import type { Store } from '../db/store.ts';
import type { WebhookRef } from './attempts.ts';

/** Webhooks for which something is due. */
export async function dueWebhooks(store: Store): Promise<WebhookRef[]> {
  return store.em.fork().execute<WebhookRef[]>(
    `select w.business_id as "businessId", w.id as "webhookId" from webhooks w
     where w.active and w.deleted_at is null and (w.paused_until is null or w.paused_until <= now()) and exists (
       select 1 from webhook_deliveries d
       where d.business_id = w.business_id and d.webhook_id = w.id and d.status in ('pending', 'failed') and d.next_attempt_at <= now())`,
  );
}

const keptDays = 30;
const batchSize = 1_000;

/** Removes finished deliveries, and events without deliveries, that are older than 30 days. Were there more than go at a time? */
export async function forgetOld(store: Store): Promise<boolean> {
  const em = store.em.fork();
  const deliveries = await em.execute<unknown[]>(
    `delete from webhook_deliveries where (business_id, id) in (
       select business_id, id from webhook_deliveries where status in ('delivered', 'gave_up') and created_at < now() - make_interval(days => ?) limit ?) returning 1`,
    [keptDays, batchSize],
  );
  const events = await em.execute<unknown[]>(
    `delete from events where position in (
       select e.position from (select business_id, id, position, created_at, fanned_out_at from events order by position limit ?) e
       where e.created_at < now() - make_interval(days => ?) and e.fanned_out_at is not null
         and not exists (select 1 from webhook_deliveries d where d.business_id = e.business_id and d.event_id = e.id)) returning 1`,
    [batchSize, keptDays],
  );
  return deliveries.length === batchSize || events.length === batchSize;
}
