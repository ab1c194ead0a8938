import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../core/config.ts';
import type { Service } from '../../daemon/call.ts';
import { startDaemon } from '../../daemon/main.ts';
import { createMetrics } from '../../daemon/metrics.ts';
import { probeRoutes } from '../../daemon/probes.ts';
import { createBusiness } from '../support/business.ts';
import { createClient } from '../support/client.ts';
import { createDatabase, rowsOf } from '../support/database.ts';
import { orderFields } from '../support/records.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a service that has what it needs is alive and ready', async () => {
  expect((await service.anonymous.get('/livez')).text).toBe('ok\n');
  expect((await service.anonymous.get('/readyz')).text).toBe('ok\n');
  const { status, text } = await service.anonymous.get('/readyz?verbose');
  expect([status, text]).toEqual([200, '[+] database ok\n[+] migrations ok\n[+] queue ok\n']);
});

test('the figures name routes, and no business', async () => {
  const business = await createBusiness(service);
  await business.admin.get(`${business.path}/orders/some-order`);
  await business.admin.get(`/nowhere/${business.id}`);
  const { status, text, headers } = await service.anonymous.get('/metrics');
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
  expect(text).toContain('milkrun_http_requests_total{method="GET",route="/api/v1/businesses/{id}/orders/{record_id}",status="404"} 1');
  expect(text).toContain('milkrun_http_requests_total{method="GET",route="none",status="404"}');
  expect(text).toMatch(/milkrun_queue_backlog\{queue="planning"\} 0/);
  expect(text).not.toContain(business.id);
  expect(text).not.toContain('some-order');
});

test('a service that stops says that it is not ready', async () => {
  const app = new Koa();
  app.use(probeRoutes({ stopping: AbortSignal.abort() } as Service, createMetrics()).routes());
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reply = await fetch(`${url}/readyz?verbose`);
    expect([reply.status, await reply.text()]).toEqual([503, '[-] draining failed: the service is stopping\n']);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a request in hand is answered before the service is gone', async () => {
  const leaving = await startService();
  const business = await createBusiness(leaving);
  let finish: () => void = () => {};
  const body = new ReadableStream({
    start(controller) {
      const text = JSON.stringify(orderFields);
      controller.enqueue(new TextEncoder().encode(text.slice(0, 10)));
      finish = () => {
        controller.enqueue(new TextEncoder().encode(text.slice(10)));
        controller.close();
      };
    },
  });
  const reply = fetch(`${leaving.url}${business.path}/orders`, { method: 'POST', body, duplex: 'half', headers: { authorization: `Bearer ${business.admin.token}`, 'content-type': 'application/json' } } as RequestInit);
  await new Promise((resolve) => { setTimeout(resolve, 100); });
  const closed = leaving.close();
  finish();
  expect((await reply).status).toBe(201);
  await closed;
  await expect(fetch(`${leaving.url}/livez`)).rejects.toThrow('fetch failed');
});

test('a port that is taken stops the start, and nothing stays open', async () => {
  const database = await createDatabase();
  try {
    const config = readConfig({ DATABASE_URL: database.url, MILKRUN_PORT: new URL(service.url).port, MILKRUN_LOG_LEVEL: 'silent' });
    await expect(startDaemon(config)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const [{ count }] = await rowsOf(database.url, 'select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
    expect(count).toBe(0);
  } finally {
    await database.drop();
  }
});

describe('without a database', () => {
  const configOf = (databaseUrl: string) => readConfig({ DATABASE_URL: databaseUrl, MILKRUN_PORT: '0', MILKRUN_REGISTRATION: 'open', MILKRUN_LOG_LEVEL: 'silent' });

  test('one that goes away makes every operation unavailable, and not the service dead', async () => {
    const database = await createDatabase();
    const daemon = await startDaemon(configOf(database.url));
    try {
      const client = createClient(daemon.url);
      const account = { email: 'a@depot.example', password: 'correct horse battery' };
      expect((await client.post('/api/v1/accounts', account)).status).toBe(201);
      const { body: session } = await client.post('/api/v1/sessions', account);
      await database.drop();
      for (let round = 0; round < 3; round++) {
        const replies = [await client.post('/api/v1/accounts', account), await client.post('/api/v1/sessions', account), await client.as(session.access_token).get('/api/v1/me')];
        for (const reply of replies) expect([reply.status, reply.body.error, reply.headers.get('retry-after')]).toEqual([503, { code: 'unavailable', message: 'the database can not be reached' }, '5']);
      }
      expect((await client.get('/livez')).status).toBe(200);
      const ready = await client.get('/readyz?verbose');
      expect(ready.status).toBe(503);
      expect(ready.text).toMatch(/^\[-\] database failed: /);
      expect((await client.get('/readyz')).text).toBe('not ready\n');
    } finally {
      await daemon.close();
    }
  });

  test('one that was not migrated makes the service not ready, and it says what to do', async () => {
    const database = await createDatabase();
    await rowsOf(database.url, 'delete from milkrun_migrations');
    const daemon = await startDaemon(configOf(database.url));
    try {
      const { status, text } = await createClient(daemon.url).get('/readyz?verbose');
      expect(status).toBe(503);
      expect(text).toMatch(/\[-\] migrations failed: not run yet: 2026-11-21-first-tables.*run `milkrun migrate`/);
    } finally {
      await daemon.close();
      await database.drop();
    }
  });
});
