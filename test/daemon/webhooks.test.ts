import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventTypes } from '../../core/events/schema.ts';
import { createBusiness, keyClient, type TestBusiness } from '../support/business.ts';
import { query } from '../support/line-world.ts';
import { pathsOf } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let business: TestBusiness;
let path: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  business = await createBusiness(service);
  path = `${business.path}/webhooks`;
});

const fields = { name: 'Shop', url: 'https://shop.example/hooks', events: ['order.created', 'plan.published'] };
const secretPattern = /^whsec_[A-Za-z0-9+/]{43}=$/;
const ownSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function create(body: Record<string, unknown> = {}) {
  const reply = await business.admin.post(path, { ...fields, ...body });
  expect(reply.status).toBe(201);
  return reply.body;
}
const secretsOf = (id: string) => query(service.databaseUrl, 'select secret, expires_at from webhook_secrets where business_id = $1 and webhook_id = $2 order by created_at', [business.id, id]);

describe('a webhook', () => {
  test('is created active, with a secret that is shown this once', async () => {
    const reply = await business.admin.post(path, { ...fields, id: 'shop' });
    expect(reply.headers.get('location')).toBe(`${path}/shop`);
    const { secret, ...record } = reply.body;
    expect(secret).toMatch(secretPattern);
    expect(record).toMatchObject({ id: 'shop', ...fields, active: true, disabled_reason: null, failing_since: null, revision: 1 });
    expect((await business.admin.get(`${path}/shop`)).body).toEqual(record);
    expect((await business.admin.get(path)).body.items).toEqual([record]);
    expect((await business.admin.patch(`${path}/shop`, { name: 'Other' })).body.secret).toBeUndefined();
    expect((await business.admin.get(`${path}?q=shop`)).text).not.toContain('whsec_');
  });

  test('takes a secret of the client', async () => {
    expect((await create({ secret: ownSecret })).secret).toBe(ownSecret);
  });

  test('can be put back as it was read, and nothing changes', async () => {
    const { secret: _secret, ...record } = await create();
    const put = await business.admin.put(`${path}/${record.id}`, record);
    expect(put.body).toEqual(record);
  });

  test('is deleted softly, and then answers no more', async () => {
    const { id } = await create();
    expect((await business.admin.delete(`${path}/${id}`)).status).toBe(204);
    expect((await business.admin.get(`${path}/${id}`)).status).toBe(404);
    expect((await business.admin.get(`${path}/${id}?record_status=deleted`)).body).toMatchObject({ id, deleted_at: expect.any(String) });
    for (const action of ['test', 'rotate-secret']) expect((await business.admin.post(`${path}/${id}/${action}`)).status).toBe(404);
    expect((await business.admin.get(`${path}/${id}/deliveries`)).status).toBe(404);
  });

  test('needs integrations.manage, and is unknown to other businesses', async () => {
    const { id } = await create();
    const key = await keyClient(business, ['integrations.manage']);
    expect((await key.post(`${path}/${id}/rotate-secret`)).status).toBe(200);
    const other = await createBusiness(service);
    expect((await other.admin.get(`${other.path}/webhooks/${id}`)).status).toBe(404);
    expect((await other.admin.post(`${other.path}/webhooks/${id}/rotate-secret`)).status).toBe(404);
  });

  test.each([
    ['an unknown event', { events: ['order.exploded'] }, '/events/0'],
    ['no event', { events: [] }, '/events'],
    ['an event twice', { events: ['order.created', 'order.created'] }, '/events'],
    ['a blank name', { name: '  ' }, '/name'],
    ['plain HTTP', { url: 'http://shop.example/' }, '/url'],
    ['no URL', { url: 'shop' }, '/url'],
    ['letters that no URL has', { url: 'https://shop.example/hooks/äpfel' }, '/url'],
    ['a percent sign that begins no code', { url: 'https://shop.example/100%' }, '/url'],
    ['brackets around no address', { url: 'https://shop.example/hooks[1]' }, '/url'],
    ['credentials in the URL', { url: 'https://user:pass@shop.example/' }, '/url'],
    ['a fragment in the URL', { url: 'https://shop.example/#x' }, '/url'],
    ['a private address', { url: 'https://10.0.0.7/' }, '/url'],
    ['a short secret', { secret: 'whsec_c2hvcnQ=' }, '/secret'],
    ['a secret without prefix', { secret: ownSecret.slice(6) }, '/secret'],
    ['no secret', { secret: null }, '/secret'],
  ])('is refused with %s, at creation and at update', async (_what, wrong, where) => {
    const { id } = await create({ id: 'shop' });
    for (const reply of [await business.admin.post(path, { ...fields, ...wrong }), await business.admin.patch(`${path}/${id}`, wrong)]) {
      expect([reply.status, pathsOf(reply)]).toEqual([422, [where]]);
    }
    expect((await business.admin.get(`${path}/shop`)).body).toMatchObject({ ...fields, revision: 1 });
  });

  test('may subscribe to everything there is, by name or with a star', async () => {
    expect((await create({ events: ['*'] })).events).toEqual(['*']);
    expect((await create({ events: [...eventTypes] })).events).toEqual(eventTypes);
  });
});

describe('a new secret', () => {
  test('signs from now on, the old one for a day more', async () => {
    const { id, secret: first, secret_rotated_at: rotatedAt } = await create();
    const reply = await business.admin.post(`${path}/${id}/rotate-secret`);
    expect(reply.body).toMatchObject({ id, revision: 2, secret: expect.stringMatching(secretPattern) });
    expect(Date.parse(reply.body.secret_rotated_at)).toBeGreaterThan(Date.parse(rotatedAt));
    const [old, present] = await secretsOf(id);
    expect([old.secret, present.secret, present.expires_at]).toEqual([first, reply.body.secret, null]);
    const hoursLeft = (Date.parse(String(old.expires_at)) - Date.now()) / 3_600_000;
    expect(Math.round(hoursLeft)).toBe(24);
  });

  test('may be the client\'s, also with an update', async () => {
    const { id } = await create();
    expect((await business.admin.post(`${path}/${id}/rotate-secret`, { secret: ownSecret })).body.secret).toBe(ownSecret);
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const patched = await business.admin.patch(`${path}/${id}`, { secret: other });
    expect(patched.body).toMatchObject({ revision: 3 });
    expect(patched.text).not.toContain('whsec_');
    expect((await secretsOf(id)).map(({ secret, expires_at: expiresAt }) => [secret, expiresAt === null])).toEqual([[expect.any(String), false], [ownSecret, false], [other, true]]);
  });

  test('is refused while it signs already, and when too many still sign', async () => {
    const { id } = await create({ secret: ownSecret });
    expect((await business.admin.post(`${path}/${id}/rotate-secret`, { secret: ownSecret })).status).toBe(409);
    for (let count = 0; count < 4; count++) expect((await business.admin.post(`${path}/${id}/rotate-secret`)).status).toBe(200);
    expect((await business.admin.post(`${path}/${id}/rotate-secret`)).status).toBe(409);
    await query(service.databaseUrl, `update webhook_secrets set expires_at = now() where webhook_id = $1 and expires_at is not null`, [id]);
    expect((await business.admin.post(`${path}/${id}/rotate-secret`)).status).toBe(200);
    expect(await secretsOf(id)).toHaveLength(2);
  });

  test('is refused against another revision', async () => {
    const { id } = await create();
    expect((await business.admin.post(`${path}/${id}/rotate-secret`, undefined, { 'if-match': '"7"' })).status).toBe(412);
    expect(await secretsOf(id)).toHaveLength(1);
  });
});

describe('sending by hand', () => {
  test('a test is a delivery that can be followed', async () => {
    const { id } = await create();
    const { status, body, headers } = await business.admin.post(`${path}/${id}/test`, undefined, { 'x-request-id': 'by-hand' });
    expect([status, body]).toMatchObject([202, { webhook_id: id, event_type: 'webhook.test', status: 'pending', attempts: 0, response_status: null, attempt_log: [] }]);
    expect((await business.admin.get(headers.get('location')!)).body.items).toEqual([body]);
    const [event] = await query(service.databaseUrl, 'select type, data, request_id from events where id = $1', [body.event_id]);
    expect(event).toMatchObject({ type: 'webhook.test', data: { id, name: 'Shop' }, request_id: 'by-hand' });
  });

  test('nothing is sent to a webhook that is not active', async () => {
    const { id } = await create({ active: false });
    for (const [action, body] of [['test'], ['recover', { since: '2026-03-02T08:00:00Z' }]] as const) expect((await business.admin.post(`${path}/${id}/${action}`, body)).status).toBe(409);
    expect((await business.admin.get(`${path}/${id}/deliveries`)).body.items).toEqual([]);
  });

  test('switching off gives up what waits; it can be recovered or redelivered when it is on again', async () => {
    const { id } = await create();
    const deliveries = await Promise.all([1, 2, 3].map(async () => (await business.admin.post(`${path}/${id}/test`)).body));
    await business.admin.patch(`${path}/${id}`, { active: false });
    const list = async (status = '') => (await business.admin.get(`${path}/${id}/deliveries${status}`)).body.items;
    expect(await list()).toMatchObject(deliveries.map(() => ({ status: 'gave_up', error: 'the webhook was switched off', next_attempt_at: null })));
    expect((await business.admin.post(`${path}/${id}/deliveries/${deliveries[0].id}/redeliver`)).status).toBe(409);
    await business.admin.patch(`${path}/${id}`, { active: true });

    expect((await business.admin.post(`${path}/${id}/deliveries/${deliveries[0].id}/redeliver`)).body).toMatchObject({ id: deliveries[0].id, status: 'pending', next_attempt_at: expect.any(String) });
    expect(await list('?status=gave_up')).toHaveLength(2);
    expect((await business.admin.post(`${path}/${id}/recover`, { since: new Date(Date.now() + 60_000).toISOString() })).body).toEqual({ recovered: 0 });
    const since = deliveries.map(({ created_at: at }) => at).toSorted()[0];
    expect((await business.admin.post(`${path}/${id}/recover`, { since })).body).toEqual({ recovered: 2 });
    expect(await list('?status=pending')).toHaveLength(3);
  });

  test('a delivery belongs to its webhook', async () => {
    const [one, other] = [await create(), await create()];
    const { body } = await business.admin.post(`${path}/${one.id}/test`);
    expect((await business.admin.post(`${path}/${other.id}/deliveries/${body.id}/redeliver`)).status).toBe(404);
    expect((await business.admin.post(`${path}/${one.id}/deliveries/nobody/redeliver`)).status).toBe(404);
    expect((await business.admin.get(`${path}/${other.id}/deliveries`)).body.items).toEqual([]);
  });

  test('deliveries come in pages, whose cursors fit no other webhook', async () => {
    const [one, other] = [await create(), await create()];
    for (let count = 0; count < 3; count++) await business.admin.post(`${path}/${one.id}/test`);
    const first = await business.admin.get(`${path}/${one.id}/deliveries?limit=2`);
    const second = await business.admin.get(`${path}/${one.id}/deliveries?limit=2&cursor=${first.body.next_cursor}`);
    expect([first.body.items.length, second.body.items.length, second.body.next_cursor]).toEqual([2, 1, null]);
    expect((await business.admin.get(`${path}/${other.id}/deliveries?limit=2&cursor=${first.body.next_cursor}`)).status).toBe(422);
    expect((await business.admin.get(`${path}/${one.id}/deliveries?status=lost`)).status).toBe(422);
  });
});
