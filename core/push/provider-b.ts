import type { KeyObject } from 'node:crypto';
import { answerMs, retryAfterSeconds, type PushMessage, type PushOutcome, type PushSender } from './outcome.ts';
import { webToken } from './web-token.ts';

export interface ProviderBOptions {
  url: string;
  projectId: string;
  clientEmail: string;
  key: KeyObject;
  /** Where access tokens come from. */
  tokenUrl: string;
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
/** A token is renewed so long before its end. */
const marginMs = 5 * 60_000;

/** No access token, for a reason that may pass or not. */
class NoAccess extends Error {
  readonly outcome: PushOutcome;
  constructor(outcome: PushOutcome) {
    super('no access token');
    this.outcome = outcome;
  }
}

/** The cross-platform service: FCM v1 over HTTP, with an access token of a service account (RFC 7523). */
export function openProviderB({ url, projectId, clientEmail, key, tokenUrl }: ProviderBOptions): PushSender {
  let access: Promise<{ token: string; endsMs: number }> | null = null;

  async function fetchAccess(): Promise<{ token: string; endsMs: number }> {
    const now = Math.floor(Date.now() / 1_000);
    const assertion = webToken(key, {}, { iss: clientEmail, scope, aud: tokenUrl, iat: now, exp: now + 3_600 });
    const response = await fetch(tokenUrl, {
      method: 'POST', body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }), redirect: 'error', signal: AbortSignal.timeout(answerMs),
    });
    const body = (await response.json().catch(() => ({}))) as { access_token?: string; expires_in?: number; error?: unknown };
    if (response.ok && body.access_token) return { token: body.access_token, endsMs: Date.now() + (body.expires_in ?? 3_600) * 1_000 };
    const reason = `no access token: ${response.status} ${typeof body.error === 'string' ? body.error : ''}`.trim();
    throw new NoAccess(response.status === 429 || response.status >= 500 ? { kind: 'retry', reason } : { kind: 'failed', reason });
  }

  /** Everybody who needs a token at the same time waits for the same one. */
  async function accessToken(): Promise<string> {
    if (access !== null && (await access.catch(() => ({ endsMs: 0 }))).endsMs - marginMs < Date.now()) access = null;
    access ??= fetchAccess();
    return (await access).token;
  }

  async function post(deviceToken: string, message: PushMessage, signal: AbortSignal): Promise<Response> {
    return fetch(`${url}/v1/projects/${encodeURIComponent(projectId)}/messages:send`, {
      method: 'POST', redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
      headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        message: {
          token: deviceToken,
          notification: { title: message.title, body: message.body },
          data: message.data,
          android: { collapse_key: message.collapseKey, priority: 'HIGH', ttl: `${Math.max(0, Math.floor((message.expiresAt.getTime() - Date.now()) / 1_000))}s` },
        },
      }),
    });
  }

  return {
    async send(deviceToken, message, signal) {
      try {
        const response = await post(deviceToken, message, signal);
        if (response.status !== 401) return await judge(response);
        // The token has been withdrawn before its end; one new try.
        await response.body?.cancel();
        access = null;
        return await judge(await post(deviceToken, message, signal));
      } catch (error) {
        if (error instanceof NoAccess) return error.outcome;
        const { message: words, cause } = error as Error;
        return { kind: 'retry', reason: `no answer: ${words}${cause instanceof Error ? ` (${cause.message})` : ''}` };
      }
    },
    close: async () => {},
  };
}

/**
 * What the service itself says about the device: a 404 without it may mean a wrong project, and a 400 without it a wrong message. A
 * token of another sender will never be ours.
 */
const deviceCodes = ['UNREGISTERED', 'INVALID_ARGUMENT', 'SENDER_ID_MISMATCH'];

async function judge(response: Response): Promise<PushOutcome> {
  if (response.ok) {
    await response.body?.cancel();
    return { kind: 'sent' };
  }
  const { error } = (await response.json().catch(() => ({}))) as { error?: { status?: string; details?: { errorCode?: string }[] } };
  const code = error?.details?.find((detail) => detail.errorCode)?.errorCode;
  const reason = `${response.status} ${code ?? error?.status ?? ''}`.trim();
  if (code !== undefined && deviceCodes.includes(code)) return { kind: 'gone', reason };
  if (response.status === 429 || response.status >= 500) {
    const afterSeconds = retryAfterSeconds(response.headers.get('retry-after'));
    return { kind: 'retry', reason, ...(afterSeconds === undefined ? {} : { afterSeconds }) };
  }
  return { kind: 'failed', reason };
}
