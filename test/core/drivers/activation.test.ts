import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { tokenHash } from '../../../core/accounts/tokens.ts';
import { createBusiness, signedIn, type TestBusiness } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { rowsOf } from '../../support/database.ts';
import { driver, driverSession, type Made } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let admin: Client;
let business: TestBusiness;
let someone: Made;
const day = 24 * 3_600_000;

beforeAll(async () => {
  service = await startService();
  admin = await signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  business = await createBusiness(service, {}, admin);
  someone = await driver(business);
});

const use = (code: string) => service.anonymous.post('/api/v1/driver/sessions', { activation_code: code });
const at = () => `${business.path}/drivers/${someone.id}`;

test('a code is shown once, and is no edit of the driver', async () => {
  expect([someone.activation_code.startsWith('ma_'), someone.revision]).toEqual([true, 1]);
  const { activation_code: _code, ...rest } = someone;
  expect((await business.admin.get(at())).body).toEqual(rest);
  await use(someone.activation_code);
  expect((await business.admin.get(at())).body).toEqual(rest);
  const { body: again } = await business.admin.post(`${at()}/reset`);
  expect([again.revision, again.activation_code === someone.activation_code]).toEqual([1, false]);
});

test('of several that use a code at the same time one gets in', async () => {
  const replies = await Promise.all([1, 2, 3].map(() => use(someone.activation_code)));
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, 401, 401]);
  const { body } = replies.find((reply) => reply.status === 201)!;
  expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now() + 29.9 * day);
  expect((await service.anonymous.as(body.access_token).get('/api/v1/driver/me')).body).toMatchObject({ id: someone.id });
  expect((await use(someone.activation_code)).status).toBe(401);
});

test('a code works for seven days', async () => {
  const expiry = async () => (await rowsOf(service.databaseUrl, 'select activation_expires_at as at from drivers where business_id = $1', [business.id]))[0].at.getTime();
  expect(Math.abs((await expiry()) - Date.now() - 7 * day)).toBeLessThan(60_000);
  await rowsOf(service.databaseUrl, 'update drivers set activation_expires_at = now() where business_id = $1', [business.id]);
  expect((await use(someone.activation_code)).status).toBe(401);
});

test('a reset gives a new code, and ends the old one and all sessions', async () => {
  const first = await driverSession(business, someone.activation_code);
  const { body: reset } = await business.admin.post(`${at()}/reset`);
  expect((await first.get('/api/v1/driver/me')).status).toBe(401);
  const { body: newer } = await business.admin.post(`${at()}/reset`);
  expect((await use(reset.activation_code)).status).toBe(401);
  expect((await (await driverSession(business, newer.activation_code)).get('/api/v1/driver/me')).status).toBe(200);
  expect((await business.admin.post(`${business.path}/drivers/nobody/reset`)).status).toBe(404);
  expect((await business.admin.post(`${at()}/reset`, undefined, { 'if-match': '"7"' })).status).toBe(412);
});

test('a driver who is deactivated or deleted is out at once, and stays out', async () => {
  const client = await driverSession(business, someone.activation_code);
  const { body: { activation_code: code } } = await business.admin.post(`${at()}/reset`);
  const again = await driverSession(business, code);
  const { body: unused } = await business.admin.post(`${at()}/reset`);
  expect((await business.admin.patch(at(), { active: false })).body.active).toBe(false);
  for (const each of [client, again]) expect((await each.get('/api/v1/driver/me')).status).toBe(401);
  expect((await use(unused.activation_code)).status).toBe(401);
  await business.admin.patch(at(), { active: true });
  expect((await again.get('/api/v1/driver/me')).status).toBe(401);
  const { body: { activation_code: last } } = await business.admin.post(`${at()}/reset`);
  const back = await driverSession(business, last);
  expect((await back.get('/api/v1/driver/me')).status).toBe(200);
  await business.admin.delete(at());
  expect((await back.get('/api/v1/driver/me')).status).toBe(401);
});

test('a code of a driver who is not active is refused', async () => {
  await business.admin.patch(at(), { active: false });
  const { body } = await business.admin.post(`${at()}/reset`);
  expect((await use(body.activation_code)).status).toBe(403);
});

test('a session lasts thirty days after its last use, and ends with signing out', async () => {
  const client = await driverSession(business, someone.activation_code);
  const hash = tokenHash(client.token!);
  await rowsOf(service.databaseUrl, `update sessions set last_seen_at = now() - interval '29 days', expires_at = now() + interval '1 day' where token_hash = $1`, [hash]);
  expect((await client.get('/api/v1/driver/me')).status).toBe(200);
  const [used] = await rowsOf(service.databaseUrl, 'select expires_at, last_seen_at from sessions where token_hash = $1', [hash]);
  expect(used.expires_at - used.last_seen_at).toBe(30 * day);
  expect((await client.delete('/api/v1/driver/sessions/current')).status).toBe(204);
  expect((await client.get('/api/v1/driver/me')).status).toBe(401);
});

test.each(['', 'nonsense', 'ma_nonsense'])('%j is no code', async (code) => {
  expect((await use(code)).status).toBe(401);
  expect((await use(business.admin.token!)).status).toBe(401);
});
