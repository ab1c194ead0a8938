import type { KeyObject } from 'node:crypto';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { answerMs, retryAfterSeconds, type PushMessage, type PushOutcome, type PushSender } from './outcome.ts';
import { webToken } from './web-token.ts';

export interface ProviderAOptions {
  url: string;
  key: KeyObject;
  keyId: string;
  teamId: string;
  /** The app's bundle id. */
  topic: string;
}

/** A token is good for an hour, and the service refuses those who make new ones more often than every 20 minutes. */
const tokenLifeMs = 40 * 60_000;

interface Answer {
  status: number;
  reason: string;
  /** Since when the device is gone, in milliseconds. */
  timestamp?: number;
  retryAfter?: string;
}

/** The iOS platform service: HTTP/2 with a signed token (Apple's documentation "Sending notification requests to APNs"). */
export function openProviderA({ url, key, keyId, teamId, topic }: ProviderAOptions): PushSender {
  let session: ClientHttp2Session | null = null;
  let token: { text: string; madeMs: number } | null = null;

  /** One connection for all messages; a new one once the service has closed it. */
  function currentSession(): ClientHttp2Session {
    if (session && !session.closed && !session.destroyed) return session;
    const opened = connect(url);
    const forget = () => {
      if (session === opened) session = null;
    };
    // Requests under way are told by their own streams.
    opened.on('error', forget).on('close', forget).on('goaway', () => {
      forget();
      opened.close();
    });
    session = opened;
    return opened;
  }

  function currentToken(): string {
    if (token === null || Date.now() - token.madeMs > tokenLifeMs) {
      token = { text: webToken(key, { kid: keyId }, { iss: teamId, iat: Math.floor(Date.now() / 1_000) }), madeMs: Date.now() };
    }
    return token.text;
  }

  const post = (deviceToken: string, message: PushMessage, signal: AbortSignal): Promise<Answer> => request(currentSession(), {
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: `/3/device/${deviceToken}`,
    authorization: `bearer ${currentToken()}`,
    'content-type': 'application/json',
    'apns-id': message.id,
    'apns-topic': topic,
    'apns-push-type': 'alert',
    'apns-priority': '10',
    'apns-expiration': String(Math.floor(message.expiresAt.getTime() / 1_000)),
    'apns-collapse-id': message.collapseKey,
  }, JSON.stringify({ ...message.data, aps: { alert: { title: message.title, body: message.body }, sound: 'default', 'content-available': 1 } }), signal);

  return {
    async send(deviceToken, message, signal) {
      try {
        const answer = await post(deviceToken, message, signal);
        if (answer.reason !== 'ExpiredProviderToken') return judge(answer);
        token = null;
        return judge(await post(deviceToken, message, signal));
      } catch (error) {
        return { kind: 'retry', reason: `no answer: ${(error as Error).message}` };
      }
    },
    async close() {
      const open = session;
      session = null;
      if (open === null || open.destroyed) return;
      await new Promise<void>((resolve) => open.close(resolve));
    },
  };
}

function request(session: ClientHttp2Session, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stream = session.request(headers, { signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]) });
  let status = 0;
  let retryAfter: string | undefined;
  let text = '';
  stream.setEncoding('utf8');
  stream.on('response', (answer) => {
    status = Number(answer[constants.HTTP2_HEADER_STATUS]);
    retryAfter = answer['retry-after'] as string | undefined;
  });
  stream.on('data', (chunk: string) => void (text += chunk));
  stream.on('error', reject);
  // A connection that breaks off ends the stream without an answer.
  stream.on('close', () => (status === 0 ? reject(new Error('the connection was closed')) : resolve({ status, ...(retryAfter ? { retryAfter } : {}), ...explanation(text) })));
  stream.end(body);
  return promise;
}

function explanation(text: string): { reason: string; timestamp?: number } {
  try {
    const { reason, timestamp } = JSON.parse(text) as { reason?: unknown; timestamp?: unknown };
    return { reason: String(reason ?? ''), ...(typeof timestamp === 'number' ? { timestamp } : {}) };
  } catch {
    return { reason: '' };
  }
}

/** Refusals that are about the device and not about us. */
const deviceReasons = ['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered', 'ExpiredToken'];

function judge({ status, reason, timestamp, retryAfter }: Answer): PushOutcome {
  const told = `${status} ${reason}`.trim();
  if (status === 200) return { kind: 'sent' };
  if (status === 410 || deviceReasons.includes(reason)) return { kind: 'gone', reason: told, ...(timestamp === undefined ? {} : { at: new Date(timestamp) }) };
  if (status === 429 || status >= 500) {
    const afterSeconds = retryAfterSeconds(retryAfter);
    return { kind: 'retry', reason: told, ...(afterSeconds === undefined ? {} : { afterSeconds }) };
  }
  return { kind: 'failed', reason: told };
}
