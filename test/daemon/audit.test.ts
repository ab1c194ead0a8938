import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBusiness, keyClient, password, type TestBusiness } from '../support/business.ts';
import type { Client } from '../support/client.ts';
import { rowsOf } from '../support/database.ts';
import { driver, order, orderFields, vehicle, warehouse } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  business = await createBusiness(service);
});
afterAll(() => service.close());

const entries = async (query = '', client: Client = business.admin) => (await client.get(`${business.path}/audit${query}`)).body.items;
const last = async (query = '') => (await entries(query)).at(-1);

describe('an entry', () => {
  test('says who did what to which record, and what it was before', async () => {
    const { body: { account } } = await business.admin.get('/api/v1/me');
    const made = await order(business);
    await business.admin.patch(`${business.path}/orders/${made.id}`, { duration_seconds: 1_200 }, { 'x-request-id': 'dispatcher-7' });
    const [creation, edit] = await entries(`?record_id=${made.id}`);
    expect(creation).toMatchObject({ operation: 'orders.create', record_kind: 'order', record_id: made.id, changes: [{ change: 'created', fields: { duration_seconds: { before: null, after: 900 } } }] });
    expect(edit).toMatchObject({
      actor: { kind: 'account', id: account.id, name: account.email }, operation: 'orders.update', record_kind: 'order', record_id: made.id, request_id: 'dispatcher-7', address: '127.0.0.1',
      changes: [{ record_kind: 'order', record_id: made.id, change: 'updated', fields: { duration_seconds: { before: 900, after: 1_200 } } }], changes_omitted: 0,
    });
    expect(Object.keys(edit.changes[0].fields)).toEqual(['duration_seconds']);
    await business.admin.delete(`${business.path}/orders/${made.id}`);
    expect(await last()).toMatchObject({ operation: 'orders.delete', changes: [{ change: 'deleted' }] });
  });

  test('shows a value of many parts as it is on the wire', async () => {
    await business.admin.patch(`${business.path}/settings`, { evidence: { require_photos: true } });
    expect(await last()).toMatchObject({ operation: 'settings.update', record_kind: 'business', record_id: business.id });
    expect((await last()).changes[0].fields).toEqual({ evidence: { before: { require_photos: false, require_signature: false }, after: { require_photos: true, require_signature: false } } });
  });

  test('names the key and the driver who did it', async () => {
    const key = await keyClient(business, ['orders.write']);
    const { body: made } = await key.post(`${business.path}/orders`, orderFields);
    const [{ actor, credential_id: credentialId }] = await entries(`?record_id=${made.id}`);
    expect(actor).toEqual({ kind: 'key', id: credentialId, name: expect.stringMatching(/^test \(mk_\w{8}…\)$/) });
    const { id, activation_code: code } = await driver(business, { name: 'Driver One' });
    const { body: session } = await service.anonymous.post('/api/v1/driver/sessions', { activation_code: code });
    expect(await last()).toMatchObject({ actor: { kind: 'driver', id, name: 'Driver One' }, operation: 'driver.sessions.create', credential_id: expect.any(String) });
    await service.anonymous.as(session.access_token).delete('/api/v1/driver/sessions/current');
    expect(await last()).toMatchObject({ actor: { kind: 'driver', id }, operation: 'driver.sessions.delete' });
  });

  test('is there for the first day of a business and for a new administrator', async () => {
    expect((await entries())[0]).toMatchObject({ operation: 'businesses.create', record_kind: 'business', record_id: business.id });
    const { body: { invitation_code: code } } = await business.admin.post(`${business.path}/admins`, { email: 'second@depot.example' });
    await service.anonymous.post('/api/v1/invitations/accept', { invitation_code: code, password });
    expect(await last()).toMatchObject({ operation: 'invitations.accept', actor: { kind: 'account', name: 'second@depot.example' }, record_kind: 'admin' });
  });

  test('holds no secret', async () => {
    const { body: { key } } = await business.admin.post(`${business.path}/api-keys`, { name: 'secret', scopes: ['orders.read'] });
    const { id, activation_code: code } = await driver(business);
    const { body: { activation_code: again } } = await business.admin.post(`${business.path}/drivers/${id}/reset`);
    const told = JSON.stringify(await rowsOf(service.databaseUrl, 'select * from audit_entries'));
    const hashes = await rowsOf(service.databaseUrl, 'select token_hash as hash from sessions union all select key_hash from api_keys union all select password_hash from accounts');
    for (const secret of [key, code, again, password, ...hashes.map(({ hash }) => hash as string)]) expect(told).not.toContain(secret);
  });

  test('names the records of a big batch and counts the rest', async () => {
    const items = Array.from({ length: 250 }, (_, i) => ({ id: `batch-${i}`, ...orderFields }));
    await business.admin.post(`${business.path}/orders/batch`, { items });
    const entry = await last('?record_id=batch-249');
    expect([entry.operation, entry.changes.length, entry.changes_omitted]).toEqual(['orders.batch', 200, 50]);
  });
});

describe('there is no entry', () => {
  test('of what was refused, only looked at or only tried', async () => {
    const made = await order(business);
    await business.admin.patch(`${business.path}/orders/${made.id}`, { status: 'cancelled' });
    const { length } = await entries();
    await business.admin.post(`${business.path}/orders`, { id: made.id, ...orderFields });
    await business.admin.get(`${business.path}/orders`);
    await business.admin.post(`${business.path}/plans/publish?validate_only=true`, { order_ids: [made.id] }, { 'idempotency-key': 'dry' });
    expect(await entries()).toHaveLength(length);
  });

  test('of the same request come again', async () => {
    const { length } = await entries();
    for (let i = 0; i < 3; i++) await business.admin.post(`${business.path}/orders`, orderFields, { 'idempotency-key': 'again' });
    expect(await entries()).toHaveLength(length + 1);
  });

  test('of positions', async () => {
    const { activation_code: code } = await driver(business);
    const { body: session } = await service.anonymous.post('/api/v1/driver/sessions', { activation_code: code });
    const { length } = await entries();
    await service.anonymous.as(session.access_token).post('/api/v1/driver/location', { permission: 'granted', location: orderFields.location });
    expect(await entries()).toHaveLength(length);
  });
});

test('the list is filtered and paged', async () => {
  const depot = await warehouse(business);
  const { body: me } = await business.admin.get('/api/v1/me');
  await vehicle(business, { warehouse_id: depot.id });
  const all = await entries();
  const { at } = all.at(-2);
  expect((await entries('?operation=vehicles.create')).map((entry: { operation: string }) => entry.operation)).toEqual(['vehicles.create']);
  expect(await entries(`?actor=${me.account.id}`)).toHaveLength(all.filter((entry: any) => entry.actor.id === me.account.id).length);
  expect(await entries(`?from=${at}`)).toEqual(all.filter((entry: { at: string }) => entry.at >= at));
  expect(await entries(`?to=${at}`)).toEqual(all.filter((entry: { at: string }) => entry.at < at));
  const paged: unknown[] = [];
  let cursor = '';
  do {
    const { body } = await business.admin.get(`${business.path}/audit?limit=7${cursor}`);
    paged.push(...body.items);
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(paged).toEqual(all);
});

test('another business sees none of it, and a key needs the scope', async () => {
  const other = await createBusiness(service);
  expect((await other.admin.get(`${business.path}/audit`)).status).toBe(404);
  expect((await other.admin.get(`${other.path}/audit`)).body.items.map((entry: { operation: string }) => entry.operation)).toEqual(['businesses.create']);
  expect((await (await keyClient(business, ['orders.read'])).get(`${business.path}/audit`)).status).toBe(403);
});

test.each(['update audit_entries set address = null', 'delete from audit_entries', 'truncate audit_entries'])('the database refuses: %s', async (statement) => {
  await expect(rowsOf(service.databaseUrl, statement)).rejects.toThrow('the audit log is append-only');
});
