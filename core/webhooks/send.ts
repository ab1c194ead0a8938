import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { publicLookup, resolveByDns, type Resolve } from './resolve-name.ts';
import { parseRetryAfter } from './schedule.ts';
import { targetProblem, type Targets } from './target-rules.ts';

/** What came of sending; never an exception. */
export type Result =
  | { kind: 'answered'; status: number; body: string; retryAfterSeconds: number | null; durationMs: number }
  | { kind: 'failed'; error: string; durationMs: number }
  /** The worker stops: whether it has arrived is not known. */
  | { kind: 'interrupted' };

export interface Sending {
  url: string;
  headers: Record<string, string>;
  body: string;
  targets: Targets;
  signal: AbortSignal;
  /** For tests. */
  resolve?: Resolve;
  timeoutMs?: number;
}

const timeoutMsDefault = 15_000;
const keptBytes = 1_024;
/** An endpoint that answers more is hung up on. */
const readBytesMax = 64 * 1_024;

/**
 * Posts to a webhook's destination. From the look-up to the end of the answer it takes no longer than the time limit; redirects are
 * answers like others. A connection serves one delivery, so that no delivery fails because an idle connection was closed.
 */
export async function send({ url: text, headers, body, targets, signal, resolve = resolveByDns, timeoutMs = timeoutMsDefault }: Sending): Promise<Result> {
  const startedMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startedMs);
  const problem = targetProblem(text, targets);
  if (problem !== null) return { kind: 'failed', error: `the URL ${problem}`, durationMs: 0 };
  const url = new URL(text);
  const deadline = AbortSignal.timeout(timeoutMs);
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    method: 'POST', agent: false, rejectUnauthorized: true, maxHeaderSize: 16_384,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'user-agent': 'Milkrun-Webhooks/1' },
    signal: AbortSignal.any([signal, deadline]),
    ...(targets === 'public' ? { lookup: publicLookup(resolve) } : {}),
  };
  let request: ClientRequest | undefined;
  try {
    request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
    request.end(body);
    const response = await answerOf(request);
    const kept = await firstBytes(response);
    return {
      kind: 'answered', status: response.statusCode!, body: textOf(kept), durationMs: durationMs(),
      retryAfterSeconds: parseRetryAfter(response.headers['retry-after'], Date.now()),
    };
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted' };
    return { kind: 'failed', error: deadline.aborted ? `no answer within ${timeoutMs / 1_000} s` : messageOf(error as NodeJS.ErrnoException), durationMs: durationMs() };
  } finally {
    request?.destroy();
  }
}

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Stays on after the answer: what goes wrong with the connection then must not end the process.
    request.on('error', reject);
    request.on('response', resolve);
  });
}

/** The answer counts once its head is there; a body that breaks off or does not end changes nothing. */
async function firstBytes(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (size < keptBytes) chunks.push(chunk);
      size += chunk.length;
      if (size >= readBytesMax) break;
    }
  } catch {
    // As far as it came.
  }
  return Buffer.concat(chunks).subarray(0, keptBytes);
}

/** The database takes no zero characters. A character that the limit has cut is left out. */
const textOf = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '');

const words: Record<string, string> = {
  ENOTFOUND: 'the name of the host can not be resolved', ENODATA: 'the name of the host can not be resolved', ESERVFAIL: 'the name of the host can not be resolved', ETIMEOUT: 'the name of the host can not be resolved in time', EAI_AGAIN: 'the name of the host can not be resolved',
  ECONNREFUSED: 'the connection was refused', ECONNRESET: 'the connection was closed before the answer', ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'the host can not be reached', ENETUNREACH: 'the network of the host can not be reached', EPROTO: 'TLS failed', HPE_INVALID_CONSTANT: 'the answer is not HTTP',
};

/** Codes of TLS say what is wrong with a certificate; other messages may name addresses that are none of the owner's business. */
function messageOf(error: NodeJS.ErrnoException): string {
  if (error.name === 'RefusedTarget') return error.message;
  const code = error.code ?? (error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[])[0]?.code : undefined) ?? '';
  return words[code] ?? (code === '' ? 'the request failed' : `the request failed: ${code}`);
}
