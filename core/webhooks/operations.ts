import { crudOperations } from '../contract/crud.ts';
import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery } from '../contract/schemas.ts';
import { delivery, deliveryStatuses, recovered, recoverInput, rotateSecretInput, webhook, webhookInput, webhookPatch, webhookWithSecret } from './schema.ts';

const one = `${businessPath}/webhooks/{record_id}`;
const common = { tag: 'webhooks', access: inBusiness('integrations.manage'), errors: usualErrors } as const;

const rotateSecret = operation({
  ...common, id: 'webhooks.rotate-secret', method: 'POST', path: `${one}/rotate-secret`, summary: 'Give a webhook a new signing secret',
  description: 'Made by the service unless one is given. For 24 hours deliveries are signed with the old secret as well.',
  body: rotateSecretInput, bodyOptional: true, precondition: 'If-Match', status: 200, answer: webhookWithSecret, example: { body: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' } },
});
const testWebhook = operation({
  ...common, id: 'webhooks.test', method: 'POST', path: `${one}/test`, summary: 'Send a webhook.test event to a webhook',
  description: 'Whatever it subscribes to. The answer is the delivery, which can be followed.', status: 202, answer: delivery,
});
const recoverDeliveries = operation({
  ...common, id: 'webhooks.recover', method: 'POST', path: `${one}/recover`, summary: 'Send failed deliveries of a webhook again',
  description: 'Those that failed, and those of the time while the service had switched the webhook off.',
  body: recoverInput, status: 202, answer: recovered, example: { body: { since: '2026-03-02T08:00:00Z' } },
});
const listDeliveries = operation({
  ...common, id: 'webhooks.deliveries.list', method: 'GET', path: `${one}/deliveries`, summary: 'List the deliveries of a webhook',
  description: 'Kept for 30 days.',
  query: { status: { type: 'string', enum: deliveryStatuses }, limit: listQuery.limit, cursor: listQuery.cursor }, status: 200, answer: listOf(delivery),
});
const redeliver = operation({
  ...common, id: 'webhooks.deliveries.redeliver', method: 'POST', path: `${one}/deliveries/{delivery_id}/redeliver`, summary: 'Send a delivery again',
  description: 'At once and with the same webhook-id, whether it had succeeded or not.', status: 202, answer: delivery,
});

export const webhookOperations = [
  ...crudOperations({
    plural: 'webhooks', singular: 'webhook', read: 'integrations.manage', write: 'integrations.manage',
    record: webhook, input: webhookInput, patch: webhookPatch, created: webhookWithSecret,
    example: { name: 'Shop', url: 'https://shop.example/hooks/milkrun', events: ['order.status_changed', 'plan.published'], active: true },
  }),
  rotateSecret, testWebhook, recoverDeliveries, listDeliveries, redeliver,
];
