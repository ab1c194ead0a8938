import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { retryAfterSeconds, type PushMessage, type PushSender } from '../../../core/push/outcome.ts';
import { openSenders } from '../../../core/push/senders.ts';
import { accountKey, opened, pem, serviceAccount, signingKey, startProviderA, startProviderB } from '../../support/push-servers.ts';

const message: PushMessage = {
  id: '0198c0de-0000-7000-8000-000000000001', title: 'New plan', body: 'Changed.', data: { publication_id: 'p-1' }, expiresAt: new Date(Date.now() + 3_600_000), collapseKey: 'plans.published',
};
const running = new AbortController().signal;
const optionsA = (url: string, key = pem(signingKey)) => ({ key, keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', topic: 'com.example.driver', url });

describe('provider_a', () => {
  let server: Awaited<ReturnType<typeof startProviderA>>;
  let sender: PushSender;
  beforeAll(async () => {
    server = await startProviderA();
    sender = openSenders({ pushA: optionsA(server.url), pushB: null }).provider_a!;
  });
  afterEach(() => void (server.received.length = server.answers.length = 0));
  afterAll(async () => {
    await sender.close();
    await server.close();
  });

  test('a message goes out signed, over one connection', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => sender.send('00ff', message, running)));
    expect(outcomes).toEqual(outcomes.map(() => ({ kind: 'sent' })));
    expect(server.sessions).toBe(1);
    const [{ path, headers, body }] = server.received;
    expect(path).toBe('/3/device/00ff');
    expect(headers).toMatchObject({ 'apns-id': message.id, 'apns-topic': 'com.example.driver', 'apns-push-type': 'alert', 'apns-priority': '10', 'apns-collapse-id': 'plans.published', 'apns-expiration': String(Math.floor(message.expiresAt.getTime() / 1_000)) });
    expect(body).toEqual({ publication_id: 'p-1', aps: { alert: { title: 'New plan', body: 'Changed.' }, sound: 'default', 'content-available': 1 } });
    const { header, claims } = opened(headers.authorization.replace('bearer ', ''), signingKey.publicKey);
    expect(header).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'ABC123DEFG' });
    expect(claims).toEqual({ iss: 'DEF123GHIJ', iat: expect.any(Number) });
    // A new token for each message would be refused.
    expect(new Set(server.received.map((each) => each.headers.authorization)).size).toBe(1);
  });

  test.each([
    [{ status: 410, body: { reason: 'Unregistered', timestamp: 1_700_000_000_000 } }, { kind: 'gone', reason: '410 Unregistered', at: new Date(1_700_000_000_000) }],
    [{ status: 400, body: { reason: 'BadDeviceToken' } }, { kind: 'gone', reason: '400 BadDeviceToken' }],
    [{ status: 429, body: { reason: 'TooManyRequests' }, headers: { 'retry-after': '40' } }, { kind: 'retry', reason: '429 TooManyRequests', afterSeconds: 40 }],
    [{ status: 503 }, { kind: 'retry', reason: '503' }],
    [{ status: 400, body: { reason: 'BadTopic' } }, { kind: 'failed', reason: '400 BadTopic' }],
  ])('%j', async (answer, outcome) => {
    server.answers.push(answer);
    expect(await sender.send('00ff', message, running)).toEqual(outcome);
  });

  test('a token that has become too old is made anew, once', async () => {
    server.answers.push({ status: 403, body: { reason: 'ExpiredProviderToken' } });
    expect(await sender.send('00ff', message, running)).toEqual({ kind: 'sent' });
    server.answers.push({ status: 403, body: { reason: 'ExpiredProviderToken' } }, { status: 403, body: { reason: 'ExpiredProviderToken' } });
    expect(await sender.send('00ff', message, running)).toEqual({ kind: 'failed', reason: '403 ExpiredProviderToken' });
  });

  test('a broken connection is made anew', async () => {
    server.answers.push({ status: 0, hangUp: true });
    expect(await sender.send('00ff', message, running)).toMatchObject({ kind: 'retry' });
    expect(await sender.send('00ff', message, running)).toEqual({ kind: 'sent' });
  });

  test('a key that the service does not know, and a service that is not there', async () => {
    const stranger = openSenders({ pushA: optionsA(server.url, pem(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }))), pushB: null }).provider_a!;
    expect(await stranger.send('00ff', message, running)).toEqual({ kind: 'failed', reason: '403 InvalidProviderToken' });
    await stranger.close();
    const lost = openSenders({ pushA: optionsA('http://127.0.0.1:1'), pushB: null }).provider_a!;
    expect(await lost.send('00ff', message, running)).toMatchObject({ kind: 'retry', reason: expect.stringContaining('ECONNREFUSED') });
    await lost.close();
  });
});

describe('provider_b', () => {
  let server: Awaited<ReturnType<typeof startProviderB>>;
  let sender: PushSender;
  beforeAll(async () => {
    server = await startProviderB();
    sender = openSenders({ pushA: null, pushB: { account: serviceAccount(server), url: server.url } }).provider_b!;
  });
  afterEach(() => void (server.received.length = server.answers.length = 0));
  afterAll(async () => {
    await sender.close();
    await server.close();
  });

  test('a message goes out with an access token, which all share', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => sender.send('device-1', message, running)));
    expect(outcomes).toEqual(outcomes.map(() => ({ kind: 'sent' })));
    expect(server.tokens).toBe(1);
    const [{ path, body }] = server.received;
    expect(path).toBe('/v1/projects/milk-run/messages:send');
    expect(body).toEqual({ message: { token: 'device-1', notification: { title: 'New plan', body: 'Changed.' }, data: { publication_id: 'p-1' }, android: { collapse_key: 'plans.published', priority: 'HIGH', ttl: expect.stringMatching(/^3[56]\d\ds$/) } } });
  });

  const fcmError = (status: number, code: string) => ({ status, body: { error: { code: status, status: 'X', details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: code }] } } });
  test.each([
    [fcmError(404, 'UNREGISTERED'), { kind: 'gone', reason: '404 UNREGISTERED' }],
    [fcmError(400, 'INVALID_ARGUMENT'), { kind: 'gone', reason: '400 INVALID_ARGUMENT' }],
    [{ status: 404, body: { error: { code: 404, status: 'NOT_FOUND' } } }, { kind: 'failed', reason: '404 NOT_FOUND' }],
    [{ status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } }, { kind: 'failed', reason: '400 INVALID_ARGUMENT' }],
    [{ ...fcmError(429, 'QUOTA_EXCEEDED'), headers: { 'retry-after': '60' } }, { kind: 'retry', reason: '429 QUOTA_EXCEEDED', afterSeconds: 60 }],
    [fcmError(503, 'UNAVAILABLE'), { kind: 'retry', reason: '503 UNAVAILABLE' }],
  ])('%j', async (answer, outcome) => {
    server.answers.push(answer);
    expect(await sender.send('device-1', message, running)).toEqual(outcome);
  });

  test('an access token that is refused is fetched anew', async () => {
    const before = server.tokens++;
    expect(await sender.send('device-1', message, running)).toEqual({ kind: 'sent' });
    expect(server.tokens).toBe(before + 2);
  });

  test('no access token, for now or for good', async () => {
    const other = () => openSenders({ pushA: null, pushB: { account: serviceAccount(server), url: server.url } }).provider_b!;
    server.tokenAnswers.push({ status: 503 });
    const sick = other();
    expect(await sick.send('device-1', message, running)).toMatchObject({ kind: 'retry', reason: 'no access token: 503' });
    expect(await sick.send('device-1', message, running)).toEqual({ kind: 'sent' });
    server.tokenAnswers.push({ status: 401, body: { error: 'invalid_client' } });
    expect(await other().send('device-1', message, running)).toEqual({ kind: 'failed', reason: 'no access token: 401 invalid_client' });
  });

  test('a service that hangs up is tried again', async () => {
    server.answers.push({ status: 0, hangUp: true });
    expect(await sender.send('device-1', message, running)).toMatchObject({ kind: 'retry' });
  });
});

describe('keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'milkrun-push-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('come from a file, or from the variable with escaped line ends', () => {
    const path = join(folder, 'key.p8');
    writeFileSync(path, pem(signingKey));
    expect(openSenders({ pushA: optionsA('http://127.0.0.1:1', path), pushB: null }).provider_a).not.toBeNull();
    expect(openSenders({ pushA: optionsA('http://127.0.0.1:1', pem(signingKey).replaceAll('\n', '\\n')), pushB: null }).provider_a).not.toBeNull();
  });

  test.each([
    ['MILKRUN_PUSH_A_KEY names a file that can not be read: ENOENT', { pushA: optionsA('http://127.0.0.1:1', '/no/such/file'), pushB: null }],
    ['MILKRUN_PUSH_A_KEY must hold a private key in PEM, on the curve P-256', { pushA: optionsA('http://127.0.0.1:1', pem(accountKey)), pushB: null }],
    ['MILKRUN_PUSH_B_ACCOUNT must hold the JSON of a service account with project_id, client_email, private_key and token_uri', { pushA: null, pushB: { account: '{"project_id":"p"}', url: 'http://127.0.0.1:1' } }],
  ])('%s', (complaint, config) => {
    expect(() => openSenders(config)).toThrow(complaint);
  });
});

test('seconds and dates of Retry-After', () => {
  expect([retryAfterSeconds('12'), retryAfterSeconds('Thu, 01 Jan 1970 00:01:00 GMT', 30_000), retryAfterSeconds('soon'), retryAfterSeconds(null)]).toEqual([12, 30, undefined, undefined]);
});
