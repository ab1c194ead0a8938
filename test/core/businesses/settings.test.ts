import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createBusiness, signedIn, type TestBusiness } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { order, pathsOf, type Made } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let admin: Client;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  admin = await signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  business = await createBusiness(service, {}, admin);
});

const read = async (): Promise<Made> => (await business.admin.get(`${business.path}/settings`)).body;
const put = (body: Made, headers = {}) => business.admin.put(`${business.path}/settings`, body, headers);

test('a business begins with the defaults', async () => {
  expect(await read()).toMatchObject({
    id: business.id, revision: 1, name: 'Test depot', time_zone: 'Europe/Berlin',
    planning: { travel_metric: 'time', objectives: ['completed_tasks', 'travel'], location_freshness_seconds: 300, min_rest_seconds: null, notify_unplanned: false },
    evidence: { require_photos: false, require_signature: false }, routing: { engine: 'engine_b', update_schedule: '0 3 * * 0' },
  });
  expect(await read()).toEqual((await business.admin.get(business.path)).body);
});

test('groups merge one level deep, by PUT as by PATCH', async () => {
  await put({ planning: { min_rest_seconds: 39_600 }, evidence: { require_photos: true } });
  const { body } = await business.admin.patch(`${business.path}/settings`, { planning: { objectives: ['travel'] }, name: ' Renamed ' });
  expect(body).toMatchObject({ name: 'Renamed', time_zone: 'Europe/Berlin', evidence: { require_photos: true, require_signature: false }, planning: { objectives: ['travel'], min_rest_seconds: 39_600, travel_metric: 'time' } });
});

test('what was read can be put back, and nothing changes', async () => {
  const before = await read();
  expect((await put(before)).body).toEqual(before);
  expect((await put(Object.fromEntries(Object.entries(before).reverse()))).body).toEqual(before);
});

test('a stale revision is refused, and of two that edit one wins', async () => {
  expect((await put({ name: 'New', revision: 1 })).body.revision).toBe(2);
  expect((await put({ name: 'Newer', revision: 1 })).status).toBe(409);
  expect((await put({ name: 'Newer' }, { 'if-match': '"1"' })).status).toBe(412);
  const replies = await Promise.all(['a', 'b', 'c'].map((name) => put({ name, revision: 2 })));
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409, 409]);
  expect((await put({ name: 'Last' }, { 'if-match': '"3"' })).status).toBe(200);
});

test('another zone leaves appointments at their instants', async () => {
  const made = await order(business);
  expect((await put({ time_zone: ' America/New_York ' })).body.time_zone).toBe('America/New_York');
  expect((await business.admin.get(`${business.path}/orders/${made.id}`)).body).toEqual(made);
});

describe('what breaks a rule is 422', () => {
  test.each<[Made, string]>([
    [{ name: '  ' }, '/name'], [{ name: 'x'.repeat(201) }, '/name'], [{ time_zone: 'Mars/Olympus' }, '/time_zone'], [{ time_zone: '+01:00' }, '/time_zone'], [{ time_zone: 'europe/berlin' }, '/time_zone'], [{ time_zone: '' }, '/time_zone'],
    [{ planning: { travel_metric: 'money' } }, '/planning/travel_metric'], [{ planning: { objectives: ['travel', 'travel'] } }, '/planning/objectives'], [{ planning: { objectives: ['profit'] } }, '/planning/objectives/0'],
    [{ planning: { min_rest_seconds: -1 } }, '/planning/min_rest_seconds'], [{ planning: { speed: 1 } }, '/planning/speed'], [{ routing: { engine: 'engine_c' } }, '/routing/engine'],
  ])('%j', async (body, path) => {
    const reply = await put(body);
    expect([reply.status, pathsOf(reply)]).toEqual([422, [path]]);
    expect((await admin.post('/api/v1/businesses', { name: 'B', time_zone: 'Europe/Berlin', ...body })).status).toBe(422);
    expect((await read()).revision).toBe(1);
  });
});

describe('what is of the wrong type is 400', () => {
  test.each<[Made, string]>([
    [{ name: 7 }, '/name'], [{ name: null }, '/name'], [{ time_zone: [] }, '/time_zone'], [{ planning: null }, '/planning'], [{ planning: { notify_unplanned: 'yes' } }, '/planning/notify_unplanned'],
    [{ planning: { min_rest_seconds: 1.5 } }, '/planning/min_rest_seconds'], [{ evidence: [] }, '/evidence'], [{ routing: { update_schedule: 5 } }, '/routing/update_schedule'], [{ revision: '1' }, '/revision'],
  ])('%j', async (body, path) => {
    const reply = await put(body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation']);
    expect(reply.body.error.message).toContain(path);
  });
});

describe('the update schedule', () => {
  test.each(['0 3 * * 0', '*/15 0-6,22 1,15 jan-mar MON-FRI', '59 23 31 12 7', '  5\t4 *  * sun ', '0 0-23/2 * * *'])('%j is one', async (schedule) => {
    expect((await put({ routing: { update_schedule: schedule } })).body.routing.update_schedule).toBe(schedule.trim().replaceAll(/\s+/g, ' '));
  });

  test.each(['', '@weekly', '0 3 * *', '0 0 3 * * 0', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *', '* * * 13 *', '* * * * 8', 'H 3 * * 0', '0 3 ? * 0', '*/0 * * * *', '5-1 * * * *', '1,,2 * * * *', '0 3 * * L', '-1 * * * *', '1.5 * * * *', '* * * * mon-', '1/5 * * * *'])('%j is none', async (schedule) => {
    const reply = await put({ routing: { update_schedule: schedule } });
    expect([reply.status, pathsOf(reply)]).toEqual([422, ['/routing/update_schedule']]);
  });
});

test('a business needs a name and a zone, and nothing else', async () => {
  expect(pathsOf(await business.admin.post('/api/v1/businesses', {}))).toEqual(['/name', '/time_zone']);
  const { status, headers, body } = await business.admin.post('/api/v1/businesses', { name: ' B ', time_zone: 'Europe/Berlin', revision: 17 });
  expect([status, headers.get('location'), body.name, body.revision]).toEqual([201, `/api/v1/businesses/${body.id}`, 'B', 1]);
});
