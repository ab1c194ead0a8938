import { notFound } from '../../core/contract/errors.ts';
import { reader, transaction, type EntityManager } from '../../core/db/store.ts';
import { isUuid } from '../../core/records/ids.ts';
import type { ListQuery } from '../../core/contract/schemas.ts';
import { getRecord, listRecords } from '../../core/records/read-records.ts';
import { WebhookDelivery, type Webhook } from '../../core/webhooks/entity.ts';
import { createWebhook, rotateSecret, updateWebhook, webhookKind } from '../../core/webhooks/kind.ts';
import { presentDelivery, presentWebhook } from '../../core/webhooks/present.ts';
import type { RecoverInput, RotateSecretInput } from '../../core/webhooks/schema.ts';
import { recoverDeliveries, redeliver, testWebhook } from '../../core/webhooks/send-again.ts';
import { parseInstant } from '../../core/time/instants.ts';
import type { Call, Handler, Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';
import { created, recordHandlers } from './records.ts';

const write = <T>(call: Call, work: (em: EntityManager) => Promise<T>): Promise<T> => transaction(call.service.store, call.businessId, work);

const update: Handler = async (call) => ({
  body: presentWebhook(await write(call, (em) => updateWebhook(em, call.service.config.webhookTargets, { id: call.params.record_id, body: call.body, intent: intentOf(call) }))),
});

const withSecret = ({ webhook, secret }: { webhook: Webhook; secret: string }) => ({ ...presentWebhook(webhook), secret });

const deliveryKind = { word: 'delivery', entity: WebhookDelivery, searched: [] as const };

/** Where to see what has become of what is sent. */
const followed = (call: Call, body: object) => ({ body, headers: { Location: `/api/v1/businesses/${call.businessId}/webhooks/${encodeURIComponent(call.params.record_id)}/deliveries` } });

function deliveryId({ params }: Call): string {
  if (!isUuid(params.delivery_id)) throw notFound('delivery', params.delivery_id);
  return params.delivery_id.toLowerCase();
}

export const webhookHandlers: Handlers = {
  // Which targets are allowed matters to writing only.
  ...recordHandlers('webhooks', webhookKind('public')),
  'webhooks.create': async (call) => {
    const made = await write(call, (em) => createWebhook(em, call.businessId, call.service.config.webhookTargets, call.body));
    return created(call, 'webhooks', withSecret(made), made.webhook.id);
  },
  'webhooks.update': update,
  'webhooks.replace': update,
  'webhooks.rotate-secret': async (call) => ({
    body: withSecret(await write(call, (em) => rotateSecret(em, { id: call.params.record_id, given: (call.body as RotateSecretInput).secret, intent: intentOf(call) }))),
  }),
  'webhooks.test': async (call) => followed(call, presentDelivery(await write(call, (em) => testWebhook(em, call.params.record_id)))),
  'webhooks.recover': async (call) => {
    const since = new Date(parseInstant((call.body as RecoverInput).since)!);
    return followed(call, { recovered: await write(call, (em) => recoverDeliveries(em, call.params.record_id, since)) });
  },
  'webhooks.deliveries.list': async ({ service, businessId, params, query }) => {
    const em = reader(service.store, businessId);
    const webhook = await getRecord(em, webhookKind(service.config.webhookTargets), params.record_id);
    const filter = [{ webhookId: webhook.id }, ...(query.status ? [{ status: query.status }] : [])];
    const { records, nextCursor } = await listRecords<WebhookDelivery>(em, deliveryKind, businessId, { ...(query as ListQuery), of: webhook.id }, filter);
    return { body: { items: records.map(presentDelivery), next_cursor: nextCursor } };
  },
  'webhooks.deliveries.redeliver': async (call) => followed(call, presentDelivery(await write(call, (em) => redeliver(em, call.params.record_id, deliveryId(call))))),
};
