import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createClient, type ClientOptions } from '../../cli/client.ts';
import { CommandFailure, ServiceError } from '../../cli/failures.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise<void>((resolve) => { server.close(() => { resolve(); }); });
  }
});

/** A client of a server that does what it is told, and the waits that the client asked for. */
async function clientOf(listener: RequestListener, options: Partial<ClientOptions> = {}) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const waits: number[] = [];
  const clock = { nowMs: () => 0, sleep: async (milliseconds: number) => { waits.push(milliseconds); } };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ url, timeoutMs: 10_000, clock, ...options }), seen, waits, url };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener => (_request, response) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const failureOf = (promise: Promise<unknown>): Promise<any> => promise.then(() => { throw new Error('it should have failed'); }, (error: unknown) => error);

describe('a request', () => {
  test('carries the token, an id of its own and JSON', async () => {
    const { client, seen } = await clientOf(json(200, { ok: true }), { token: 'ms_1' });
    expect(await client.send({ method: 'POST', path: '/a', query: { b: 'c d', absent: undefined }, body: { e: 1 } })).toEqual({ ok: true });
    await client.get('/a');
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/a?b=c+d', headers: { authorization: 'Bearer ms_1', 'content-type': 'application/json', accept: 'application/json' } });
    expect(seen[0].headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen[1].headers['x-request-id']).not.toBe(seen[0].headers['x-request-id']);
    expect(seen[1].headers['content-type']).toBeUndefined();
  });

  test('an answer without a body is nothing', async () => {
    const { client } = await clientOf((_request, response) => { response.writeHead(204).end(); });
    expect(await client.send({ method: 'DELETE', path: '/a' })).toBeUndefined();
  });
});

describe('a refusal', () => {
  test('is thrown in the words of the service, with code, details and request id', async () => {
    const details = [{ path: '/name', message: 'is required' }];
    const { client } = await clientOf(json(422, { error: { code: 'validation', message: '/name is required', details } }, { 'x-request-id': 'r-1' }));
    const error = await failureOf(client.get('/a'));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 422, code: 'validation', message: '/name is required', details, requestId: 'r-1' });
  });

  test('in plain text is told too; a page of HTML is not', async () => {
    const plain = await clientOf((_request, response) => { response.writeHead(413, { 'content-type': 'text/plain' }).end('too large\nreally'); });
    expect(await failureOf(plain.client.get('/a'))).toMatchObject({ status: 413, message: 'the service answered 413: too large' });
    const html = await clientOf((_request, response) => { response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'); });
    expect(await failureOf(html.client.get('/a'))).toMatchObject({ status: 502, message: 'the service answered 502: Bad Gateway' });
  });

  test('success that is not JSON is another kind of server', async () => {
    const { client } = await clientOf((_request, response) => { response.end('<html>'); });
    expect((await failureOf(client.get('/a'))).message).toContain('is it a Milkrun service?');
  });

  test('a redirection is not followed with the token', async () => {
    const { client, seen } = await clientOf((_request, response) => { response.writeHead(302, { location: '/b' }).end(); }, { token: 'ms_1' });
    expect(await failureOf(client.get('/a'))).toMatchObject({ status: 302 });
    expect(seen).toHaveLength(1);
  });
});

describe('without an answer', () => {
  test('a service that is not there is told with how to start it', async () => {
    const { client, url } = await clientOf(json(200, {}));
    await new Promise((resolve) => { servers.splice(0)[0].close(resolve); });
    const error = await failureOf(client.get('/a'));
    expect(error).toBeInstanceOf(CommandFailure);
    expect(error).toMatchObject({ exitCode: 8, message: `no answer from ${url} (ECONNREFUSED)` });
    expect(error.hint).toContain('milkrun up');
  });

  test('silence ends after the timeout, before headers and within the body', async () => {
    const silent = await clientOf(() => {}, { timeoutMs: 50 });
    expect(await failureOf(silent.client.get('/a'))).toMatchObject({ exitCode: 8, message: `${silent.url} did not answer within 0.05 s` });
    const half = await clientOf((_request, response) => { response.writeHead(200).write('{'); }, { timeoutMs: 50 });
    expect(await failureOf(half.client.get('/a'))).toMatchObject({ exitCode: 8 });
  });

  test('a lost connection is tried again for a read, and for a POST under the same key; other writes could do the thing twice', async () => {
    let calls = 0;
    const lostOnce: RequestListener = (request, response) => {
      calls += 1;
      if (calls === 1) request.socket.resetAndDestroy();
      else json(200, { calls })(request, response);
    };
    const reading = await clientOf(lostOnce);
    expect(await reading.client.get('/a')).toEqual({ calls: 2 });
    expect(reading.seen[0].headers['idempotency-key']).toBeUndefined();
    calls = 0;
    const posting = await clientOf(lostOnce);
    expect(await posting.client.send({ method: 'POST', path: '/a', body: {} })).toEqual({ calls: 2 });
    expect(posting.seen[0].headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(posting.seen[1].headers['idempotency-key']).toBe(posting.seen[0].headers['idempotency-key']);
    calls = 0;
    const deleting = await clientOf(lostOnce);
    expect(await failureOf(deleting.client.send({ method: 'DELETE', path: '/a' }))).toMatchObject({ exitCode: 8 });
    expect(deleting.seen).toHaveLength(1);
  });
});

describe('a busy service', () => {
  const busyOnce = (status: number, retryAfter: string): RequestListener => {
    let calls = 0;
    return (request, response) => {
      calls += 1;
      if (calls === 1) json(status, { error: { code: 'rate_limited', message: 'slowly' } }, { 'retry-after': retryAfter })(request, response);
      else json(200, { calls })(request, response);
    };
  };

  test('a request held back by the rate limit is sent again, a write too', async () => {
    const notes: string[] = [];
    const { client, waits } = await clientOf(busyOnce(429, '2'), { onWait: (note) => { notes.push(note); } });
    expect(await client.send({ method: 'POST', path: '/a', body: {} })).toEqual({ calls: 2 });
    expect(waits).toEqual([2000]);
    expect(notes).toEqual(['the service is busy; trying again in 2 s']);
  });

  test('what met 503 is sent again where it can do nothing twice', async () => {
    const write = await clientOf(busyOnce(503, '1'));
    expect(await failureOf(write.client.send({ method: 'PATCH', path: '/a', body: {} }))).toMatchObject({ status: 503 });
    const post = await clientOf(busyOnce(503, '1'));
    expect(await post.client.send({ method: 'POST', path: '/a', body: {} })).toEqual({ calls: 2 });
    const read = await clientOf(busyOnce(503, '1'));
    expect(await read.client.get('/a')).toEqual({ calls: 2 });
  });

  test('a second try that finds the first one still running waits for its answer; a conflict of another kind is told', async () => {
    const running = await clientOf(busyOnce(409, '1'));
    expect(await running.client.send({ method: 'POST', path: '/a', body: {} })).toEqual({ calls: 2 });
    const conflict = await clientOf(json(409, { error: { code: 'conflict', message: 'stale' } }));
    expect(await failureOf(conflict.client.send({ method: 'POST', path: '/a', body: {} }))).toMatchObject({ status: 409 });
    expect(conflict.seen).toHaveLength(1);
  });

  test('one that asks for an hour, or for ever, is left', async () => {
    const hour = await clientOf(busyOnce(429, '3600'));
    expect(await failureOf(hour.client.get('/a'))).toMatchObject({ status: 429 });
    const ever = await clientOf(json(429, { error: { code: 'rate_limited', message: 'slowly' } }, { 'retry-after': '1' }));
    expect(await failureOf(ever.client.get('/a'))).toMatchObject({ status: 429 });
    expect(ever.seen).toHaveLength(3);
  });
});
