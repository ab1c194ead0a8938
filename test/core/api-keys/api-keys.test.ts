import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scopes } from '../../../core/contract/scopes.ts';
import { createBusiness, keyClient, type TestBusiness } from '../../support/business.ts';
import { rowsOf } from '../../support/database.ts';
import { pathsOf } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  business = await createBusiness(service);
});
afterAll(() => service.close());

const create = (body: object, client = business.admin) => client.post(`${business.path}/api-keys`, { name: 'Shop', scopes: ['orders.read'], ...body });
const at = (id: string) => `${business.path}/api-keys/${id}`;

test('a key is shown once, and kept as a hash', async () => {
  const { status, body } = await create({ name: ' Shop ' });
  expect([status, body.name, body.scopes, body.last_used_at, body.expires_at, body.revoked_at]).toEqual([201, 'Shop', ['orders.read'], null, null, null]);
  expect(body.key.startsWith(body.prefix)).toBe(true);
  const { key, ...rest } = body;
  expect((await business.admin.get(at(body.id))).body).toEqual(rest);
  const { text } = await business.admin.get(`${business.path}/api-keys`);
  expect(text).toContain(body.id);
  expect(text).not.toContain(key);
  const rows = await rowsOf(service.databaseUrl, 'select * from api_keys where id = $1', [body.id]);
  expect(JSON.stringify(rows)).not.toContain(key);
});

test('its use is noted, and is no edit', async () => {
  const { body } = await create({});
  const client = business.admin.as(body.key);
  await client.get(`${business.path}/orders`);
  const { body: used } = await business.admin.get(at(body.id));
  expect([Date.parse(used.last_used_at) > 0, used.revision, used.updated_at]).toEqual([true, 1, body.updated_at]);
});

describe('the end of a key', () => {
  test('revoked, it authenticates nobody; revoking again changes nothing', async () => {
    const { body } = await create({});
    const client = business.admin.as(body.key);
    expect((await client.get(`${business.path}/orders`)).status).toBe(200);
    expect((await business.admin.post(`${at(body.id)}/revoke`)).status).toBe(204);
    expect((await client.get(`${business.path}/orders`)).status).toBe(401);
    const { body: revoked } = await business.admin.get(at(body.id));
    expect([revoked.revoked_at === null, revoked.deleted_at]).toEqual([false, null]);
    expect((await business.admin.post(`${at(body.id)}/revoke`)).status).toBe(204);
    expect((await business.admin.get(at(body.id))).body).toEqual(revoked);
  });

  test('expired, it authenticates nobody', async () => {
    const { body } = await create({ expires_at: new Date(Date.now() + 60_000).toISOString() });
    const client = business.admin.as(body.key);
    expect((await client.get(`${business.path}/orders`)).status).toBe(200);
    await rowsOf(service.databaseUrl, 'update api_keys set expires_at = now() where id = $1', [body.id]);
    expect((await client.get(`${business.path}/orders`)).status).toBe(401);
  });

  test('one that is not there, or has no id of a key', async () => {
    for (const id of [randomUUID(), 'nonsense']) {
      expect((await business.admin.get(at(id))).status).toBe(404);
      expect((await business.admin.post(`${at(id)}/revoke`)).status).toBe(404);
    }
    const foreign = await createBusiness(service);
    const { body } = await foreign.admin.post(`${foreign.path}/api-keys`, { name: 'Foreign', scopes: ['orders.read'] });
    expect((await business.admin.post(`${at(body.id)}/revoke`)).status).toBe(404);
  });
});

test('a key grants what it has and nothing else', async () => {
  const manager = await keyClient(business, ['integrations.manage', 'orders.read']);
  expect((await create({ scopes: ['orders.read', 'integrations.manage'] }, manager)).status).toBe(201);
  for (const scope of scopes.filter((each) => each !== 'orders.read' && each !== 'integrations.manage')) {
    const reply = await create({ scopes: ['orders.read', scope] }, manager);
    expect([reply.status, reply.body.error.code]).toEqual([403, 'unauthorized']);
    expect(reply.body.error.message).toContain(scope);
  }
});

test('nor does it grant more time than it has', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await create({ scopes: ['integrations.manage', 'orders.read'], expires_at: soon });
  const manager = business.admin.as(body.key);
  expect((await create({ expires_at: soon }, manager)).status).toBe(201);
  for (const expires_at of [undefined, null, new Date(Date.now() + 7_200_000).toISOString()]) {
    expect([expires_at, (await create({ expires_at }, manager)).status]).toEqual([expires_at, 403]);
  }
});

test.each<[object, string[]]>([
  [{ scopes: [] }, ['/scopes']], [{ scopes: ['orders.read', 'orders.read'] }, ['/scopes']], [{ scopes: ['everything'] }, ['/scopes/0']], [{ scopes: 'orders.read' }, ['/scopes']], [{ name: ' ' }, ['/name']],
  [{ expires_at: '2020-01-01T00:00:00Z' }, ['/expires_at']], [{ expires_at: '2120-01-01' }, ['/expires_at']],
])('%j is refused', async (body, paths) => {
  const reply = await create(body);
  expect([reply.status, pathsOf(reply)]).toEqual([422, paths]);
});
