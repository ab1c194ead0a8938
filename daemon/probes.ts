import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import { pendingMigrations } from '../core/db/migrate.ts';
import { queueNames } from '../core/jobs/queue-payloads.ts';
import type { Service } from './call.ts';
import type { Metrics } from './metrics.ts';

type Check = { name: string; run: (service: Service) => Promise<void> };

const checks: Check[] = [
  { name: 'database', run: async ({ store }) => void (await store.em.fork().execute('select 1')) },
  {
    name: 'migrations',
    run: async ({ store }) => {
      const pending = await pendingMigrations(store);
      if (pending.length > 0) throw new Error(`not run yet: ${pending.join(', ')}; run \`milkrun migrate\``);
    },
  },
  { name: 'queue', run: async ({ queues }) => void (await queues.backlog('planning')) },
];

const checkMs = 5_000;

/** What those ask who run the service: is it alive, is it ready, how busy is it, what can it do. */
export function probeRoutes(service: Service, metrics: Metrics): Router {
  const document = readFileSync(new URL('./openapi.json', import.meta.url), 'utf8');
  const router = new Router({ sensitive: true, strict: true });
  router.get('/livez', (context) => {
    context.body = 'ok\n';
  });
  router.get('/readyz', async (context) => {
    const results = service.stopping.aborted ? [{ name: 'draining', error: 'the service is stopping' }] : await Promise.all(checks.map((check) => judge(check, service)));
    const isReady = results.every(({ error }) => error === null);
    context.status = isReady ? 200 : 503;
    context.body = context.query.verbose === undefined ? (isReady ? 'ok\n' : 'not ready\n') : results.map(({ name, error }) => (error === null ? `[+] ${name} ok\n` : `[-] ${name} failed: ${error}\n`)).join('');
  });
  router.get('/metrics', async (context) => {
    for (const queue of queueNames) metrics.backlog.set({ queue }, await service.queues.backlog(queue));
    context.type = metrics.contentType;
    context.body = await metrics.text();
  });
  router.get('/api/v1/openapi.json', (context) => {
    context.type = 'application/json';
    context.body = document;
  });
  return router;
}

async function judge({ name, run }: Check, service: Service): Promise<{ name: string; error: string | null }> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), checkMs);
  try {
    await Promise.race([run(service), late]);
    return { name, error: null };
  } catch (error) {
    return { name, error: (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}
