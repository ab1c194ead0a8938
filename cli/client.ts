import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import { ServiceError, timedOut, unreachable } from './failures.ts';
import { readEvents, type ServerSentEvent } from './server-sent-events.ts';

export interface ServiceRequest {
  method: string;
  /** From the root of the service, parameters filled in. */
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

export interface Client {
  readonly url: string;
  /** The parsed answer; an answer that is not a success is thrown. */
  send<T>(request: ServiceRequest): Promise<T>;
  get<T>(path: string, query?: Record<string, unknown>): Promise<T>;
  /** The answer as it came, whatever its status, without a second try. */
  fetch(request: ServiceRequest & { signal?: AbortSignal; isEndless?: boolean }): Promise<Response>;
  events(path: string, options: { lastEventId?: string; signal?: AbortSignal }): AsyncGenerator<ServerSentEvent>;
}

export interface ClientOptions {
  url: string;
  token?: string;
  timeoutMs: number;
  clock: Clock;
  /** Told when a request has to wait before it is tried again. */
  onWait?(message: string): void;
}

const triesMax = 3;
/** A service that asks for more patience than this is refused at once, and the caller decides. */
const waitSecondsMax = 30;

export function createClient({ url, token, timeoutMs, clock, onWait }: ClientOptions): Client {
  const fetchOnce: Client['fetch'] = async ({ method, path, query, body, headers, timeoutMs: ownTimeoutMs, signal, isEndless }) => {
    const limitMs = ownTimeoutMs ?? timeoutMs;
    // A stream has as long as it likes once it has begun, so that its timer is stopped then.
    const timer = new AbortController();
    const alarm = setTimeout(() => { timer.abort(new DOMException('timed out', 'TimeoutError')); }, limitMs);
    try {
      const response = await fetch(url + path + queryText(query), {
        method, redirect: 'manual', signal: signal ? AbortSignal.any([timer.signal, signal]) : timer.signal,
        headers: {
          accept: 'application/json', 'x-request-id': randomUUID(), ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (isEndless) return response;
      const bytes = await response.arrayBuffer();
      const isEmpty = [204, 205, 304].includes(response.status);
      return new Response(isEmpty ? null : bytes, { status: response.status, statusText: response.statusText, headers: response.headers });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (timer.signal.aborted) throw timedOut(url, limitMs);
      throw new ConnectionError(url, reasonOf(error));
    } finally {
      clearTimeout(alarm);
    }
  };

  const send = async <T>(asked: ServiceRequest): Promise<T> => {
    const request = asked.method === 'POST' ? { ...asked, headers: { 'idempotency-key': randomUUID(), ...asked.headers } } : asked;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await fetchOnce(request).catch((error: unknown) => error);
      const waitSeconds = attempt < triesMax ? secondsToWait(request, outcome) : null;
      if (waitSeconds === null) {
        if (outcome instanceof ConnectionError) throw unreachable(url, outcome.reason);
        if (!(outcome instanceof Response)) throw outcome;
        return (await readAnswer(outcome, url)) as T;
      }
      onWait?.(`the service is busy; trying again in ${waitSeconds} s`);
      await clock.sleep(waitSeconds * 1000);
    }
  };

  return {
    url,
    send,
    get: (path, query) => send({ method: 'GET', path, query }),
    async fetch(request) {
      try {
        return await fetchOnce(request);
      } catch (error) {
        throw error instanceof ConnectionError ? unreachable(url, error.reason) : error;
      }
    },
    async *events(path, { lastEventId, signal }) {
      const headers = { accept: 'text/event-stream', ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
      const response = await fetchOnce({ method: 'GET', path, headers, signal, isEndless: true });
      if (!response.ok) await readAnswer(response, url);
      if (response.body) yield* readEvents(response.body);
    },
  };
}

/** The connection failed: nothing is known of whether the request arrived. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly reason: string;

  constructor(url: string, reason: string) {
    super(`no answer from ${url} (${reason})`);
    this.reason = reason;
  }
}

/** How long to wait before the next try, or null when a next one makes no sense or could do the thing twice: a POST has a key that prevents it. */
function secondsToWait({ method }: ServiceRequest, outcome: unknown): number | null {
  const isRepeatable = method === 'GET' || method === 'POST';
  if (outcome instanceof ConnectionError) return isRepeatable && outcome.reason === 'ECONNRESET' ? 0.2 : null;
  if (!(outcome instanceof Response)) return null;
  // A request that was held back by the rate limit has not been carried out, whatever it is; a conflict that passes is a first try that still runs.
  const isWorthIt = outcome.status === 429 || (method === 'POST' && outcome.status === 409) || (isRepeatable && outcome.status === 503);
  const retryAfter = outcome.headers.get('retry-after');
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  return isWorthIt && seconds !== null && seconds <= waitSecondsMax ? seconds : null;
}

async function readAnswer(response: Response, url: string): Promise<unknown> {
  const text = await response.text();
  const body = parseJson(text);
  if (response.ok) {
    if (text !== '' && body === undefined) throw new ServiceError(502, `${url} answered something that is not JSON; is it a Milkrun service?`);
    return body;
  }
  throw asServiceError(response, text, body);
}

/** The error of an answer that is not a success. */
export function asServiceError(response: Response, text: string, body: unknown): ServiceError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const error = (body as { error?: { code?: unknown; message?: unknown; details?: unknown } } | null | undefined)?.error;
  if (error && typeof error.message === 'string') {
    const details = Array.isArray(error.details) ? (error.details as { path: string; message: string }[]) : [];
    return new ServiceError(response.status, error.message, { ...(typeof error.code === 'string' ? { code: error.code } : {}), details, ...(requestId ? { requestId } : {}) });
  }
  const isPlain = response.headers.get('content-type')?.startsWith('text/plain');
  const said = isPlain && text.trim() !== '' ? text.trim().split('\n')[0].slice(0, 500) : response.statusText;
  return new ServiceError(response.status, `the service answered ${response.status}${said ? `: ${said}` : ''}`, requestId ? { requestId } : {});
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function queryText(query: Record<string, unknown> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.append(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** fetch hides what happened in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string; errors?: { code?: string }[] } }).cause;
  return cause?.code ?? cause?.errors?.[0]?.code ?? cause?.message ?? (error as Error).message;
}
