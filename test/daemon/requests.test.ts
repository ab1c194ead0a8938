import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bodyLimits } from '../../core/contract/operation.ts';
import { createBusiness, type TestBusiness } from '../support/business.ts';
import { graph, order, orderFields, pathsOf, scenario, warehouse } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  business = await createBusiness(service);
});
afterAll(() => service.close());

const send = (path: string, init: RequestInit & { duplex?: 'half' } = {}) =>
  fetch(service.url + path, { method: 'POST', ...init, headers: { authorization: `Bearer ${business.admin.token}`, 'content-type': 'application/json', ...init.headers } });

describe('bodies', () => {
  const orders = () => `${business.path}/orders`;
  /** An order whose text has exactly so many bytes. */
  const padded = (bytes: number): string => {
    const text = JSON.stringify(orderFields);
    return text.slice(0, -1) + ' '.repeat(bytes - text.length) + text.slice(-1);
  };

  test('one of a mebibyte is taken, and one byte more is not', async () => {
    expect((await send(orders(), { body: padded(bodyLimits.ordinary) })).status).toBe(201);
    const reply = await send(orders(), { body: padded(bodyLimits.ordinary + 1) });
    expect([reply.status, await reply.json()]).toEqual([413, { error: { code: 'validation', message: 'the body is larger than 1048576 bytes' } }]);
  });

  test('nor is one whose size is not told', async () => {
    const chunks = () => new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 3 * bodyLimits.ordinary; sent += 65_536) controller.enqueue(new Uint8Array(65_536).fill(32));
        controller.close();
      },
    });
    const replies = await Promise.allSettled([send(orders(), { body: chunks(), duplex: 'half' })]);
    // The connection is closed under a client that goes on sending; one that looks at the answer sees 413.
    if (replies[0].status === 'fulfilled') expect(replies[0].value.status).toBe(413);
    const small = new ReadableStream({ start: (controller) => { controller.enqueue(new TextEncoder().encode(JSON.stringify(orderFields))); controller.close(); } });
    expect((await send(orders(), { body: small, duplex: 'half' })).status).toBe(201);
  });

  test('batches and scenarios may be bigger', async () => {
    const items = [{ ...orderFields }];
    expect((await send(`${orders()}/batch`, { body: JSON.stringify({ items }) + ' '.repeat(2 * bodyLimits.ordinary) })).status).toBe(201);
    expect((await send(`${business.path}/scenarios`, { body: JSON.stringify({ name: 'Padded', ...graph }) + ' '.repeat(2 * bodyLimits.ordinary) })).status).toBe(201);
  });

  test('settings say 413 and 415 as well', async () => {
    const path = `${business.path}/settings`;
    expect((await send(path, { method: 'PUT', body: ' '.repeat(bodyLimits.ordinary + 1) })).status).toBe(413);
    expect((await send(path, { method: 'PUT', body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status).toBe(415);
    expect((await send(path, { method: 'PUT', body: '{"name":' })).status).toBe(400);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/merge-patch+json', ' application/json '])('%j is JSON', async (type) => {
    expect((await send(orders(), { body: JSON.stringify(orderFields), headers: { 'content-type': type } })).status).toBe(201);
  });

  test('what is not UTF-8 is no JSON', async () => {
    const reply = await send(`${business.path}/warehouses`, { body: Buffer.from('{"name":"caf\xe9"}', 'latin1') });
    expect([reply.status, await reply.json()]).toEqual([400, { error: { code: 'validation', message: 'the body is not UTF-8' } }]);
  });

  test('an empty body is none', async () => {
    for (const body of ['', undefined]) {
      const reply = await send(orders(), { body });
      expect([reply.status, ((await reply.json()) as any).error.message]).toEqual([422, 'the body is missing']);
    }
  });

  test('a client that goes away in the middle of its body harms nobody', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${orders()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${business.admin.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    socket.destroy();
    expect((await send(orders(), { body: JSON.stringify(orderFields) })).status).toBe(201);
  });

  test('texts that can not be stored are named, wherever they are', async () => {
    const reply = await business.admin.post(`${business.path}/scenarios`, { name: 'x', ...graph, orders: [{ note: 'a\u0000' }, { 'a/b': ['\ud83d'] }, { 'c\u0000': 1 }, { fine: '\\u0000 🚚' }] });
    expect([reply.status, pathsOf(reply)]).toEqual([422, ['/orders/0/note', '/orders/1/a~1b/0', '/orders/2']]);
    expect((await business.admin.post(`${business.path}/warehouses`, { name: '\\u0000 🚚', location: orderFields.location })).body.name).toBe('\\u0000 🚚');
  });

  test('one that is nested deeper than anybody needs is not read, wherever that would be', async () => {
    const nested = (levels: number, innermost: string) => '['.repeat(levels) + innermost + ']'.repeat(levels);
    const scenarioWith = (value: string) => `{"name":"Deep","nodes":${JSON.stringify(graph.nodes)},"edges":[],"orders":[{"x":${value}}]}`;
    const replies = [
      // Within the body, the orders and the order.
      await send(`${business.path}/scenarios`, { body: scenarioWith(nested(61, '"["')) }), await send(`${business.path}/scenarios`, { body: scenarioWith(nested(62, '"["')) }),
      await send(`${business.path}/scenarios`, { body: scenarioWith(nested(100_000, '1')) }), await send(`${business.path}/warehouses`, { body: `{"created_at":${nested(100_000, '"\\u0000"')}}` }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([201, 400, 400, 400]);
    expect(await replies[1].json()).toEqual({ error: { code: 'validation', message: 'the body is nested deeper than 64 levels' } });
  });

  test('a property of the prototype is a property like any other', async () => {
    const reply = await send(`${business.path}/warehouses`, { body: `{"name":"x","location":{"latitude":1,"longitude":1,"__proto__":{"latitude":2}},"constructor":{"prototype":{"admin":true}}}` });
    expect([reply.status, ((await reply.json()) as any).error.details.map(({ path }: any) => path)]).toEqual([422, ['/constructor', '/location/__proto__']]);
    expect(({} as any).admin).toBeUndefined();
  });
});

describe('paths', () => {
  test.each(['/', '/api', '/api/v1', '/api/v1/nothing', '/api/v1/me/', '/API/v1/me', '/API/v1/openapi.json', '/api/v1/openapi.json/', '/LIVEZ', '//api/v1/me', '/api/v1/businesses/x/nothing'])('%s is nowhere', async (path) => {
    const reply = await send(path, { method: 'GET' });
    expect([reply.status, ((await reply.json()) as any).error.code]).toEqual([404, 'not_found']);
  });

  test.each(['/api/v1/%', '/api/v1/businesses/%ff/orders', '/api/v1/businesses/%00/orders', '/%c0%ae%c0%ae/etc/passwd'])('%s is not well-formed', async (path) => {
    expect((await send(path, { method: 'GET' })).status).toBe(404);
  });

  test('a record is found under every id, however it has to be written', async () => {
    const { id } = await order(business, { id: 'a/b?c=d#e %25' });
    const reply = await business.admin.get(`${business.path}/orders/${encodeURIComponent(id)}`);
    expect([reply.status, reply.body.id]).toEqual([200, id]);
  });

  test('a long path is nowhere, and one beyond all measure is an answer of the interface too', async () => {
    expect((await send(`/api/v1/${'x'.repeat(8_000)}`, { method: 'GET' })).status).toBe(404);
    const reply = await send(`/api/v1/${'x'.repeat(40_000)}`, { method: 'GET' });
    expect([reply.status, reply.headers.get('content-type'), await reply.json()]).toEqual([431, 'application/json', { error: { code: 'validation', message: expect.any(String) } }]);
  });

  /** What comes back on a connection that sends nothing but these bytes. */
  const answerTo = (bytes: string): Promise<string> => new Promise((resolve) => {
    const { hostname, port } = new URL(service.url);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => { text += chunk.toString(); });
    socket.on('close', () => resolve(text));
  });

  test.each([
    ['is not HTTP', 'GET / NONSENSE\r\n\r\n', '400 Bad Request'],
    ['does not say which host it is for', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', '400 Bad Request'],
    ['expects what nobody knows', 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n', '417 Expectation Failed'],
  ])('what %s gets an answer all the same', async (_what, bytes, status) => {
    const answer = await answerTo(bytes);
    expect(answer.split('\r\n', 1)).toEqual([`HTTP/1.1 ${status}`]);
    const [json] = /\{.*\}/.exec(answer)!;
    expect(JSON.parse(json)).toEqual({ error: { code: 'validation', message: expect.any(String) } });
  });

  test('what HTTP/1.0 sends needs no host', async () => {
    expect(await answerTo('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('headers', () => {
  test('a request id is taken, or made', async () => {
    const idOf = async (given?: string) => (await service.anonymous.get('/livez', given === undefined ? {} : { 'x-request-id': given })).headers.get('x-request-id');
    expect(await idOf('abc-123')).toBe('abc-123');
    for (const given of [undefined, 'x'.repeat(201), 'two words', '']) expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
    expect((await service.anonymous.get('/api/v1/me', { 'x-request-id': 'refused-7' })).headers.get('x-request-id')).toBe('refused-7');
  });

  test('If-Match is for the record of the path, and ignored where there is none', async () => {
    const { id } = await scenario(business);
    const stale = { 'if-match': '"7"' };
    expect((await business.admin.patch(`${business.path}/scenarios/${id}`, { name: 'Newer' }, stale)).status).toBe(412);
    expect((await business.admin.post(`${business.path}/scenarios/${id}/load`, { mode: 'replace' }, stale)).status).toBe(200);
    expect((await business.admin.post(`${business.path}/warehouses`, { name: 'x', location: orderFields.location }, stale)).status).toBe(201);
  });

  test('HEAD is GET without its body', async () => {
    const { id } = await warehouse(business);
    for (const path of [`${business.path}/warehouses/${id}`, `${business.path}/warehouses`, '/livez', '/api/v1/openapi.json']) {
      const [head, get] = [await send(path, { method: 'HEAD' }), await send(path, { method: 'GET' })];
      const { length } = Buffer.from(await get.text());
      expect([path, head.status, await head.text(), Number(head.headers.get('content-length')), head.headers.get('etag')]).toEqual([path, 200, '', length, get.headers.get('etag')]);
    }
    expect((await send(`${business.path}/warehouses/nobody`, { method: 'HEAD' })).status).toBe(404);
  });
});
