import type { EntityManager } from '../db/store.ts';
import { pick } from '../records/fields.ts';
import type { Body, Intent, RecordKind } from '../records/kind.ts';
import { createRecord, lockRecord, updateRecord } from '../records/write-records.ts';
import { Webhook } from './entity.ts';
import { giveUpOpen } from './give-up.ts';
import { presentWebhook } from './present.ts';
import { replaceSecret, secretFrom, storeSecret } from './secrets.ts';
import { targetProblem, type Targets } from './target-rules.ts';

const healthy = { failingSince: null, lastFailureAt: null, pausedUntil: null } as const;

export const webhookKind = (targets: Targets): RecordKind<Webhook> => ({
  word: 'webhook',
  entity: Webhook,
  searched: ['name', 'url'],
  columns: (body) => pick(body, { name: 'name', url: 'url', events: 'events', active: 'active' }),
  present: presentWebhook,
  problems(_em, webhook, before) {
    // What failed was another address, or another time.
    if (before && (before.url !== webhook.url || (webhook.active && !before.active))) Object.assign(webhook, healthy);
    if (webhook.active) webhook.disabledReason = null;
    const problem = before?.url === webhook.url ? null : targetProblem(webhook.url, targets);
    return problem === null ? [] : [{ path: '/url', message: problem }];
  },
  async afterWrite(em, webhook) {
    if (!webhook.active) await giveUpOpen(em, webhook, 'the webhook was switched off');
    if (webhook.deletedAt) await giveUpOpen(em, webhook, 'the webhook was deleted');
  },
});

/** The secret is shown with this answer only. */
export async function createWebhook(em: EntityManager, businessId: string, targets: Targets, body: Body): Promise<{ webhook: Webhook; secret: string }> {
  const secret = secretFrom(body.secret as string | undefined);
  const kind = webhookKind(targets);
  const webhook = await createRecord(em, businessId, { ...kind, columns: (fields) => ({ active: true, secretRotatedAt: new Date(), ...kind.columns(fields) }) }, body);
  await storeSecret(em, webhook, secret);
  return { webhook, secret };
}

/** A secret in an update replaces the present one as a rotation does. */
export async function updateWebhook(em: EntityManager, targets: Targets, { id, body, intent }: { id: string; body: Body; intent: Intent }): Promise<Webhook> {
  const kind = webhookKind(targets);
  const secret = body.secret === undefined ? null : secretFrom(body.secret as string);
  const columns = (fields: Body) => ({ ...kind.columns(fields), ...(secret === null ? {} : { secretRotatedAt: new Date() }) });
  const webhook = await updateRecord(em, { ...kind, columns }, id, body, intent);
  if (secret !== null) await replaceSecret(em, webhook, secret);
  return webhook;
}

export async function rotateSecret(em: EntityManager, { id, given, intent }: { id: string; given: string | undefined; intent: Intent }): Promise<{ webhook: Webhook; secret: string }> {
  const webhook = await lockRecord<Webhook>(em, { word: 'webhook', entity: Webhook }, id, { ifMatch: intent.ifMatch });
  const secret = secretFrom(given);
  await replaceSecret(em, webhook, secret);
  webhook.secretRotatedAt = new Date();
  await em.flush();
  return { webhook, secret };
}
