import { createHmac } from 'node:crypto';
import { keyOf } from './secrets.ts';

interface Message {
  id: string;
  /** Of this attempt. */
  timestampSeconds: number;
  body: string;
}

/** The headers of Standard Webhooks; one signature for each secret. */
export function signedHeaders({ id, timestampSeconds, body }: Message, secrets: readonly string[]): Record<string, string> {
  const signed = `${id}.${timestampSeconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)!).update(signed).digest('base64')}`).join(' '),
  };
}
