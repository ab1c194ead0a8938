import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../support/client.ts';
import { rowsOf } from '../../support/database.ts';
import { lineWorld, ok, type LineWorld } from '../../support/line-world.ts';
import { pem, serviceAccount, signingKey, startProviderA, startProviderB } from '../../support/push-servers.ts';
import { startService, type TestService } from '../../support/service.ts';

const path = '/api/v1/driver/push-devices';
const hex = '00fc13adff785122b4ad28809a342098';
let providerA: Awaited<ReturnType<typeof startProviderA>>;
let providerB: Awaited<ReturnType<typeof startProviderB>>;
let service: TestService;
let world: LineWorld;
let anna: Client;
let bert: Client;

beforeAll(async () => {
  [providerA, providerB] = await Promise.all([startProviderA(), startProviderB()]);
  service = await startService({
    workers: true,
    env: {
      MILKRUN_PUSH_A_KEY: pem(signingKey), MILKRUN_PUSH_A_KEY_ID: 'ABC123DEFG', MILKRUN_PUSH_A_TEAM_ID: 'DEF123GHIJ', MILKRUN_PUSH_A_TOPIC: 'com.example.driver', MILKRUN_PUSH_A_URL: providerA.url,
      MILKRUN_PUSH_B_ACCOUNT: serviceAccount(providerB), MILKRUN_PUSH_B_URL: providerB.url,
    },
  });
  world = await lineWorld(service);
  for (const driver of ['anna', 'bert']) {
    await world.driver(driver);
    await world.vehicle(`van-${driver}`, { driver_id: driver });
  }
  [anna, bert] = [await world.as('anna'), await world.as('bert')];
});
afterAll(async () => {
  await service.close();
  await Promise.all([providerA.close(), providerB.close()]);
});
afterEach(() => {
  for (const server of [providerA, providerB]) server.received.length = server.answers.length = 0;
});

let orders = 0;

/** Work for one driver, published. The id of the publication. */
async function publishFor(driver: string): Promise<string> {
  await world.order(`order-${++orders}`, 1, { vehicle_id: `van-${driver}`, duration_seconds: 60 });
  await world.plan();
  return ok(await world.publishAll()).id;
}

const deliveries = () => rowsOf(service.databaseUrl, 'select publication_id, driver_id, device_id, status, attempts, reason from push_deliveries order by created_at, id');
const notifications = async () => (await world.get('/notifications?kind=push_failed')).items;

/** When nothing waits any more, or only until its time comes. */
async function settled(status = ['sent', 'not_sent', 'failed']): Promise<any[]> { // eslint-disable-line @typescript-eslint/no-explicit-any
  for (;;) {
    const rows = await deliveries();
    if (rows.every((row) => status.includes(row.status as string) || (row.attempts > 0 && row.reason !== null))) return rows;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const hurry = () => rowsOf(service.databaseUrl, `update push_deliveries set due_at = now(), reason = null where status = 'queued'`);

describe('registration', () => {
  test('gives a record, and the same one again', async () => {
    const first = await anna.post(path, { provider: 'provider_a', device_token: hex });
    expect([first.status, first.body]).toMatchObject([200, { provider: 'provider_a', revision: 1, deleted_at: null }]);
    const again = await anna.post(path, { provider: 'provider_a', device_token: hex.toUpperCase() });
    expect(again.body.id).toBe(first.body.id);
    await anna.delete(path);
  });

  test.each([
    ['an odd number of digits', '/device_token', { provider: 'provider_a', device_token: 'abc' }],
    ['what is not hexadecimal', '/device_token', { provider: 'provider_a', device_token: 'xyz0' }],
    ['more than 4096 characters', '/device_token', { provider: 'provider_b', device_token: 'x'.repeat(4_097) }],
    ['an empty token', '/device_token', { provider: 'provider_b', device_token: '' }],
    ['no token', '/device_token', { provider: 'provider_b' }],
    ['an unknown provider', '/provider', { provider: 'provider_c', device_token: 'abcd' }],
  ])('refuses %s', async (_what, pointer, body) => {
    const reply = await anna.post(path, body);
    expect([reply.status, reply.body.error.details[0].path]).toEqual([422, pointer]);
  });

  test('is for drivers', async () => {
    expect((await world.admin.post(path, { provider: 'provider_b', device_token: 'x' })).status).toBe(403);
  });

  test('of a token that another driver had takes it over, also from another business', async () => {
    const other = await lineWorld(service);
    await other.driver('cleo');
    const cleo = await other.as('cleo');
    const body = { provider: 'provider_b', device_token: 'one telephone' };
    const [first, second] = [await anna.post(path, body), await bert.post(path, body)];
    expect(second.body).toMatchObject({ id: first.body.id, revision: 2 });
    const third = await cleo.post(path, body);
    expect(third.body.id).not.toBe(first.body.id);
    expect(await rowsOf(service.databaseUrl, `select driver_id from push_devices where device_token = 'one telephone' and deleted_at is null`)).toEqual([{ driver_id: 'cleo' }]);
    expect((await bert.delete(`${path}?device_id=${first.body.id}`)).status).toBe(404);
  });

  test('of one token by many at once leaves it with one', async () => {
    const body = { provider: 'provider_b', device_token: 'disputed' };
    const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 ? anna : bert).post(path, body)));
    expect(new Set(replies.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1);
    await Promise.all([anna.delete(path), bert.delete(path)]);
  });

  test('ends for one device, or for all', async () => {
    const [one, two] = [await anna.post(path, { provider: 'provider_b', device_token: 'one' }), await anna.post(path, { provider: 'provider_b', device_token: 'two' })];
    expect((await anna.delete(`${path}?device_id=${one.body.id}`)).status).toBe(204);
    expect((await bert.delete(`${path}?device_id=${two.body.id}`)).status).toBe(404);
    expect((await anna.delete(path)).status).toBe(204);
    expect(await rowsOf(service.databaseUrl, `select 1 from push_devices where driver_id = 'anna' and deleted_at is null`)).toEqual([]);
  });
});

describe('a publication', () => {
  test('is told to the devices of the drivers whose work has changed, and to nobody else', async () => {
    await anna.post(path, { provider: 'provider_a', device_token: hex });
    await anna.post(path, { provider: 'provider_b', device_token: 'anna-b' });
    await bert.post(path, { provider: 'provider_b', device_token: 'bert-b' });
    await world.order(`order-${++orders}`, 1, { vehicle_id: 'van-anna' });
    await world.plan();
    const { items } = await world.get('/plans?state=planning');
    await world.publish({ plan_ids: [items[0].id], acknowledge_warnings: true }, '?validate_only=true');
    const { id } = ok(await world.publishAll());
    expect((await settled()).map(({ status, driver_id: driver }) => [status, driver])).toEqual([['sent', 'anna'], ['sent', 'anna']]);
    expect(providerA.received.map((each) => [each.path, each.body.publication_id, each.body.type])).toEqual([[`/3/device/${hex}`, id, 'plans.published']]);
    expect(providerB.received.map((each) => [each.body.message.token, each.body.message.data.publication_id])).toEqual([['anna-b', id]]);
    await anna.delete(path);
  });

  test('drops a device that is gone, and says nothing of it', async () => {
    providerB.answers.push({ status: 404, body: { error: { details: [{ errorCode: 'UNREGISTERED' }] } } });
    await publishFor('bert');
    expect((await settled()).at(-1)).toMatchObject({ status: 'not_sent', reason: '404 UNREGISTERED' });
    await publishFor('bert');
    await settled();
    expect(providerB.received).toHaveLength(1);
    expect(await notifications()).toEqual([]);
  });

  test('is told later where the provider has trouble, and given up after the last try, which is told once', async () => {
    await bert.post(path, { provider: 'provider_b', device_token: 'bert-b' });
    await bert.post(path, { provider: 'provider_b', device_token: 'bert-b2' });
    providerB.answers.push({ status: 503 }, { status: 503 });
    await publishFor('bert');
    expect((await settled()).slice(-2)).toMatchObject([{ status: 'queued', attempts: 1, reason: '503' }, { status: 'queued', attempts: 1 }]);
    await hurry();
    expect((await settled()).slice(-2)).toMatchObject([{ status: 'sent', attempts: 2 }, { status: 'sent', attempts: 2 }]);
    providerB.answers.push(...Array.from({ length: 12 }, () => ({ status: 500 })));
    const id = await publishFor('bert');
    for (let i = 0; i < 5; i++) {
      await settled();
      await hurry();
    }
    expect((await settled(['failed', 'sent', 'not_sent'])).slice(-2)).toMatchObject([{ status: 'failed', attempts: 6, reason: '500' }, { status: 'failed', attempts: 6 }]);
    expect(await notifications()).toMatchObject([{ message: 'Drivers were not told of a publication: 500.', data: { publication_id: id, provider: 'provider_b', reason: '500' } }]);
    await bert.delete(path);
  }, 30_000);

  test('takes the place of one that still waits', async () => {
    await anna.post(path, { provider: 'provider_b', device_token: 'anna-b' });
    providerB.answers.push({ status: 503 });
    await publishFor('anna');
    await settled();
    const id = await publishFor('anna');
    expect((await settled()).slice(-2)).toMatchObject([{ status: 'not_sent', reason: 'a later publication took its place' }, { status: 'sent', publication_id: id }]);
    await anna.delete(path);
  });

  test('is not told to a driver who has signed out', async () => {
    const again = await world.as('anna');
    await again.post(path, { provider: 'provider_b', device_token: 'anna-b' });
    await again.delete('/api/v1/driver/sessions/current');
    await publishFor('anna');
    expect((await settled()).at(-1)).toMatchObject({ status: 'not_sent', reason: 'the driver has signed out or is not active' });
    expect(providerB.received).toEqual([]);
  });
});

test('without a configuration nothing is sent, and the administrators see it', async () => {
  const bare = await startService({ workers: true });
  try {
    const there = await lineWorld(bare);
    await there.driver('dora');
    await there.vehicle('van', { driver_id: 'dora' });
    const dora = await there.as('dora');
    await dora.post(path, { provider: 'provider_a', device_token: hex });
    await there.order('one', 1);
    await there.plan();
    const { id } = ok(await there.publishAll());
    let items: unknown[] = [];
    while (items.length === 0) {
      ({ items } = await there.get('/notifications'));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(items).toMatchObject([{ kind: 'push_failed', message: 'Drivers were not told of a publication: provider_a is not configured.', data: { publication_id: id } }]);
    expect(await rowsOf(bare.databaseUrl, 'select status, attempts from push_deliveries')).toEqual([{ status: 'not_sent', attempts: 0 }]);
  } finally {
    await bare.close();
  }
});
