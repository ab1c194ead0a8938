import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createBusiness, password, signedIn, type TestBusiness } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { rowsOf } from '../../support/database.ts';
import { pathsOf, type Made } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  business = await createBusiness(service);
});

let count = 0;
const address = () => `admin-${++count}@depot.example`;
const invite = (email: string) => business.admin.post(`${business.path}/admins`, { email });
const accept = (code: string, rest: object = {}) => service.anonymous.post('/api/v1/invitations/accept', { invitation_code: code, ...rest });
const list = async (query = ''): Promise<Made[]> => (await business.admin.get(`${business.path}/admins${query}`)).body.items;
const remove = (id: string, client = business.admin) => client.delete(`${business.path}/admins/${id}`);

async function second(): Promise<{ client: Client; id: string }> {
  const email = address();
  const client = await signedIn(service, email);
  const { body } = await invite(email);
  await accept(body.invitation_code);
  return { client, id: body.id };
}

describe('invitations', () => {
  test('who has no account makes one by accepting', async () => {
    const email = address();
    const { status, body } = await invite(` ${email.toUpperCase()}`);
    expect([status, body.email, body.state, body.name, body.account_id]).toEqual([201, email, 'invited', null, null]);
    expect(Date.parse(body.invitation_expires_at)).toBeGreaterThan(Date.now() + 6.9 * 24 * 3_600_000);
    expect(pathsOf(await accept(body.invitation_code))).toEqual(['/password']);
    const accepted = await accept(body.invitation_code, { password, name: ' Second ' });
    expect([accepted.status, accepted.body.state, accepted.body.name, accepted.body.invitation_expires_at]).toEqual([200, 'active', 'Second', null]);
    const { body: session } = await service.anonymous.post('/api/v1/sessions', { email, password });
    expect((await service.anonymous.as(session.access_token).get(`${business.path}/orders`)).status).toBe(200);
  });

  test('who has one keeps it', async () => {
    const { client, id } = await second();
    expect((await client.get(`${business.path}/orders`)).status).toBe(200);
    expect((await list()).map((admin) => [admin.state, admin.id === id])).toEqual([['active', false], ['active', true]]);
    expect((await list())[0]).not.toHaveProperty('invitation_code');
  });

  test('a code works once', async () => {
    const { body } = await invite(address());
    const replies = await Promise.all([1, 2, 3].map(() => accept(body.invitation_code, { password })));
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 401, 401]);
    expect((await accept(body.invitation_code, { password })).status).toBe(401);
  });

  test('a code that is over, withdrawn, replaced or invented is none', async () => {
    const { body: over } = await invite(address());
    await rowsOf(service.databaseUrl, 'update memberships set invitation_expires_at = now() where business_id = $1 and id = $2', [business.id, over.id]);
    const { body: withdrawn } = await invite(address());
    expect((await remove(withdrawn.id)).status).toBe(204);
    const email = address();
    const [{ body: replaced }, { body: present }] = [await invite(email), await invite(email)];
    expect(present.id).toBe(replaced.id);
    for (const code of [over.invitation_code, withdrawn.invitation_code, replaced.invitation_code, business.admin.token!, 'mi_nonsense', '']) {
      const reply = await accept(code, { password });
      expect([reply.status, reply.body.error.code]).toEqual([401, 'unauthorized']);
    }
    expect((await accept(present.invitation_code, { password })).status).toBe(200);
  });

  test('an administrator is not invited again, and two invitations of one address are one', async () => {
    const email = address();
    const replies = await Promise.all([invite(email), invite(email), invite(email)]);
    expect(replies.map((reply) => reply.status).every((status) => status === 201 || status === 409)).toBe(true);
    expect(await list()).toHaveLength(2);
    const { body: me } = await business.admin.get('/api/v1/me');
    const again = await invite(me.account.email);
    expect([again.status, pathsOf(again)]).toEqual([409, ['/email']]);
    expect(pathsOf(await invite('nobody'))).toEqual(['/email']);
  });
});

describe('leaving', () => {
  test('the last administrator stays, and may withdraw invitations', async () => {
    const [me] = await list();
    const { body: invited } = await invite(address());
    const kept = await remove(me.id);
    expect([kept.status, kept.body.error.code]).toEqual([409, 'conflict']);
    expect((await remove(invited.id)).status).toBe(204);
    expect((await remove(invited.id)).status).toBe(404);
    expect((await remove('nobody')).status).toBe(404);
  });

  test('one who was removed is history, has no access, and may be invited again', async () => {
    const { client, id } = await second();
    expect((await remove(id)).status).toBe(204);
    expect((await client.get(`${business.path}/orders`)).status).toBe(403);
    const [gone] = await list('?record_status=deleted');
    expect([gone.id, gone.state]).toEqual([id, 'removed']);
    const { body } = await invite(gone.email);
    expect(body.id).not.toBe(id);
    await accept(body.invitation_code);
    expect((await client.get(`${business.path}/orders`)).status).toBe(200);
    expect((await client.get('/api/v1/me')).body.businesses).toHaveLength(1);
  });

  test('two who remove one another at the same time: one stays', async () => {
    for (let round = 0; round < 3; round++) {
      const other = await second();
      const mine = (await list()).find((admin) => admin.id !== other.id)!;
      const replies = await Promise.all([remove(other.id), remove(mine.id, other.client)]);
      expect(replies.filter((reply) => reply.status === 204)).toHaveLength(1);
      expect(replies.every((reply) => [204, 403, 409].includes(reply.status))).toBe(true);
      const [{ active }] = await rowsOf(service.databaseUrl, `select count(*)::int as active from memberships where business_id = $1 and state = 'active'`, [business.id]);
      expect(active).toBe(1);
      business = await createBusiness(service);
    }
  });

  test('all who leave at the same time: one stays', async () => {
    const others = [await second(), await second(), await second()];
    const mine = (await list())[0];
    const replies = await Promise.all([remove(mine.id), ...others.map(({ id, client }) => remove(id, client))]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([204, 204, 204, 409]);
  });
});

test('administrators and invitations are found by their address', async () => {
  const { body } = await invite('Look.For.Me@depot.example');
  expect((await list('?q=look.for')).map((admin) => admin.id)).toEqual([body.id]);
});
