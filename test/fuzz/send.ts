import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { Reply, Shot } from './shot.ts';

/** Keeps connections open between requests, as clients do. */
export interface Sender {
  send(shot: Shot): Promise<Reply>;
  close(): void;
}

const answerMsMax = 60_000;
const streamMsMax = 4_000;

export function senderTo(url: string): Sender {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  return {
    async send(shot) {
      if (shot.raw) return sendRaw({ hostname, port: Number(port) }, shot.raw);
      const reply = await sendRequest({ hostname, port, agent }, shot);
      // A connection that was kept may be closed for being idle just when it is used again.
      return reply.status === 0 && reply.wasKept ? sendRequest({ hostname, port, agent: false }, shot) : reply;
    },
    close: () => agent.destroy(),
  };
}

function sendRequest(to: { hostname: string; port: string; agent: Agent | false }, { method, path, headers, body, isChunked }: Shot): Promise<Reply & { wasKept?: boolean }> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const lost = (failure: string): void => resolve({ status: 0, headers: {}, body: Buffer.alloc(0), failure, ms: performance.now() - startedMs, wasKept: sent.reusedSocket });
    const length: Record<string, string> = body === null ? {} : isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body.length) };
    const sent = request({ ...to, method, path, headers: { ...headers, ...length }, signal: AbortSignal.timeout(answerMsMax) }, (response) => {
      const chunks: Buffer[] = [];
      const reply = (failure?: string): void => resolve({ status: response.statusCode!, headers: flat(response.headers), body: Buffer.concat(chunks), ms: performance.now() - startedMs, ...(failure ? { failure } : {}) });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      // A stream goes on as long as the job does; whoever follows it may leave.
      if (response.headers['content-type']?.startsWith('text/event-stream')) setTimeout(() => response.complete || (reply(), response.destroy()), streamMsMax).unref();
      response.on('end', () => reply());
      response.on('error', (error) => reply(`the answer ${response.statusCode} broke off: ${error.message}`));
    });
    // A refusal may come, and the connection go, while the body is still on its way; then there is an answer as well.
    sent.on('error', (error) => setImmediate(lost, `no answer: ${error.message}`));
    if (body !== null && isChunked) for (let at = 0; at < body.length; at += chunkBytes) sent.write(body.subarray(at, at + chunkBytes));
    sent.end(body !== null && !isChunked ? body : undefined);
  });
}

const chunkBytes = 16_000;

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Bytes on a connection of their own. What comes back is read as far as it is an answer of HTTP. */
function sendRaw({ hostname, port }: { hostname: string; port: number }, bytes: Buffer): Promise<Reply> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, hostname, () => socket.write(bytes));
    const end = (): void => {
      socket.destroy();
      resolve({ ...read(Buffer.concat(chunks)), ms: performance.now() - startedMs });
    };
    // Half a request is waited for in vain; nobody who sends one expects an answer.
    socket.setTimeout(rawMsMax, end).on('data', (chunk) => chunks.push(chunk as Buffer)).on('error', end).on('end', end);
  });
}

const rawMsMax = 1_000;

/** The first answer that is no `100 Continue`. */
function read(bytes: Buffer): Omit<Reply, 'ms'> {
  const text = bytes.toString('latin1').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: {}, body: bytes };
  const [first, ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  const rest = text.slice(end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? joined(rest) : rest.slice(0, Number(headers['content-length'] ?? rest.length));
  return { status: Number(first.split(' ')[1]), headers, body: Buffer.from(body, 'latin1') };
}

/** A body in chunks, each behind its length. */
function joined(chunked: string): string {
  const [, length = '0'] = /^([\da-f]+)\r\n/i.exec(chunked) ?? [];
  const [start, size] = [length.length + 2, Number.parseInt(length, 16)];
  return size === 0 ? '' : chunked.slice(start, start + size) + joined(chunked.slice(start + size + 2));
}
