import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../core/contract/operation.ts';
import { operations } from '../../core/operations.ts';
import { createBusiness, password, type TestBusiness } from '../support/business.ts';
import type { Client, Reply } from '../support/client.ts';
import { driver, driverSession, scenario, warehouse } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';
import { callOperation } from '../support/working-calls.ts';

let service: TestService;
let business: TestBusiness;
let driverClient: Client;

beforeAll(async () => {
  service = await startService();
  business = await createBusiness(service);
  driverClient = await driverSession(business, (await driver(business)).activation_code);
});
afterAll(() => service.close());

/** The path of an operation with a business in it; other parameters name nothing that exists. */
function pathOf(operation: Operation, businessId = business.id): string {
  return operation.path.replace('/businesses/{id}', `/businesses/${businessId}`).replaceAll(/\{(\w+)\}/g, (_, name) => (operation.params?.[name]?.format === 'uuid' ? randomUUID() : 'nobody'));
}

const call = (client: Client, operation: Operation, body: unknown = operation.example?.body, path = pathOf(operation)): Promise<Reply> => callOperation(client, operation, path, body);

const named = (list: readonly Operation[]): [string, Operation][] => list.map((operation) => [operation.id, operation]);
const inBusiness = operations.filter((operation) => operation.access.kind === 'business');
const withBody = operations.filter((operation) => operation.body);

/** Whoever may call it; a public operation takes anybody. */
const caller = (operation: Operation): Client => (operation.access.kind === 'driver' ? driverClient : business.admin);

/** Who may call what, in which business and on whose records, is in tenant-matrix.test.ts. */
describe('the business id in a path', () => {
  test.each(named(inBusiness))('%s: none where it is malformed', async (_id, operation) => {
    for (const id of ['nonsense', `${business.id}0`, '%00', '%7Bid%7D']) {
      const reply = await call(business.admin, operation, undefined, pathOf(operation, id));
      expect(reply.status).toBe(operation.settingsUpdate && id !== '%00' ? 400 : 404);
    }
  });

  test('in capitals it is the same business', async () => {
    expect((await business.admin.get(`/api/v1/businesses/${business.id.toUpperCase()}/orders`)).status).toBe(200);
  });
});

describe('what a request may hold', () => {
  test.each(named(withBody))('%s: no unknown field, and its name is told', async (_id, operation) => {
    const fields = Object.entries(operation.example?.body as object).map(([name, value]) => `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    const reply = await call(caller(operation), operation, `{"a/b~c": 1, "__proto__": {"admin": true}${fields.join('')}}`);
    expect([reply.status, reply.body.error.code]).toEqual([422, 'validation']);
    expect(reply.body.error.details).toEqual(expect.arrayContaining([{ path: '/a~1b~0c', message: 'is not a known property' }, { path: '/__proto__', message: 'is not a known property' }]));
    expect(reply.body.error.message).toBe('/a~1b~0c is not a known property');
  });

  test.each(named(withBody))('%s: no value of another type', async (_id, operation) => {
    const wrongStatus = operation.settingsUpdate ? 400 : 422;
    for (const [name, value] of Object.entries(operation.example!.body as object)) {
      const wrong = typeof value === 'object' && !Array.isArray(value) ? 'text' : { nested: {} };
      const reply = await call(caller(operation), operation, { ...(operation.example!.body as object), [name]: wrong });
      expect([name, reply.status]).toEqual([name, wrongStatus]);
      expect(reply.body.error.message).toContain(`/${name} `);
    }
    for (const wrong of ['[]', '"text"', '7', 'null']) {
      const reply = await call(caller(operation), operation, wrong);
      expect([wrong, reply.status, reply.body.error.message]).toEqual([wrong, wrongStatus, 'the body must be an object']);
    }
  });

  test.each(named(withBody))('%s: no malformed JSON, no other type, no missing body', async (_id, operation) => {
    const client = caller(operation);
    const path = pathOf(operation);
    const send = (body: string | undefined, headers: Record<string, string>) => fetch(service.url + path, { method: operation.method, body, headers: { authorization: `Bearer ${client.token}`, ...headers } });
    const json = { 'content-type': 'application/json' };
    const replies = [
      await send('{"a":', json), await send('{"a":1} x', json), await send('{}', { 'content-type': 'text/plain' }), await send('{}', { 'content-type': 'application/jsonx' }),
      await send('{}', { ...json, 'content-encoding': 'gzip' }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([400, 400, 415, 415, 415]);
    for (const reply of replies) expect(await reply.json()).toEqual({ error: { code: 'validation', message: expect.any(String) } });
    if (!operation.bodyOptional) expect((await send(undefined, {})).status).toBe(operation.settingsUpdate ? 400 : 422);
  });

  test.each(named(operations))('%s: no unknown query parameter, none given twice', async (_id, operation) => {
    const [unknown, twice] = [await call(caller(operation), operation, undefined, `${pathOf(operation)}?nonsense=1`), await call(caller(operation), operation, undefined, `${pathOf(operation)}?limit=1&limit=2`)];
    expect([unknown.status, unknown.body.error.details]).toEqual([422, [{ path: '?nonsense', message: 'is not a known parameter' }]]);
    expect([twice.status, twice.body.error.details]).toEqual([422, [{ path: '?limit', message: 'is given more than once' }]]);
  });

  test.each([...new Set(operations.map((operation) => operation.path))])('%s: no other method', async (template) => {
    const here = operations.filter((operation) => operation.path === template).map((operation) => operation.method as string);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      // `…/orders/batch` is a record as well where it is read.
      if (here.includes(method) || /\/(batch|publish)$/.test(template)) continue;
      const reply = await fetch(service.url + pathOf({ ...operations[0], path: template } as Operation), { method });
      const allowed = reply.headers.get('allow')!.split(', ');
      expect([reply.status, allowed]).toEqual([405, ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => here.includes(one) || (one === 'HEAD' && here.includes('GET')))]);
    }
  });
});

describe('the examples', () => {
  let prepared: TestBusiness;
  beforeEach(async () => {
    prepared = await createBusiness(service);
    await warehouse(prepared, { id: 'depot' });
    const { id } = await scenario(prepared);
    await prepared.admin.post(`${prepared.path}/scenarios/${id}/activate`);
  });

  /** Examples that need something which no example can name: a code, a plan, or the revision of a preview. Where a path needs a record that no example has made there is none. */
  const refused: Record<string, number> = { 'invitations.accept': 401, 'driver.sessions.create': 401, 'plans.create': 422, 'plans.update': 422, 'plans.replace': 422, 'plans.publish': 404, 'working-hours.apply': 409,
    'driver.orders.start': 404, 'driver.orders.complete': 404, 'driver.orders.unable': 404, 'driver.orders.update': 404, 'evidence.upload': 404, 'driver.evidence.upload': 404,
  };

  test('all of them work, one after the other', async () => {
    const ids: Record<string, string> = {};
    const outcomes: Record<string, number> = {};
    const expected: Record<string, number> = {};
    const client = (operation: Operation) => (operation.access.kind === 'driver' ? driverClient : prepared.admin);
    for (const operation of withBody) {
      const [plural] = operation.id.split('.');
      const path = operation.path.replace('{id}', prepared.id).replaceAll(/\{\w+\}/g, ids[plural] ?? 'nobody');
      const body = operation.id === 'vehicles.create' ? { id: 'van-3', ...(operation.example!.body as object) } : operation.example?.body;
      const reply = await call(client(operation), operation, body, path);
      if (operation.id.endsWith('.create') && reply.status === 201 && reply.body.id) ids[plural] = reply.body.id;
      outcomes[operation.id] = reply.status;
      expected[operation.id] = refused[operation.id] ?? (path.includes('/nobody') ? 404 : operation.status);
    }
    expect(outcomes).toEqual(expected);
  });

  test('every creation says where the new record is, and it is there', async () => {
    const creations = operations.filter((operation) => operation.id.endsWith('.create') && operation.access.kind === 'business' && refused[operation.id] === undefined && operation.id !== 'admins.create' && !operation.path.includes('}/', operation.path.indexOf('{id}/') + 4));
    for (const operation of creations) {
      const { status, headers, body } = await call(prepared.admin, operation, operation.example?.body, pathOf(operation, prepared.id));
      expect([operation.id, status, headers.get('location')]).toEqual([operation.id, 201, `${pathOf(operation, prepared.id)}/${body.id}`]);
      expect(headers.get('etag')).toBe('"1"');
      const read = await prepared.admin.get(headers.get('location')!);
      expect([read.status, read.body.id, read.headers.get('etag')]).toEqual([200, body.id, '"1"']);
    }
  });

  test('signing up and in say so too', async () => {
    const account = await service.anonymous.post('/api/v1/accounts', { email: 'new@depot.example', password });
    const session = await service.anonymous.post('/api/v1/sessions', { email: 'new@depot.example', password });
    expect([account.headers.get('location'), session.headers.get('location')]).toEqual(['/api/v1/me', '/api/v1/sessions/current']);
  });
});
