import { unavailableMap } from '../install-failure.ts';
import type { MapAddress } from './map-address.ts';

export type HttpAddress = Extract<MapAddress, { kind: 'http' }>;

export interface Patience {
  /** For the head of an answer. */
  answerMs: number;
  /** For the next bytes of one. */
  silenceMs: number;
  /** Between two tries: this, then twice as much, and so on. */
  retryMs: number;
}

export const usualPatience: Patience = { answerMs: 30_000, silenceMs: 60_000, retryMs: 1_000 };

/** The server can not be reached, is overloaded or breaks off: another try may go well. */
export class PassingTrouble extends Error {
  override name = 'PassingTrouble';
}

export interface GetOptions {
  headers?: Record<string, string>;
  signal: AbortSignal;
  patience: Patience;
}

const redirectsMax = 5;

/** An answer that is no redirect; its body is still to be read. Throws PassingTrouble or InstallFailure. */
export async function httpGet(address: HttpAddress, { headers = {}, signal, patience }: GetOptions): Promise<Response> {
  let url = address.url;
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    // Who knows the way to the map is nobody else's business.
    const isAtHome = new URL(url).origin === new URL(address.url).origin;
    const answer = await answerOf(url, { signal, patience, headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'milkrun', ...(isAtHome && address.authorization ? { authorization: address.authorization } : {}) } });
    if (![301, 302, 303, 307, 308].includes(answer.status)) return answer;
    await answer.body?.cancel();
    url = nextUrl(url, answer.headers.get('location'), address);
  }
  throw unavailableMap(`The map server redirects more than ${redirectsMax} times: ${address.shown}`);
}

function nextUrl(from: string, location: string | null, { shown }: HttpAddress): string {
  const next = location === null ? null : URL.parse(location, from);
  if (next === null || !['http:', 'https:'].includes(next.protocol)) throw unavailableMap(`The map server redirects to no address that can be followed: ${shown}`);
  if (new URL(from).protocol === 'https:' && next.protocol === 'http:') throw unavailableMap(`The map server redirects from https to http, which is not followed: ${shown}`);
  next.username = '';
  next.password = '';
  return next.href;
}

async function answerOf(url: string, { headers, signal, patience }: GetOptions): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience.answerMs);
  const { host } = new URL(url);
  try {
    return await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.any([signal, late.signal]) });
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted) throw new PassingTrouble(`${host} did not answer within ${patience.answerMs / 1_000} seconds`);
    throw troubleOf(error, host);
  } finally {
    clearTimeout(timer);
  }
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'there is no such host', EAI_AGAIN: 'its name could not be looked up', ECONNREFUSED: 'it refuses connections', ECONNRESET: 'it broke the connection off', ETIMEDOUT: 'it did not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer', UND_ERR_SOCKET: 'it broke the connection off', EHOSTUNREACH: 'there is no way to it', ENETUNREACH: 'there is no way to it',
};

function troubleOf(error: unknown, host: string): Error {
  const cause = ((error as Error).cause ?? error) as { code?: string; message?: string };
  const isCertificate = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(cause.code ?? '');
  const text = `the map server ${host} could not be reached: ${reasons[cause.code ?? ''] ?? cause.message ?? 'the request failed'}`;
  return isCertificate ? unavailableMap(`The certificate of the map server ${host} is not accepted (${cause.code}).`, error) : new PassingTrouble(text, { cause: error });
}

/** The chunks of a body; a server that falls silent, or breaks off, is passing trouble. */
export async function* bodyOf(answer: Response, { signal, patience }: Pick<GetOptions, 'signal' | 'patience'>): AsyncGenerator<Uint8Array> {
  if (answer.body === null) return;
  const reader = answer.body.getReader();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { promise: silence, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new PassingTrouble(`the map server sent nothing for ${patience.silenceMs / 1_000} seconds`)), patience.silenceMs);
      try {
        const { done, value } = await Promise.race([reader.read(), silence, aborted.promise]);
        if (done) return;
        yield value;
      } finally {
        clearTimeout(timer);
      }
    }
  } catch (error) {
    if (signal.aborted || error instanceof PassingTrouble) throw error;
    if ((error as Error).name !== 'TypeError') throw error;
    throw new PassingTrouble('the map server broke the download off', { cause: error });
  } finally {
    signal.removeEventListener('abort', abort);
    await reader.cancel().catch(() => {});
  }
}
