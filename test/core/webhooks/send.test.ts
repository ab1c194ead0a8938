import { readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { publicLookup, type ResolvedAddress } from '../../../core/webhooks/resolve-name.ts';
import { send, type Sending } from '../../../core/webhooks/send.ts';
import { answer, startEndpoint, type Endpoint } from '../../support/endpoint.ts';

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterEach(() => {
  endpoint.received.length = 0;
  endpoint.respond = answer(204);
});
afterAll(() => endpoint.close());

const never = new AbortController().signal;
const sending = (overrides: Partial<Sending> = {}): Promise<Awaited<ReturnType<typeof send>>> =>
  send({ url: endpoint.url, headers: { 'webhook-id': 'one' }, body: '{"name":"Żabka"}', targets: 'any', signal: never, ...overrides });

describe('a delivery', () => {
  test('is a POST of JSON with the given headers', async () => {
    expect(await sending()).toMatchObject({ kind: 'answered', status: 204, body: '', retryAfterSeconds: null });
    expect(endpoint.received).toMatchObject([{ method: 'POST', path: '/hooks', text: '{"name":"Żabka"}', headers: { 'content-type': 'application/json', 'content-length': '17', 'webhook-id': 'one' } }]);
  });

  test('keeps the first kilobyte of the answer, whole characters only, none of them zero', async () => {
    endpoint.respond = answer(500, { 'retry-after': '30' }, `\0${'ä'.repeat(2_000)}`);
    const result = await sending();
    expect(result).toMatchObject({ kind: 'answered', status: 500, retryAfterSeconds: 30, body: 'ä'.repeat(511) });
  });

  test('hangs up on an answer that does not end', async () => {
    endpoint.respond = (_received, response) => {
      response.writeHead(200);
      const pour = () => { while (!response.destroyed && response.write('x'.repeat(16_384))); };
      response.on('drain', pour);
      pour();
    };
    expect(await sending()).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(1_024) });
  });

  test('counts once the head of the answer is there', async () => {
    endpoint.respond = (_received, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await sending()).toMatchObject({ kind: 'answered', status: 200, body: 'half' });
  });

  test('does not follow redirects', async () => {
    endpoint.respond = answer(307, { location: `${endpoint.url}/elsewhere` });
    expect(await sending()).toMatchObject({ kind: 'answered', status: 307 });
    expect(endpoint.received).toHaveLength(1);
  });

  test('fails when no answer comes within the time limit', async () => {
    endpoint.respond = () => {};
    expect(await sending({ timeoutMs: 150 })).toMatchObject({ kind: 'failed', error: 'no answer within 0.15 s' });
  });

  test('fails when the connection breaks off', async () => {
    endpoint.respond = (_received, response) => void response.destroy();
    expect(await sending()).toMatchObject({ kind: 'failed', error: 'the connection was closed before the answer' });
  });

  test('fails when nobody listens', async () => {
    const gone = await startEndpoint();
    await gone.close();
    expect(await sending({ url: gone.url })).toMatchObject({ kind: 'failed', error: 'the connection was refused' });
  });

  test('fails when what answers does not speak HTTP', async () => {
    const server = createTcpServer((socket) => void socket.on('error', () => {}).resume().end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    expect(await sending({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })).toMatchObject({ kind: 'failed', error: expect.stringContaining('HTTP') });
    await new Promise((resolve) => { server.close(resolve); });
  });

  test('can be interrupted', async () => {
    const stop = new AbortController();
    endpoint.respond = () => stop.abort();
    expect(await sending({ signal: stop.signal })).toEqual({ kind: 'interrupted' });
  });

  test('trusts no certificate that nobody vouches for', async () => {
    const tls = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}.pem`, import.meta.url));
    let requests = 0;
    const server = createSecureServer({ key: tls('key'), cert: tls('certificate') }, (_request, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    expect(await sending({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` })).toMatchObject({ kind: 'failed', error: 'the request failed: DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(requests).toBe(0);
    await new Promise((resolve) => { server.close(resolve); });
  });
});

describe('with public targets', () => {
  /** A name that leads to these addresses, one list for each time it is asked for. */
  function naming(...answers: string[][]) {
    const asked: string[] = [];
    const resolve = async (host: string): Promise<ResolvedAddress[]> => (answers[asked.push(host) - 1] ?? answers.at(-1)!).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return { asked, resolve };
  }
  const port = () => new URL(endpoint.url).port;
  const toName = (resolve: Sending['resolve'], overrides: Partial<Sending> = {}) => sending({ url: `https://shop.example:${port()}/`, targets: 'public', resolve, ...overrides });
  const refused = { kind: 'failed', error: 'the name leads to an address that is not public' };

  test.each([[['127.0.0.1']], [['::1']], [['::ffff:127.0.0.1']], [['93.184.216.34', '10.0.0.1']], [['2606:4700::1111', 'fd00::1']], [['169.254.169.254']]])('a name that leads to %j is refused, and nothing is connected to', async (addresses) => {
    const { resolve, asked } = naming(addresses);
    expect(await toName(resolve)).toMatchObject(refused);
    expect(asked).toEqual(['shop.example']);
  });

  test('what the name led to when it was judged is what is connected to', async () => {
    const { resolve, asked } = naming(['93.184.216.34', '2606:4700::1111'], ['127.0.0.1']);
    const looked = await new Promise((done) => { publicLookup(resolve)('shop.example', { all: true }, (error, addresses) => done([error, addresses])); });
    expect(looked).toEqual([null, [{ address: '93.184.216.34', family: 4 }, { address: '2606:4700::1111', family: 6 }]]);
    expect(asked).toEqual(['shop.example']);
    const one = await new Promise((done) => { publicLookup(naming(['93.184.216.34']).resolve)('shop.example', {}, (error, address, family) => done([error, address, family])); });
    expect(one).toEqual([null, '93.184.216.34', 4]);
  });

  test('an address in the URL is judged without a name', async () => {
    const { resolve, asked } = naming(['93.184.216.34']);
    for (const host of ['127.0.0.1', '[::1]', '2130706433', '[::ffff:7f00:1]', 'localhost']) {
      expect(await sending({ url: `https://${host}:${port()}/`, targets: 'public', resolve })).toMatchObject({ kind: 'failed', error: 'the URL must lead to a public address' });
    }
    expect(asked).toEqual([]);
  });

  test('plain HTTP is refused also where it was stored before', async () => {
    expect(await sending({ targets: 'public' })).toMatchObject({ kind: 'failed', error: 'the URL must begin with https://' });
    expect(endpoint.received).toEqual([]);
  });

  test('a name that does not exist is a failure', async () => {
    const error = Object.assign(new Error('queryA ENOTFOUND shop.example'), { code: 'ENOTFOUND' });
    expect(await toName(async () => { throw error; })).toMatchObject({ kind: 'failed', error: 'the name of the host can not be resolved' });
  });
});
