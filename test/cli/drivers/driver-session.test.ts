import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { signedIn, type CommandLine } from '../command-line.ts';
import { driverRecord, orderRecord, planRecord, stop } from '../records.ts';
import { startServiceDouble, type ServiceDouble } from '../service-double.ts';

const session = { access_token: 'md_1', token_type: 'Bearer', expires_at: '2026-04-01T00:00:00Z' };

let service: ServiceDouble;
let milkrun: CommandLine;
beforeAll(async () => { service = await startServiceDouble(); });
afterAll(() => service.close());
beforeEach(() => {
  const published = { revision: 1, published_at: '2026-03-01T00:00:00Z', publication_id: 'x', driver_id: 'd-1', start_at: null, end_at: null, stops: [stop(1, 'o-1')], return_leg: null };
  service.seen.length = 0;
  service.on = {
    'driver.sessions.create': () => ({ body: session }),
    'driver.me': () => ({ body: driverRecord('d-1') }),
    'driver.refresh': () => ({ body: { driver: driverRecord('d-1'), plans: [planRecord('p-1', { stops: [], published })], orders: [orderRecord('o-1', { status: 'on_road' })], server_time: '2026-03-02T06:00:00Z' } }),
    'driver.sessions.delete': () => ({}),
  };
  milkrun = signedIn(service.url);
});

test('a driver signs in beside the administrator, sees the published stops, and signs out', async () => {
  expect(await milkrun.run(['drivers', 'sign-in', '--code', 'ma_1'])).toMatchObject({ code: 0, stdout: '' });
  expect(service.seen[0]).toMatchObject({ body: { activation_code: 'ma_1' } });
  expect(service.seen[0].headers.authorization).toBeUndefined();
  expect(milkrun.config()).toEqual({ current_driver: 'driver:d-1', contexts: { 'driver:d-1': { url: service.url, token: 'md_1' } } });

  const refresh = await milkrun.run(['driver', 'refresh']);
  expect(refresh.stdout).toContain('1  task  o-1    2026-03-02T07:12:00Z  2026-03-02T07:30:00Z  on_road  52.51,13.41');
  expect((await milkrun.run(['driver', 'me', '--json'])).code).toBe(0);
  expect(await milkrun.run(['driver', 'sign-out'])).toMatchObject({ code: 0 });
  expect(service.seen.slice(1).map(({ headers }) => headers.authorization)).toEqual(Array.from({ length: 4 }, () => 'Bearer md_1'));
  expect(milkrun.config().contexts['driver:d-1'].token).toBeUndefined();
});

test('--json prints the session and keeps nothing', async () => {
  expect(JSON.parse((await milkrun.run(['drivers', 'sign-in', '--code', 'ma_1', '--json'])).stdout)).toEqual(session);
  expect(milkrun.config()).toEqual({ contexts: {} });
});

test('a code that was used is refused', async () => {
  service.on['driver.sessions.create'] = () => ({ status: 401, body: { error: { code: 'unauthorized', message: 'the code is not valid' } } });
  expect(await milkrun.run(['drivers', 'sign-in', '--code', 'ma_1'])).toMatchObject({ code: 7, stdout: '' });
  expect(milkrun.config()).toEqual({ contexts: {} });
});
