import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { networkOf, openRateLimits, type RateLimits } from '../../daemon/rate-limits.ts';
import { createBusiness, keyClient, password, type TestBusiness } from '../support/business.ts';
import { redisProgram, startRedis, type TestRedis } from '../support/redis.ts';
import { startService, type TestService } from '../support/service.ts';

const log = pino({ level: 'silent' });

describe('a service with limits', () => {
  let service: TestService;
  let business: TestBusiness;

  beforeAll(async () => {
    service = await startService({ env: { MILKRUN_RATE_LIMIT: '8', MILKRUN_SIGN_IN_RATE_LIMIT: '5', MILKRUN_TRUSTED_PROXIES: '127.0.0.1' } });
    business = await createBusiness(service);
  });
  afterAll(() => service.close());

  test('a credential has so many requests, and is told how many are left and when there are more', async () => {
    const client = await keyClient(business, ['orders.read']);
    const first = await client.get(`${business.path}/orders`);
    expect(first.headers.get('ratelimit-policy')).toBe('"credential";q=8;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"credential";r=7;t=(60|[1-5]?\d)$/);
    // What is refused counts as well.
    for (let i = 0; i < 7; i++) await client.get(`${business.path}/vehicles`);
    const refused = await client.get(`${business.path}/orders`);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+$/);
    // Another credential of the same business goes on.
    expect((await business.admin.get('/api/v1/me')).status).toBe(200);
  });

  test('an address has so many tries to sign in, and only proxies may speak for another', async () => {
    const signIn = (address: string) => service.anonymous.post('/api/v1/sessions', { email: 'nobody@depot.example', password }, { 'x-forwarded-for': address });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await signIn('198.51.100.7')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await service.anonymous.post('/api/v1/driver/sessions', { activation_code: 'guess' }, { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' })).status).toBe(429);
    const other = await signIn('198.51.100.8');
    expect([other.status, other.headers.get('ratelimit-policy')]).toEqual([401, '"address";q=5;w=60']);
  });

  test('probes are not counted', async () => {
    for (let i = 0; i < 10; i++) expect((await service.anonymous.get('/livez')).status).toBe(200);
  });
});

test('without limits nothing is said of them', async () => {
  const limits = openRateLimits({ requestsPerMinute: null, signInsPerMinute: null, redisUrl: null }, log);
  expect(await limits.count('credential', 'key 1')).toEqual({});
  await limits.close();
});

test('a network of IPv6 counts as one address', () => {
  expect(['198.51.100.7', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::9', '::1', '2001:db8::'].map(networkOf)).toEqual(['198.51.100.7', '2001:db8:1:2::/64', '2001:db8:1:2::/64', '0:0:0:0::/64', '2001:db8:0:0::/64']);
});

const withRedis = redisProgram ? describe : describe.skip;
withRedis('on Redis (needs redis-server or valkey-server in the PATH)', () => {
  let redis: TestRedis;
  let processes: RateLimits[];
  const open = () => openRateLimits({ requestsPerMinute: 3, signInsPerMinute: null, redisUrl: redis.url }, log);

  beforeAll(async () => {
    redis = await startRedis(redisProgram!);
    processes = [open(), open()];
  });
  afterAll(async () => {
    await Promise.all(processes.map((limits) => limits.close()));
  });

  const left = async (limits: RateLimits, of: string) => (await limits.count('credential', of)).RateLimit?.replace(/;t=.*/, '');

  test('all processes count together, and each for itself while Redis is away', async () => {
    await connected();
    expect([await left(processes[0], 'key 1'), await left(processes[1], 'key 1')]).toEqual(['"credential";r=2', '"credential";r=1']);
    await left(processes[1], 'key 1');
    await expect(left(processes[0], 'key 1')).rejects.toMatchObject({ status: 429 });
    await redis.stop();
    expect([await left(processes[0], 'key 2'), await left(processes[1], 'key 2')]).toEqual(['"credential";r=2', '"credential";r=2']);
  });

  /** Until both are connected: a request does not wait for that. */
  async function connected(): Promise<void> {
    for (let i = 0; ; i++) {
      await left(processes[0], `probe ${i}`);
      if ((await left(processes[1], `probe ${i}`)) === '"credential";r=1') return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});
