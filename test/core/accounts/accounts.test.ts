import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newToken, tokenHash, tokenKind, tokenPrefixes, type TokenKind } from '../../../core/accounts/tokens.ts';
import { hashPassword, isPassword } from '../../../core/accounts/passwords.ts';
import { createBusiness, password, signedIn } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { rowsOf } from '../../support/database.ts';
import { pathsOf } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const signUp = (body: object) => service.anonymous.post('/api/v1/accounts', body);
const signIn = (body: object) => service.anonymous.post('/api/v1/sessions', body);
const hour = 3_600_000;

describe('signing up', () => {
  test('an account has a trimmed name and an address in lower case, and never its password', async () => {
    const { status, body } = await signUp({ email: ' New@Depot.Example ', password, name: ' Dispatch ' });
    expect([status, body]).toEqual([201, { id: expect.any(String), email: 'new@depot.example', name: 'Dispatch', created_at: expect.any(String) }]);
    const [{ password_hash: hash }] = await rowsOf(service.databaseUrl, 'select password_hash from accounts where id = $1', [body.id]);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('an address has one account, in whatever case', async () => {
    expect((await signUp({ email: 'once@depot.example', password })).status).toBe(201);
    for (const email of ['once@depot.example', 'ONCE@depot.example', ' once@Depot.Example']) {
      const reply = await signUp({ email, password });
      expect([reply.status, reply.body.error.code, pathsOf(reply)]).toEqual([409, 'conflict', ['/email']]);
    }
    const raced = await Promise.all(['a', 'A', 'a'].map((name) => signUp({ email: `${name}raced@depot.example`, password })));
    expect(raced.map((reply) => reply.status).toSorted()).toEqual([201, 409, 409]);
  });

  test.each<[object, string[]]>([
    [{}, ['/email', '/password']], [{ email: 'nobody', password }, ['/email']], [{ email: 'a@b.c', password: 'eleven char' }, ['/password']], [{ email: 'a@b.c', password: 'x'.repeat(1_001) }, ['/password']],
    [{ email: 'a@b.c', password, name: ' ' }, ['/name']], [{ email: 'a@b.c', password: 123_456_789_012 }, ['/password']], [{ email: `${'x'.repeat(320)}@b.c`, password }, ['/email']],
  ])('%j is refused', async (body, paths) => {
    const reply = await signUp(body);
    expect([reply.status, pathsOf(reply)]).toEqual([422, paths]);
    expect(reply.text).not.toContain(password);
  });
});

test('where registration is closed nobody signs up', async () => {
  const closed = await startService({ env: { MILKRUN_REGISTRATION: 'closed' } });
  try {
    const reply = await closed.anonymous.post('/api/v1/accounts', { email: 'new@depot.example', password });
    expect([reply.status, reply.body.error.code]).toEqual([403, 'unauthorized']);
  } finally {
    await closed.close();
  }
});

describe('signing in', () => {
  test('an unknown address and a wrong password get the same answer', async () => {
    await signUp({ email: 'known@depot.example', password });
    const replies = [await signIn({ email: 'unknown@depot.example', password }), await signIn({ email: 'known@depot.example', password: 'wrong password' }), await signIn({ email: '', password: '' })];
    for (const reply of replies) expect([reply.status, reply.body]).toEqual([401, replies[0].body]);
    expect((await signIn({ email: 'KNOWN@depot.example ', password })).status).toBe(201);
  });

  test('a session lasts twelve hours after its last use', async () => {
    const client = await signedIn(service);
    const me = () => client.get('/api/v1/me');
    const hash = tokenHash(client.token!);
    const [fresh] = await rowsOf(service.databaseUrl, 'select expires_at, created_at from sessions where token_hash = $1', [hash]);
    expect(fresh.expires_at - fresh.created_at).toBeGreaterThan(12 * hour - 1_000);
    // Eleven hours later it is used, and lives on for twelve.
    await rowsOf(service.databaseUrl, `update sessions set last_seen_at = now() - interval '11 hours', expires_at = now() + interval '1 hour' where token_hash = $1`, [hash]);
    expect((await me()).status).toBe(200);
    const [used] = await rowsOf(service.databaseUrl, 'select expires_at, last_seen_at from sessions where token_hash = $1', [hash]);
    expect(used.expires_at - used.last_seen_at).toBe(12 * hour);
    expect(used.expires_at.getTime()).toBeGreaterThan(Date.now() + 11 * hour);
    await rowsOf(service.databaseUrl, `update sessions set expires_at = now() where token_hash = $1`, [hash]);
    expect((await me()).status).toBe(401);
  });

  test('signing out ends this session alone', async () => {
    await signUp({ email: 'two@depot.example', password });
    const sessions: Client[] = [];
    for (let index = 0; index < 2; index++) sessions.push(service.anonymous.as((await signIn({ email: 'two@depot.example', password })).body.access_token));
    expect((await sessions[0].delete('/api/v1/sessions/current')).status).toBe(204);
    expect((await sessions[0].get('/api/v1/me')).status).toBe(401);
    expect((await sessions[0].delete('/api/v1/sessions/current')).status).toBe(401);
    expect((await sessions[1].get('/api/v1/me')).status).toBe(200);
  });
});

test('who am I, and which businesses are mine', async () => {
  const { admin, id } = await createBusiness(service, { name: 'First' });
  const { body: second } = await admin.post('/api/v1/businesses', { name: ' Second ', time_zone: 'Europe/Paris' });
  await createBusiness(service, { name: 'Not mine' });
  const { body: me } = await admin.get('/api/v1/me');
  expect(me.businesses.map((business: any) => [business.id, business.name])).toEqual([[id, 'First'], [second.id, 'Second']]);
  const { body: page } = await admin.get('/api/v1/businesses?limit=1');
  expect(page.items.map((business: any) => business.id)).toEqual([id]);
  const { body: rest } = await admin.get(`/api/v1/businesses?limit=1&cursor=${page.next_cursor}`);
  expect([rest.items, rest.next_cursor]).toEqual([[second], null]);
  const other = await signedIn(service);
  expect(pathsOf(await other.get(`/api/v1/businesses?cursor=${page.next_cursor}`))).toEqual(['?cursor']);
  expect((await other.get('/api/v1/businesses')).body).toEqual({ items: [], next_cursor: null });
});

describe('tokens', () => {
  test.each(Object.keys(tokenPrefixes) as TokenKind[])('one of kind %s is known by its prefix, and no mistyped one passes', (kind) => {
    const token = newToken(kind);
    expect(token).toMatch(new RegExp(`^${tokenPrefixes[kind]}_[0-9A-Za-z]{49}$`));
    expect(tokenKind(token)).toBe(kind);
    for (let at = 0; at < token.length; at++) expect(tokenKind(token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1))).toBeNull();
    for (const wrong of [token.slice(1), token.slice(0, -1), `${token}0`, ` ${token}`, token.toUpperCase(), '']) expect(tokenKind(wrong)).toBeNull();
  });

  test('a well-formed one that was never given out', async () => {
    for (const kind of Object.keys(tokenPrefixes) as TokenKind[]) expect((await service.anonymous.as(newToken(kind)).get('/api/v1/me')).status).toBe(401);
  });

  test.each(['', 'Basic abc', 'Bearer', 'Bearer a b', 'Token TOKEN', 'TOKEN'])('the header %j is no credential', async (header) => {
    const { token } = await signedIn(service);
    expect((await service.anonymous.get('/api/v1/me', { authorization: header.replace('TOKEN', token!) })).status).toBe(401);
    expect((await service.anonymous.get('/api/v1/me', { authorization: `bearer  ${token}` })).status).toBe(200);
  });
});

describe('passwords', () => {
  test('are known again in every Unicode form, and are not by anything else', async () => {
    const hash = await hashPassword('caf\u00e9 au lait');
    expect(await isPassword('cafe\u0301 au lait', hash)).toBe(true);
    expect(await isPassword('cafe au lait', hash)).toBe(false);
    expect(await isPassword('café au lait', null)).toBe(false);
    expect(await hashPassword('café au lait')).not.toBe(hash);
  });
});
