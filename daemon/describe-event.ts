import type { JsonSchema } from '../core/contract/operation.ts';
import type { EventType } from '../core/events/schema.ts';
import { eventMessage } from '../core/webhooks/schema.ts';

const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } });

/** What a webhook's endpoint is sent about one type of event, and what its answers mean. */
export function describeEvent(type: EventType, component: (schema: JsonSchema) => object): object {
  return {
    operationId: `events.${type}`,
    summary: `${type} has happened`,
    description: 'Sent to each active webhook that subscribes to it, at least once and not always in order. An answer within 15 seconds counts; redirects are not followed.',
    tags: ['webhooks'],
    security: [],
    parameters: [
      header('webhook-id', 'The id of the event: the same for every attempt.'),
      header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
      header('webhook-signature', 'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with the secret; several, separated by spaces, while an old secret still signs.'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: component(eventMessage(type)) } } },
    responses: {
      '2XX': { description: 'It has arrived.' },
      410: { description: 'The webhook is switched off.' },
      default: { description: 'It is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, later where Retry-After asks for it. After five days without a success the webhook is switched off.' },
    },
  };
}
