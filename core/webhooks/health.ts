import { rowLock, transaction, type Store } from '../db/store.ts';
import { notify } from '../notifications/notify.ts';
import type { WebhookRef } from './attempts.ts';
import { Webhook } from './entity.ts';
import { giveUpOpen } from './give-up.ts';

/** Failures that lie further apart than this are not one time of failures: the longest wait of the schedule and some. */
const streakHours = 48;

/** Since when the webhook has failed without a success; null while it is well. */
export async function failingSinceMs(store: Store, { businessId, webhookId }: WebhookRef): Promise<number | null> {
  const [row] = await store.em.fork().execute<{ since_ms: number | null }[]>(
    `select (extract(epoch from failing_since) * 1000)::float8 as since_ms from webhooks
     where business_id = ? and id = ? and last_failure_at > now() - make_interval(hours => ?)`,
    [businessId, webhookId, streakHours],
  );
  return row?.since_ms ?? null;
}

/** An attempt has succeeded. A webhook that was well is not written to. */
export async function noteSuccess(store: Store, { businessId, webhookId }: WebhookRef): Promise<void> {
  await store.em.fork().execute('update webhooks set failing_since = null, last_failure_at = null, paused_until = null where business_id = ? and id = ? and failing_since is not null', [businessId, webhookId]);
}

/** An attempt has failed; where the endpoint asks for a pause nothing is sent until it is over. Not an edit: the revision stays. */
export async function noteFailure(store: Store, { businessId, webhookId }: WebhookRef, pauseSeconds: number): Promise<void> {
  await store.em.fork().execute(
    `update webhooks set failing_since = case when last_failure_at > now() - make_interval(hours => ?) then coalesce(failing_since, now()) else now() end,
       last_failure_at = now(), paused_until = case when ? > 0 then now() + make_interval(secs => ?) else paused_until end
     where business_id = ? and id = ?`,
    [streakHours, pauseSeconds, pauseSeconds, businessId, webhookId],
  );
}

/** Switches a webhook off, unless somebody has been faster, and says so in the notifications. */
export async function switchOff(store: Store, { businessId, webhookId }: WebhookRef, reason: string): Promise<void> {
  await transaction(store, businessId, async (em) => {
    const webhook = await em.findOne(Webhook, { id: webhookId, active: true, deletedAt: null }, { lockMode: rowLock.write });
    if (webhook === null) return;
    Object.assign(webhook, { active: false, disabledReason: reason });
    await em.flush();
    await giveUpOpen(em, webhook, 'the webhook was switched off');
    notify(em, businessId, { kind: 'webhook_disabled', message: `The webhook ${JSON.stringify(webhook.name)} has been switched off: ${reason}`, data: { webhook_id: webhook.id } });
  });
}
