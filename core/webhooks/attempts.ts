import type { Store } from '../db/store.ts';
import type { EventType } from '../events/schema.ts';
import { instant } from '../records/present.ts';
import type { Outcome } from './judge.ts';
import type { Attempt } from './schema.ts';

export interface WebhookRef {
  businessId: string;
  webhookId: string;
}

/** A delivery in hand: what to send, and the attempt that its result has to name. */
export interface Claim {
  businessId: string;
  webhookId: string;
  deliveryId: string;
  attempt: number;
  failures: number;
  /** No attempt has succeeded since one failed. */
  isFailing: boolean;
  event: { id: string; type: EventType; atMs: number; data: object; requestId: string | null };
}

/**
 * How long a delivery in hand is left alone. Well over the longest attempt; after it the worker is taken for dead and somebody else
 * sends again.
 */
const leaseSeconds = 45;

/** Takes the delivery of a webhook that has been due for longest; null when none is due, or the webhook is not to be sent anything. */
export async function claimNext(store: Store, { businessId, webhookId }: WebhookRef): Promise<Claim | null> {
  interface Row { delivery_id: string; attempt: number; failures: number; is_failing: boolean; event_id: string; type: EventType; at_ms: number; data: object; request_id: string | null }
  const [row] = await store.em.fork().execute<Row[]>(
    `with due as (
       select d.business_id, d.id, w.failing_since is not null as is_failing from webhook_deliveries d join webhooks w on w.business_id = d.business_id and w.id = d.webhook_id
       where d.business_id = ? and d.webhook_id = ? and d.status in ('pending', 'failed') and d.next_attempt_at <= now()
         and w.active and w.deleted_at is null and (w.paused_until is null or w.paused_until <= now())
       order by d.next_attempt_at, d.position limit 1 for update of d skip locked
     ), claimed as (
       update webhook_deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + make_interval(secs => ?), revision = d.revision + 1, updated_at = now()
       from due where d.business_id = due.business_id and d.id = due.id
       returning d.business_id, d.id, d.event_id, d.attempts, d.failures, due.is_failing
     )
     select claimed.id as delivery_id, claimed.attempts as attempt, claimed.failures, claimed.is_failing, e.id as event_id, e.type, (extract(epoch from e.created_at) * 1000)::float8 as at_ms, e.data, e.request_id
     from claimed join events e on e.business_id = claimed.business_id and e.id = claimed.event_id`,
    [businessId, webhookId, leaseSeconds],
  );
  if (row === undefined) return null;
  return {
    businessId, webhookId, deliveryId: row.delivery_id, attempt: row.attempt, failures: row.failures, isFailing: row.is_failing,
    event: { id: row.event_id, type: row.type, atMs: row.at_ms, data: row.data, requestId: row.request_id },
  };
}

export interface Report {
  outcome: Outcome;
  startedAt: Date;
  responseStatus: number | null;
  responseBody: string | null;
  durationMs: number;
}

const loggedMax = 25;

/** Writes down what came of an attempt, unless the delivery has been taken in hand again meanwhile. Was it written? */
export async function recordAttempt(store: Store, claim: Claim, { outcome, startedAt, responseStatus, responseBody, durationMs }: Report): Promise<boolean> {
  const isDelivered = outcome.kind === 'delivered';
  const error = isDelivered ? null : outcome.error;
  const entry: Attempt = { attempt: claim.attempt, at: instant(startedAt), response_status: responseStatus, error, duration_ms: durationMs };
  const rows = await store.em.fork().execute<unknown[]>(
    `update webhook_deliveries set status = ?, next_attempt_at = now() + make_interval(secs => ?), failures = failures + ?,
       response_status = ?, response_body = ?, error = ?, duration_ms = ?, delivered_at = case when ? then now() else delivered_at end,
       attempt_log = (case when jsonb_array_length(attempt_log) >= ? then attempt_log - 0 else attempt_log end) || ?::jsonb, revision = revision + 1, updated_at = now()
     where business_id = ? and id = ? and attempts = ? and (? or status in ('pending', 'failed')) returning id`,
    [
      statusAfter[outcome.kind], outcome.kind === 'retry' ? outcome.afterSeconds : null, isDelivered ? 0 : 1,
      responseStatus, responseBody, error, durationMs, isDelivered, loggedMax, JSON.stringify([entry]),
      claim.businessId, claim.deliveryId, claim.attempt, isDelivered,
    ],
  );
  return rows.length > 0;
}

const statusAfter = { delivered: 'delivered', retry: 'failed', gave_up: 'gave_up', switched_off: 'gave_up' } as const;

/** Gives a delivery back: it is due at once. Where sending has not even begun there was no attempt. */
export async function releaseClaim(store: Store, claim: Claim, { hasBegun }: { hasBegun: boolean }): Promise<void> {
  await store.em.fork().execute(
    `update webhook_deliveries set next_attempt_at = now(), attempts = attempts - ? where business_id = ? and id = ? and attempts = ? and status in ('pending', 'failed')`,
    [hasBegun ? 0 : 1, claim.businessId, claim.deliveryId, claim.attempt],
  );
}
