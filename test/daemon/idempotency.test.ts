import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { readConfig } from '../../core/config.ts';
import { sweepAnswers } from '../../core/idempotency/answers.ts';
import { openStore } from '../../core/db/store.ts';
import { startDaemon, type Daemon } from '../../daemon/main.ts';
import { createBusiness, keyClient, password, signedIn, type TestBusiness } from '../support/business.ts';
import { createClient, type Client } from '../support/client.ts';
import { rowsOf } from '../support/database.ts';
import { driver, orderFields } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let second: Daemon;
let business: TestBusiness;
let orders: string;

beforeAll(async () => {
  service = await startService();
  second = await startDaemon(readConfig({ DATABASE_URL: service.databaseUrl, MILKRUN_PORT: '0', MILKRUN_LOG_LEVEL: 'silent', MILKRUN_RATE_LIMIT: 'off' }));
  business = await createBusiness(service);
  orders = `${business.path}/orders`;
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const key = (value: string) => ({ 'idempotency-key': value });
const countOrders = async (): Promise<number> => (await business.admin.get(orders)).body.items.length;

describe('a repeated request', () => {
  test('gets the first answer again, whole, and has no second effect', async () => {
    const first = await business.admin.post(orders, orderFields, key('twice'));
    const count = await countOrders();
    const again = await createClient(second.url, business.admin.token).post(orders, orderFields, key('twice'));
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
    for (const header of ['location', 'etag', 'content-type']) expect(again.headers.get(header)).toBe(first.headers.get(header));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(await countOrders()).toBe(count);
  });

  test('that changes nothing is answered from memory as well', async () => {
    const path = `${business.path}/plans/publish?validate_only=true`;
    const { body: made } = await business.admin.post(orders, orderFields);
    await business.admin.patch(`${orders}/${made.id}`, { status: 'cancelled' });
    const first = await business.admin.post(path, { order_ids: [made.id] }, key('dry'));
    const again = await business.admin.post(path, { order_ids: [made.id] }, key('dry'));
    expect([first.status, again.text]).toEqual([200, first.text]);
  });

  test('without an answer body is repeated too', async () => {
    const { body: made } = await business.admin.post(`${business.path}/api-keys`, { name: 'short', scopes: ['orders.read'] });
    for (let i = 0; i < 2; i++) expect((await business.admin.post(`${business.path}/api-keys/${made.id}/revoke`, undefined, key('revoke'))).status).toBe(204);
  });

  test('of a client that had hung up finds what it had done', async () => {
    const { promise: hungUp, resolve } = Promise.withResolvers<void>();
    const abort = new AbortController();
    const body = JSON.stringify({ id: 'hung-up', ...orderFields });
    fetch(service.url + orders, { method: 'POST', headers: { authorization: `Bearer ${business.admin.token}`, 'content-type': 'application/json', ...key('hung-up') }, body, signal: abort.signal }).catch(() => {}).finally(resolve);
    setTimeout(() => abort.abort(), 5);
    await hungUp;
    const again = await answeredAtLast(business.admin, orders, body, 'hung-up');
    expect([again.status, again.body.id]).toEqual([201, 'hung-up']);
  });
});

/** Where the request is still running, asks again after a moment, as the answer says. */
async function answeredAtLast(client: Client, path: string, body: unknown, value: string) {
  for (;;) {
    const reply = await client.post(path, body, key(value));
    if (reply.status !== 409 || reply.headers.get('retry-after') === null) return reply;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the key', () => {
  test('goes with one body and one query', async () => {
    await business.admin.post(orders, orderFields, key('body'));
    const other = await business.admin.post(orders, { ...orderFields, duration_seconds: 901 }, key('body'));
    expect([other.status, other.body.error.message]).toEqual([422, 'the Idempotency-Key has been used for a request with another body or query']);
    const { body: made } = await business.admin.post(orders, orderFields);
    await business.admin.patch(`${orders}/${made.id}`, { status: 'cancelled' });
    await business.admin.post(`${business.path}/plans/publish?validate_only=true`, { order_ids: [made.id] }, key('query'));
    expect((await business.admin.post(`${business.path}/plans/publish`, { order_ids: [made.id] }, key('query'))).status).toBe(422);
  });

  test('belongs to one credential and one path', async () => {
    const [one, two] = await Promise.all([keyClient(business, ['orders.write']), keyClient(business, ['orders.write', 'resources.write'])]);
    const ids = await Promise.all([one, two, business.admin].map(async (client) => (await client.post(orders, orderFields, key('mine'))).body.id));
    expect(new Set(ids).size).toBe(3);
    expect((await two.post(`${business.path}/warehouses`, { name: 'Depot', location: orderFields.location }, key('mine'))).status).toBe(201);
  });

  test('is free again after a request that was refused', async () => {
    const refused = await business.admin.post(orders, { ...orderFields, duration_seconds: 0 }, key('refused'));
    const taken = await business.admin.post(orders, { id: 'hung-up', ...orderFields }, key('refused'));
    const accepted = await business.admin.post(orders, orderFields, key('refused'));
    expect([refused.status, taken.status, accepted.status]).toEqual([422, 409, 201]);
  });

  test.each([['nothing', ''], ['256 characters', 'x'.repeat(256)], ['a letter beyond ASCII', 'ümlaut'], ['a tab', 'a\tb']])('%s is none', async (_what, value) => {
    const count = await countOrders();
    const reply = await business.admin.post(orders, orderFields, key(value));
    expect([reply.status, reply.body.error.message]).toEqual([422, 'the Idempotency-Key header must be 1 to 255 printable ASCII characters']);
    expect(await countOrders()).toBe(count);
  });

  test('of 255 characters with spaces is one', async () => {
    expect((await business.admin.post(orders, orderFields, key(`a ${'x'.repeat(253)}`))).status).toBe(201);
  });

  test('counts for a day', async () => {
    const { body: first } = await business.admin.post(orders, orderFields, key('a day'));
    await rowsOf(service.databaseUrl, `update idempotency_keys set expires_at = expires_at - interval '24 hours'`);
    const { body: later } = await business.admin.post(orders, { ...orderFields, duration_seconds: 60 }, key('a day'));
    expect(later.id).not.toBe(first.id);
    const store = await openStore(service.databaseUrl);
    const before = await rowsOf(service.databaseUrl, 'select id from idempotency_keys');
    const swept = await sweepAnswers(store);
    await store.close();
    expect(await rowsOf(service.databaseUrl, 'select id from idempotency_keys where expires_at <= now()')).toEqual([]);
    expect(await rowsOf(service.databaseUrl, 'select id from idempotency_keys')).toHaveLength(before.length - swept);
    expect((await business.admin.post(orders, { ...orderFields, duration_seconds: 60 }, key('a day'))).body.id).toBe(later.id);
  });

  test('is refused while its request still runs, and never stuck', async () => {
    const { id } = await driver(business, { email: 'slow@drivers.example' });
    const path = `${business.path}/drivers/${id}/reset`;
    const blocker = new pg.Client({ connectionString: service.databaseUrl });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('select 1 from drivers where id = $1 for update', [id]);
    const running = business.admin.post(path, undefined, key('reset'));
    await lockedBy(service);
    const meanwhile = await createClient(second.url, business.admin.token).post(path, undefined, key('reset'));
    expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([409, '1']);
    await blocker.query('rollback');
    await blocker.end();
    const first = await running;
    const again = await business.admin.post(path, undefined, key('reset'));
    expect([first.status, again.text]).toEqual([200, first.text]);
    // What it is stored as tells nobody the code.
    const stored = Buffer.concat((await rowsOf(service.databaseUrl, 'select sealed_answer from idempotency_keys')).map((row) => row.sealed_answer as Buffer));
    expect(stored.includes(first.body.activation_code)).toBe(false);
    expect(stored.includes('activation_code')).toBe(false);
  });
});

/** Until a connection waits for a lock. */
async function lockedBy({ databaseUrl }: TestService): Promise<void> {
  for (;;) {
    const rows = await rowsOf(databaseUrl, `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('without a credential', () => {
  test('a code that works once is not lost with the answer', async () => {
    const { activation_code: code } = await driver(business, { email: 'once@drivers.example' });
    const first = await service.anonymous.post('/api/v1/driver/sessions', { activation_code: code }, key('sign-in'));
    const again = await service.anonymous.post('/api/v1/driver/sessions', { activation_code: code }, key('sign-in'));
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect((await service.anonymous.as(again.body.access_token).get('/api/v1/driver/me')).status).toBe(200);
    expect((await service.anonymous.post('/api/v1/driver/sessions', { activation_code: code })).status).toBe(401);
  });

  test('signing up twice is one account', async () => {
    const body = { email: 'twice@depot.example', password };
    const [first, again] = [await service.anonymous.post('/api/v1/accounts', body, key('sign-up')), await service.anonymous.post('/api/v1/accounts', body, key('sign-up'))];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
  });
});

test('a credential that has ended gets nothing again', async () => {
  const admin = await signedIn(service);
  const body = { name: 'Other depot', time_zone: 'UTC' };
  await admin.post('/api/v1/businesses', body, key('gone'));
  await admin.delete('/api/v1/sessions/current');
  expect((await admin.post('/api/v1/businesses', body, key('gone'))).status).toBe(401);
});
