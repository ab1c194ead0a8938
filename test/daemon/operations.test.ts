import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../core/contract/operation.ts';
import { scopes } from '../../core/contract/scopes.ts';
import { operations } from '../../core/operations.ts';
import { createBusiness, keyClient, password, signedIn, type TestBusiness } from '../support/business.ts';
import type { Client, Reply } from '../support/client.ts';
import { rowsOf } from '../support/database.ts';
import { driver, driverSession, scenario, warehouse } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let business: TestBusiness;
let foreign: TestBusiness;
let outsider: Client;
let driverClient: Client;
let wholeKey: Client;

beforeAll(async () => {
  service = await startService();
  [business, foreign, outsider] = await Promise.all([createBusiness(service), createBusiness(service), signedIn(service)]);
  driverClient = await driverSession(business, (await driver(business)).activation_code);
  wholeKey = await keyClient(business, [...scopes]);
});
afterAll(() => service.close());

/** The path of an operation with a business in it; other parameters name nothing that exists. */
function pathOf(operation: Operation, businessId = business.id): string {
  return operation.path.replace('/businesses/{id}', `/businesses/${businessId}`).replaceAll(/\{(\w+)\}/g, (_, name) => (operation.params?.[name]?.format === 'uuid' ? randomUUID() : 'nobody'));
}

function call(client: Client, operation: Operation, body: unknown = operation.example?.body, path = pathOf(operation)): Promise<Reply> {
  switch (operation.method) {
    case 'GET': return client.get(path);
    case 'DELETE': return client.delete(path);
    case 'POST': return client.post(path, body);
    case 'PUT': return client.put(path, body);
    case 'PATCH': return client.patch(path, body);
  }
}

const named = (list: readonly Operation[]): [string, Operation][] => list.map((operation) => [operation.id, operation]);
const closed = operations.filter((operation) => operation.access.kind !== 'public');
const inBusiness = operations.filter((operation) => operation.access.kind === 'business');
const byKey = inBusiness.filter((operation) => operation.access.kind === 'business' && operation.access.scope !== null);
const bySession = inBusiness.filter((operation) => operation.access.kind === 'business' && operation.access.scope === null);
const withBody = operations.filter((operation) => operation.body);

/** Whoever may call it; a public operation takes anybody. */
const caller = (operation: Operation): Client => (operation.access.kind === 'driver' ? driverClient : business.admin);

describe('who may call', () => {
  test.each(named(closed))('%s: nobody without a credential, and nobody with a mistyped one', async (_id, operation) => {
    // A body that is wrong as well: who somebody is comes before what he wants.
    const wrong = operation.body ? { nonsense: true } : undefined;
    const mistyped = `${business.admin.token!.slice(0, -1)}${business.admin.token!.endsWith('0') ? '1' : '0'}`;
    for (const client of [service.anonymous, service.anonymous.as('nonsense'), service.anonymous.as(mistyped)]) {
      const reply = await call(client, operation, wrong);
      expect([reply.status, reply.body.error.code, reply.headers.get('www-authenticate')]).toEqual([401, 'unauthorized', 'Bearer']);
    }
  });

  test.each(named(byKey))('%s: no key without its scope', async (_id, operation) => {
    const { scope } = operation.access as { scope: string };
    const key = await keyClient(business, scopes.filter((other) => other !== scope));
    const reply = await call(key, operation, operation.body ? { nonsense: true } : undefined);
    expect([reply.status, reply.body.error.code]).toEqual([403, 'unauthorized']);
    expect(reply.body.error.message).toContain(scope);
  });

  test.each(named(byKey))('%s: a key with its scope alone gets in', async (_id, operation) => {
    const key = await keyClient(foreign, [(operation.access as { scope: string }).scope]);
    const reply = await call(key, operation, operation.body ? { nonsense: true } : undefined, pathOf(operation, foreign.id));
    expect([401, 403]).not.toContain(reply.status);
  });

  test.each(named(bySession))('%s: no key, however wide', async (_id, operation) => {
    const reply = await call(wholeKey, operation);
    expect(reply.status).toBe(operation.settingsUpdate ? 401 : 403);
  });

  test.each(named(inBusiness))('%s: another business is as absent as one that never was', async (_id, operation) => {
    const wrong = operation.body ? { nonsense: true } : undefined;
    const absent = await call(business.admin, operation, wrong, pathOf(operation, randomUUID()));
    expect([absent.status, absent.body.error.code]).toEqual([404, 'not_found']);
    const strangers = [outsider, foreign.admin, await keyClient(foreign, [...scopes])];
    for (const client of strangers) {
      const reply = await call(client, operation, wrong);
      expect([reply.status, reply.body]).toEqual([404, absent.body]);
    }
    const elsewhere = await call(driverClient, operation, wrong, pathOf(operation, foreign.id));
    expect([elsewhere.status, elsewhere.body]).toEqual([404, absent.body]);
  });

  test.each(named(inBusiness))('%s: no driver', async (_id, operation) => {
    expect((await call(driverClient, operation)).status).toBe(operation.settingsUpdate ? 401 : 403);
  });

  test.each(named(operations.filter((operation) => operation.access.kind === 'driver')))('%s: drivers only', async (_id, operation) => {
    for (const client of [business.admin, wholeKey]) expect((await call(client, operation)).status).toBe(403);
  });

  test.each(named(operations.filter((operation) => operation.access.kind === 'account')))('%s: accounts only', async (_id, operation) => {
    for (const client of [driverClient, wholeKey]) expect((await call(client, operation)).status).toBe(403);
  });

  test.each(named(inBusiness))('%s: a malformed business id', async (_id, operation) => {
    for (const id of ['nonsense', `${business.id}0`, '%00', '%7Bid%7D']) {
      const reply = await call(business.admin, operation, undefined, pathOf(operation, id));
      expect(reply.status).toBe(operation.settingsUpdate && id !== '%00' ? 400 : 404);
    }
  });

  test('the business id in capitals is the same business', async () => {
    expect((await business.admin.get(`/api/v1/businesses/${business.id.toUpperCase()}/orders`)).status).toBe(200);
  });

  test('a removed administrator is told so, and a deleted business is absent', async () => {
    const [mine, other] = [await createBusiness(service), await signedIn(service)];
    const { body: me } = await other.get('/api/v1/me');
    const { body: invited } = await mine.admin.post(`${mine.path}/admins`, { email: me.account.email });
    await service.anonymous.post('/api/v1/invitations/accept', { invitation_code: invited.invitation_code });
    expect((await other.get(`${mine.path}/orders`)).status).toBe(200);
    await mine.admin.delete(`${mine.path}/admins/${invited.id}`);
    for (const operation of inBusiness) {
      expect([operation.id, (await call(other, operation, operation.example?.body, pathOf(operation, mine.id))).status]).toEqual([operation.id, operation.settingsUpdate ? 404 : 403]);
    }
    const key = await keyClient(mine, [...scopes]);
    await rowsOf(service.databaseUrl, 'update businesses set deleted_at = now() where id = $1', [mine.id]);
    const absent = await call(mine.admin, inBusiness[0], undefined, pathOf(inBusiness[0], randomUUID()));
    for (const client of [mine.admin, key, other]) {
      for (const operation of inBusiness) {
        const reply = await call(client, operation, operation.example?.body, pathOf(operation, mine.id));
        expect([operation.id, reply.status, reply.body]).toEqual([operation.id, 404, absent.body]);
      }
    }
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
