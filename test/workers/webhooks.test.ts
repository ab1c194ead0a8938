import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { openStore, type Store } from '../../core/db/store.ts';
import { claimNext, recordAttempt } from '../../core/webhooks/attempts.ts';
import { forgetOld } from '../../core/webhooks/due.ts';
import { fanOut } from '../../core/webhooks/fan-out.ts';
import { takeTurn } from '../../core/webhooks/take-turn.ts';
import { createBusiness, type TestBusiness } from '../support/business.ts';
import { answer, startEndpoint, type Endpoint, type Received, type Respond } from '../support/endpoint.ts';
import { query } from '../support/line-world.ts';
import { order, orderFields } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

const env = { MILKRUN_WEBHOOK_TARGETS: 'any' };
let service: TestService;
let business: TestBusiness;
let path: string;
let endpoints: Endpoint[] = [];

beforeEach(() => {
  endpoints = [];
});
afterEach(async () => {
  // Whatever is left of a test must not reach the workers of the next one.
  await query(service.databaseUrl, 'update webhooks set active = false where active');
  for (const endpoint of endpoints) await endpoint.close();
});

async function endpointWith(respond?: Respond): Promise<Endpoint> {
  const endpoint = await startEndpoint(respond);
  endpoints.push(endpoint);
  return endpoint;
}

async function newBusiness(): Promise<void> {
  business = await createBusiness(service);
  path = `${business.path}/webhooks`;
}

const webhookTo = async (endpoint: Endpoint, body: Record<string, unknown> = {}) => (await business.admin.post(path, { name: 'Shop', url: endpoint.url, events: ['*'], ...body })).body;
const deliveriesOf = async (id: string, filter = '') => (await business.admin.get(`${path}/${id}/deliveries${filter}`)).body.items;
/** Waits until the deliveries of a webhook are as a test expects. */
async function untilDeliveries(id: string, expected: (deliveries: any[]) => boolean): Promise<any[]> {
  for (;;) {
    const deliveries = await deliveriesOf(id);
    if (expected(deliveries)) return deliveries;
    await new Promise((resolve) => { setTimeout(resolve, 25); });
  }
}
const allAre = (status: string, count = 1) => (deliveries: any[]): boolean => deliveries.length === count && deliveries.every((delivery) => delivery.status === status);
/** The wait until the next attempt is over. */
const hasten = (id: string) => query(service.databaseUrl, `update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and status in ('pending', 'failed')`, [id]);
const verified = ({ text, headers }: Received, secret: string) => new Verifier(secret).verify(text, headers as Record<string, string>);

describe('with workers', () => {
  beforeAll(async () => {
    service = await startService({ workers: true, env });
  });
  beforeEach(newBusiness);
  afterAll(() => service.close());

  test('an event arrives signed, with the id of the request behind it', async () => {
    const endpoint = await endpointWith();
    const { id, secret } = await webhookTo(endpoint);
    const created = await business.admin.post(`${business.path}/orders`, orderFields, { 'x-request-id': 'from-the-shop' });
    const [received] = await endpoint.until(1);
    expect(verified(received, secret)).toEqual({ id: received.headers['webhook-id'], type: 'order.created', timestamp: expect.any(String), business_id: business.id, data: { ...created.body, sequence: 1 } });
    expect(received.headers).toMatchObject({ 'x-request-id': 'from-the-shop', 'content-type': 'application/json' });
    const [delivery] = await untilDeliveries(id, allAre('delivered'));
    expect(delivery).toMatchObject({ event_id: received.body.id, attempts: 1, response_status: 204, error: null, next_attempt_at: null, delivered_at: expect.any(String), attempt_log: [{ attempt: 1, response_status: 204, error: null }] });
  });

  test('everybody gets what they subscribe to, and nobody what is another business\'s', async () => {
    const [all, some, off, foreign] = await Promise.all([endpointWith(), endpointWith(), endpointWith(), endpointWith()]);
    const other = await createBusiness(service);
    await webhookTo(all);
    await webhookTo(some, { events: ['order.deleted', 'plan.created'] });
    await webhookTo(off, { active: false });
    await other.admin.post(`${other.path}/webhooks`, { name: 'Other', url: foreign.url, events: ['*'] });
    await order(business, { id: 'a' });
    await business.admin.patch(`${business.path}/orders/a`, { duration_seconds: 100 });
    await business.admin.delete(`${business.path}/orders/a`);
    await Promise.all([all.until(3), some.until(1)]);
    expect(all.received.map(({ body }) => [body.type, body.data.sequence]).toSorted()).toEqual([['order.created', 1], ['order.deleted', 3], ['order.updated', 2]]);
    expect(some.received.map(({ body }) => body.type)).toEqual(['order.deleted']);
    expect([...off.received, ...foreign.received]).toEqual([]);
  });

  test('what fails is sent again, the same bytes under the same id, and each attempt is on record', async () => {
    const endpoint = await endpointWith(answer(500, {}, 'out of order'));
    const { id, secret } = await webhookTo(endpoint);
    await business.admin.post(`${path}/${id}/test`);
    const [failed] = await untilDeliveries(id, allAre('failed'));
    expect(failed).toMatchObject({ attempts: 1, response_status: 500, response_body: 'out of order', error: 'answered 500', delivered_at: null });
    const waitSeconds = (Date.parse(failed.next_attempt_at) - Date.parse(failed.updated_at)) / 1_000;
    expect(waitSeconds).toBeGreaterThanOrEqual(5);
    expect(waitSeconds).toBeLessThanOrEqual(5.51);
    expect((await business.admin.get(`${path}/${id}`)).body.failing_since).not.toBeNull();

    endpoint.respond = answer(302, { location: '/elsewhere' });
    await hasten(id);
    await untilDeliveries(id, ([delivery]) => delivery.attempts === 2 && delivery.response_status === 302);
    endpoint.respond = answer(200, {}, 'thanks');
    await hasten(id);
    const [delivered] = await untilDeliveries(id, allAre('delivered'));
    expect(delivered.attempt_log.map((each: any) => [each.attempt, each.response_status, each.error])).toEqual([[1, 500, 'answered 500'], [2, 302, 'answered 302; redirects are not followed'], [3, 200, null]]);
    expect(new Set(endpoint.received.map(({ text, headers }) => `${headers['webhook-id']} ${text}`)).size).toBe(1);
    for (const received of endpoint.received) verified(received, secret);
    expect((await business.admin.get(`${path}/${id}`)).body).toMatchObject({ failing_since: null, active: true, revision: 1 });
  });

  test('after the last attempt it is given up, and can be sent again by hand', async () => {
    const endpoint = await endpointWith(answer(503));
    const { id } = await webhookTo(endpoint);
    await business.admin.post(`${path}/${id}/test`);
    await untilDeliveries(id, allAre('failed'));
    await query(service.databaseUrl, 'update webhook_deliveries set failures = 9 where webhook_id = $1', [id]);
    await hasten(id);
    const [lost] = await untilDeliveries(id, allAre('gave_up'));
    expect(lost).toMatchObject({ next_attempt_at: null, error: 'answered 503' });
    endpoint.respond = answer(204);
    await business.admin.post(`${path}/${id}/deliveries/${lost.id}/redeliver`);
    await untilDeliveries(id, allAre('delivered'));
    await business.admin.post(`${path}/${id}/deliveries/${lost.id}/redeliver`);
    await endpoint.until(4);
    expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([lost.event_id]));
  });

  test('410 switches the webhook off; recovering sends what was missed', async () => {
    const endpoint = await endpointWith(answer(410));
    const { id } = await webhookTo(endpoint, { events: ['order.created'] });
    await order(business, { id: 'a' });
    await untilDeliveries(id, allAre('gave_up'));
    const switchedOff = async () => (await business.admin.get(`${path}/${id}`)).body;
    while ((await switchedOff()).active);
    expect(await switchedOff()).toMatchObject({ disabled_reason: 'the endpoint answered 410: it is gone', revision: 2 });
    await order(business, { id: 'missed' });
    const missed = await untilDeliveries(id, allAre('gave_up', 2));
    expect(missed[1]).toMatchObject({ attempts: 0, error: 'the webhook was switched off' });
    endpoint.respond = answer(204);
    const on = await business.admin.patch(`${path}/${id}`, { active: true });
    expect(on.body).toMatchObject({ active: true, disabled_reason: null, failing_since: null });
    expect((await business.admin.post(`${path}/${id}/recover`, { since: missed[0].created_at })).body).toEqual({ recovered: 2 });
    await untilDeliveries(id, allAre('delivered', 2));
    expect(endpoint.received.slice(1).map(({ body }) => body.data.id).toSorted()).toEqual(['a', 'missed']);
  });

  test('five days of failures switch it off', async () => {
    const endpoint = await endpointWith(answer(500));
    const { id } = await webhookTo(endpoint);
    await business.admin.post(`${path}/${id}/test`);
    await untilDeliveries(id, allAre('failed'));
    await query(service.databaseUrl, `update webhooks set failing_since = now() - interval '5 days', last_failure_at = now() - interval '20 hours' where id = $1`, [id]);
    await hasten(id);
    await untilDeliveries(id, allAre('gave_up'));
    let webhook;
    do webhook = (await business.admin.get(`${path}/${id}`)).body; while (webhook.active);
    expect(webhook.disabled_reason).toBe('no delivery has succeeded for 5 days; the last failure: answered 500');
    const { items } = (await business.admin.get(`${business.path}/notifications`)).body;
    expect(items).toMatchObject([{ kind: 'webhook_disabled', message: 'The webhook "Shop" has been switched off: no delivery has succeeded for 5 days; the last failure: answered 500', data: { webhook_id: id } }]);
  });

  test('a failure long after another one is not five days of failures', async () => {
    const endpoint = await endpointWith(answer(500));
    const { id } = await webhookTo(endpoint);
    await query(service.databaseUrl, `update webhooks set failing_since = now() - interval '90 days', last_failure_at = now() - interval '88 days' where id = $1`, [id]);
    await business.admin.post(`${path}/${id}/test`);
    await untilDeliveries(id, allAre('failed'));
    let webhook;
    do webhook = (await business.admin.get(`${path}/${id}`)).body; while (Date.parse(webhook.failing_since) < Date.now() - 86_400_000);
    expect(webhook.active).toBe(true);
  });

  test('an endpoint that asks for time gets it, for all its deliveries', async () => {
    const endpoint = await endpointWith(answer(429, { 'retry-after': '600' }));
    const { id } = await webhookTo(endpoint, { events: ['order.created'] });
    await business.admin.post(`${business.path}/orders/batch`, { items: Array.from({ length: 40 }, () => orderFields) });
    await untilDeliveries(id, (deliveries) => deliveries.some((delivery) => delivery.status === 'failed'));
    const [throttled] = await deliveriesOf(id, '?status=failed');
    expect((Date.parse(throttled.next_attempt_at) - Date.parse(throttled.updated_at)) / 1_000).toBeCloseTo(600, 0);
    await hasten(id);
    // Others are served in the meantime; this one is left alone.
    const other = await endpointWith();
    const { id: otherId } = await webhookTo(other);
    for (let count = 0; count < 3; count++) await business.admin.post(`${path}/${otherId}/test`);
    await other.until(3);
    expect(endpoint.received.length).toBeLessThanOrEqual(4);
    expect(await deliveriesOf(id, '?status=pending')).not.toEqual([]);
  });

  test('endpoints that do not answer delay nobody else, and have four requests at a time at most', async () => {
    const held: (() => void)[] = [];
    const silent = await Promise.all(Array.from({ length: 6 }, () => endpointWith((_received, response) => void held.push(() => response.writeHead(204).end()))));
    const quick = await endpointWith();
    for (const endpoint of silent) await webhookTo(endpoint, { events: ['order.created'] });
    const { id } = await webhookTo(quick, { events: ['order.created'] });
    await business.admin.post(`${business.path}/orders/batch`, { items: Array.from({ length: 30 }, (_, index) => ({ ...orderFields, id: `o${index}` })) });
    await quick.until(30);
    expect(held.length).toBeLessThanOrEqual(24);
    await untilDeliveries(id, allAre('delivered', 30));
    for (const endpoint of silent) {
      await endpoint.until(1);
      endpoint.respond = answer(204);
    }
    for (const release of held) release();
    for (const endpoint of silent) await endpoint.until(30);
    expect(Math.max(...silent.map(({ mostAtOnce }) => mostAtOnce))).toBeLessThanOrEqual(4);
  });

  test('for a day after a rotation both secrets verify', async () => {
    const endpoint = await endpointWith();
    const { id, secret: first } = await webhookTo(endpoint);
    const { secret: second } = (await business.admin.post(`${path}/${id}/rotate-secret`)).body;
    await business.admin.post(`${path}/${id}/test`);
    const [both] = await endpoint.until(1);
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const secret of [first, second]) verified(both, secret);
    await query(service.databaseUrl, 'update webhook_secrets set expires_at = now() where webhook_id = $1 and expires_at is not null', [id]);
    await business.admin.post(`${path}/${id}/test`);
    const after = (await endpoint.until(2))[1];
    verified(after, second);
    expect(() => verified(after, first)).toThrow('No matching signature found');
  });
});

describe('without workers, step by step', () => {
  let store: Store;
  beforeAll(async () => {
    service = await startService({ env });
    store = await openStore(service.databaseUrl);
  });
  beforeEach(newBusiness);
  afterAll(async () => {
    await store.close();
    await service.close();
  });
  const never = new AbortController().signal;
  const turn = (webhookId: string, overrides: Partial<Parameters<typeof takeTurn>[0]> = {}, stop = never) =>
    takeTurn({ store, targets: 'any', breakOff: never, ...overrides }, { businessId: business.id, webhookId }, stop);

  test('events are fanned out once, in their order, by however many', async () => {
    const endpoint = await endpointWith();
    const { id } = await webhookTo(endpoint, { events: ['order.created', 'order.updated'] });
    const ids = Array.from({ length: 700 }, (_, index) => `o${index}`);
    await business.admin.post(`${business.path}/orders/batch`, { items: ids.map((each) => ({ ...orderFields, id: each })) });
    await business.admin.patch(`${business.path}/orders/o7`, { duration_seconds: 60 });
    for (let done = false; !done;) done = (await Promise.all([fanOut(store), fanOut(store), fanOut(store)])).includes(0);
    const rows = await query(service.databaseUrl, 'select e.data from webhook_deliveries d join events e on e.id = d.event_id where d.webhook_id = $1 order by d.position', [id]);
    expect(rows.map(({ data }: any) => data.id)).toEqual([...ids, 'o7']);
    expect(await fanOut(store)).toBe(0);
    expect(await deliveriesOf(id)).toHaveLength(701);
  });

  test('fanning out that is broken off leaves nothing half', async () => {
    const { id } = await webhookTo(await endpointWith());
    await order(business);
    await query(service.databaseUrl, `alter table webhook_deliveries add constraint broken check (status <> 'pending') not valid`);
    await expect(fanOut(store)).rejects.toThrow('broken');
    await query(service.databaseUrl, 'alter table webhook_deliveries drop constraint broken');
    expect(await deliveriesOf(id)).toEqual([]);
    expect(await fanOut(store)).toBe(1);
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  test('what is older than 30 days goes when it is finished, events and deliveries', async () => {
    const { id } = await webhookTo(await endpointWith());
    for (let count = 0; count < 4; count++) await business.admin.post(`${path}/${id}/test`);
    await order(business);
    await fanOut(store);
    const [finished, open, young, ...rest] = await deliveriesOf(id);
    await query(service.databaseUrl, `update webhook_deliveries set status = 'delivered' where id = any($1)`, [[finished.id, young.id]]);
    for (const table of ['webhook_deliveries', 'events']) {
      await query(service.databaseUrl, `update ${table} set created_at = now() - interval '31 days' where business_id = $1 and ${table === 'events' ? 'id' : 'event_id'} = any($2)`, [business.id, [finished.event_id, open.event_id]]);
    }
    expect(await forgetOld(store)).toBe(false);
    expect((await deliveriesOf(id)).map((delivery: any) => delivery.id).toSorted()).toEqual([open, young, ...rest].map((delivery: any) => delivery.id).toSorted());
    const events = await query(service.databaseUrl, 'select id from events where business_id = $1', [business.id]);
    expect(events.map((event) => event.id).toSorted()).toEqual([open, young, ...rest].map((delivery: any) => delivery.event_id).toSorted());
  });

  test('a result that comes after somebody else has taken over is not written', async () => {
    const { id } = await webhookTo(await endpointWith());
    await business.admin.post(`${path}/${id}/test`);
    const ref = { businessId: business.id, webhookId: id };
    const slow = (await claimNext(store, ref))!;
    expect(await claimNext(store, ref)).toBeNull();
    await hasten(id);
    const fast = (await claimNext(store, ref))!;
    expect([slow.attempt, fast.attempt, fast.deliveryId]).toEqual([1, 2, slow.deliveryId]);
    const report = { startedAt: new Date(), responseBody: '', durationMs: 1 };
    expect(await recordAttempt(store, fast, { ...report, outcome: { kind: 'delivered' }, responseStatus: 204 })).toBe(true);
    expect(await recordAttempt(store, slow, { ...report, outcome: { kind: 'retry', afterSeconds: 5, error: 'late', pauseSeconds: 0 }, responseStatus: 500 })).toBe(false);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 2, attempt_log: [{ attempt: 2 }] }]);
  });

  test('a worker that is killed between sending and writing down: another one sends again', async () => {
    const worker = spawn(process.execPath, [fileURLToPath(new URL('../../bin/milkrun.ts', import.meta.url)), 'worker', '--queues', 'webhooks'], {
      env: { PATH: process.env.PATH, DATABASE_URL: service.databaseUrl, MILKRUN_LOG_LEVEL: 'silent', ...env }, stdio: 'ignore',
    });
    const ended = new Promise((resolve) => { worker.on('exit', (_code, killedBy) => resolve(killedBy)); });
    const endpoint = await endpointWith((_received, response) => {
      worker.kill('SIGKILL');
      void ended.then(() => response.writeHead(204).end());
    });
    const { id } = await webhookTo(endpoint);
    await business.admin.post(`${path}/${id}/test`);
    await endpoint.until(1);
    expect(await ended).toBe('SIGKILL');
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, attempt_log: [] }]);
    endpoint.respond = answer(204);
    await turn(id);
    expect(endpoint.received).toHaveLength(1);
    await hasten(id);
    await turn(id);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
    expect(endpoint.received[1].text).toBe(endpoint.received[0].text);
  });

  test('a worker that stops gives back what is under way, which is no failure', async () => {
    const [stop, breakOff] = [new AbortController(), new AbortController()];
    const endpoint = await endpointWith(() => {
      stop.abort();
      breakOff.abort();
    });
    const { id } = await webhookTo(endpoint);
    await business.admin.post(`${path}/${id}/test`);
    await turn(id, { breakOff: breakOff.signal }, stop.signal);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, error: null }]);
    expect((await business.admin.get(`${path}/${id}`)).body.failing_since).toBeNull();
    endpoint.respond = answer(204);
    await turn(id);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]);
  });

  test('switching off while requests are under way sends no more of them, and an answer that comes is still written', async () => {
    const endpoint = await endpointWith(async (_received, response) => {
      await business.admin.patch(`${path}/${id}`, { active: false });
      response.writeHead(204).end();
    });
    const { id } = await webhookTo(endpoint);
    for (let count = 0; count < 12; count++) await business.admin.post(`${path}/${id}/test`);
    await turn(id);
    const deliveries = await deliveriesOf(id);
    const sent = endpoint.received.length;
    expect(sent).toBeLessThanOrEqual(4);
    expect(deliveries.filter(({ status }: any) => status === 'delivered')).toHaveLength(sent);
    expect(deliveries.filter(({ status }: any) => status === 'gave_up')).toHaveLength(12 - sent);
  });
});
