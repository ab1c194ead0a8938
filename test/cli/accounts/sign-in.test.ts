import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { businessId, commandLine, type CommandLine } from '../command-line.ts';
import { businessRecord, page } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

const session = { access_token: 'ms_new', token_type: 'Bearer', expires_at: '2026-03-02T20:00:00Z' };
const account = { id: '0198c1a2-0000-7000-8000-000000000009', email: 'a@depot.example', name: null, created_at: '2026-03-01T08:00:00Z' };

let service: ServiceDouble;
let milkrun: CommandLine;
let businesses: unknown[];
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  businesses = [businessRecord(businessId)];
  service.seen.length = 0;
  service.on = {
    'accounts.create': () => ({ body: account }),
    'sessions.create': ({ body }) => (body.password === 'correct horse battery' ? { body: session } : { status: 401, body: { error: { code: 'unauthorized', message: 'wrong' } } }),
    'businesses.list': () => ({ body: page(businesses) }),
    'sessions.delete': () => ({}),
    'me.get': () => ({ body: { account, businesses: [{ id: businessId, name: 'Milk & Bread', membership_id: 'm' }] } }),
  };
  milkrun = commandLine(service.url);
});

const signIn = (password = 'correct horse battery') => milkrun.run(['sign-in', '--email', 'a@depot.example', '--password-stdin'], { stdin: `${password}\n` });

describe('signing in', () => {
  test('keeps session and only business in the context, and the password nowhere', async () => {
    const ran = await signIn();
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(milkrun.config()).toEqual({ current: 'default', contexts: { default: { url: service.url, token: 'ms_new', business: businessId } } });
    expect(service.seen[0].body).toEqual({ email: 'a@depot.example', password: 'correct horse battery' });
  });

  test('an old credential is not sent along, because it may be what has gone wrong', async () => {
    await signIn();
    await milkrun.run(['sign-in', '--email', 'a@depot.example', '--password', 'correct horse battery']);
    expect(service.seen.filter(({ operation }) => operation === 'sessions.create').map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test('with a wrong password changes nothing', async () => {
    await signIn();
    const ran = await signIn('wrong');
    expect(ran.code).toBe(7);
    expect(milkrun.config().contexts.default.token).toBe('ms_new');
  });

  test('of several businesses it keeps the one that was chosen', async () => {
    businesses = [businessRecord('0198c1a2-0000-7000-8000-000000000002'), businessRecord(businessId)];
    await signIn();
    expect(milkrun.config().contexts.default.business).toBeUndefined();
    await milkrun.run(['business', 'use', 'nonsense']);
    expect(milkrun.config().contexts.default.business).toBeUndefined();
    service.on['businesses.get'] = ({ parameters }) => ({ body: businessRecord(parameters.id) });
    await milkrun.run(['business', 'use', businessId]);
    await signIn();
    expect(milkrun.config().contexts.default.business).toBe(businessId);
  });

  test('on a terminal it asks, and does not show the password', async () => {
    const ran = await milkrun.run(['sign-in'], { typed: ['a@depot.example', 'correct horse battery'] });
    expect(ran.code).toBe(0);
    expect(ran.stderr).not.toContain('horse');
    expect(service.seen[0].body).toEqual({ email: 'a@depot.example', password: 'correct horse battery' });
  });

  test('without a terminal and without a password it is wrong usage', async () => {
    expect(await milkrun.run(['sign-in', '--email', 'a@depot.example'])).toMatchObject({ code: 2 });
    expect(await milkrun.run(['sign-in', '--password', 'x'])).toMatchObject({ code: 2, stderr: 'milkrun: --email is missing\n' });
    expect(service.seen).toEqual([]);
  });
});

test('signing up creates the account and signs in', async () => {
  const ran = await milkrun.run(['sign-up', '--email', 'a@depot.example', '--name', 'A', '--password-stdin', '--json'], { stdin: 'correct horse battery' });
  expect(JSON.parse(ran.stdout)).toEqual({ context: 'default', url: service.url, business: businessId, expires_at: session.expires_at });
  expect(service.seen.map(({ operation }) => operation)).toEqual(['accounts.create', 'sessions.create', 'businesses.list']);
  expect(service.seen[0].body).toEqual({ email: 'a@depot.example', password: 'correct horse battery', name: 'A' });
});

test('a new password is typed twice, and both are the same', async () => {
  const ran = await milkrun.run(['sign-up', '--email', 'a@depot.example'], { typed: ['correct horse battery', 'correct horse'] });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('the two passwords differ');
});

describe('signing out', () => {
  test('ends the session and forgets it', async () => {
    await signIn();
    expect(await milkrun.run(['sign-out'])).toMatchObject({ code: 0 });
    expect(service.seen.at(-1)).toMatchObject({ operation: 'sessions.delete', headers: { authorization: 'Bearer ms_new' } });
    expect(milkrun.config().contexts.default).toEqual({ url: service.url, business: businessId });
    expect(await milkrun.run(['sign-out'])).toMatchObject({ code: 2, stderr: 'milkrun: nobody is signed in\n' });
  });

  test('of a session that has ended already is just as well', async () => {
    await signIn();
    service.on['sessions.delete'] = () => ({ status: 401, body: { error: { code: 'unauthorized', message: 'expired' } } });
    expect(await milkrun.run(['sign-out'])).toMatchObject({ code: 0 });
    expect(milkrun.config().contexts.default.token).toBeUndefined();
  });
});

describe('whoami', () => {
  test('tells account, place and business', async () => {
    await signIn();
    expect((await milkrun.run(['whoami'])).stdout).toContain(`Milk & Bread (${businessId})`);
    expect(JSON.parse((await milkrun.run(['whoami', '--json'])).stdout)).toMatchObject({ email: 'a@depot.example', context: 'default', credential: 'session', business: businessId });
  });

  test('a key is told without asking who it is, because it is nobody', async () => {
    const ran = await milkrun.run(['whoami', '--token', 'mk_1', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ credential: 'key' });
    expect(service.seen).toEqual([]);
  });
});

test('businesses create --use goes on with the new business', async () => {
  await signIn();
  service.on['businesses.create'] = ({ body }) => ({ body: businessRecord('0198c1a2-0000-7000-8000-000000000003', body) });
  const ran = await milkrun.run(['businesses', 'create', '--name', 'New', '--time-zone', 'Europe/Berlin', '--use']);
  expect(ran.stdout).toContain('Europe/Berlin');
  expect(milkrun.config().contexts.default).toEqual({ url: service.url, token: 'ms_new', business: '0198c1a2-0000-7000-8000-000000000003' });
});
