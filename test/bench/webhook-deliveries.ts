import { openStore } from '../../core/db/store.ts';
import { newId } from '../../core/records/ids.ts';
import { newSecret, storeSecret } from '../../core/webhooks/secrets.ts';
import { readConfig } from '../../core/config.ts';
import { startWorkers } from '../../workers/main.ts';
import { startEndpoint } from '../support/endpoint.ts';

/** Events that have been written until all of them have arrived at a local endpoint that answers at once. */
export async function measureDeliveries(env: { DATABASE_URL: string; REDIS_URL?: string }, { webhooks, events }: { webhooks: number; events: number }) {
  const store = await openStore(env.DATABASE_URL);
  const endpoint = await startEndpoint();
  const em = store.em.fork();
  const businessId = newId();
  await em.execute(`insert into businesses (id, created_at, updated_at, name, time_zone, planning, evidence, routing) values (?, now(), now(), 'Bench', 'UTC', '{}', '{}', '{}')`, [businessId]);
  for (let i = 0; i < webhooks; i++) {
    await em.execute(`insert into webhooks (business_id, id, created_at, updated_at, name, url, events, secret_rotated_at) values (?, ?, now(), now(), 'Bench', ?, '["*"]', now())`, [businessId, `hook-${i}`, endpoint.url]);
    await storeSecret(em, { businessId, id: `hook-${i}` }, newSecret());
  }
  const workers = await startWorkers(readConfig({ ...env, MILKRUN_WEBHOOK_TARGETS: 'any', MILKRUN_LOG_LEVEL: 'silent' }), { queues: ['webhooks'] });
  const started = performance.now();
  await em.execute(
    `insert into events (business_id, id, type, data, created_at) select ?, gen_random_uuid(), 'order.updated', jsonb_build_object('id', 'order-' || n, 'note', repeat('x', 800)), now() from generate_series(1, ?) n`, [businessId, events]);
  await endpoint.until(webhooks * events);
  const seconds = (performance.now() - started) / 1_000;
  await workers.close();
  await endpoint.close();
  await store.close();
  return { webhooks, deliveries: webhooks * events, deliveries_per_second: Math.round((webhooks * events) / seconds) };
}
