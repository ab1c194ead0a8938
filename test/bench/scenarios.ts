/**
 * What becomes of a scenario as large as a body may be: stored, read, activated and routed on, over HTTP:
 *
 *     npm run --silent bench:scenarios -- [--network town|flat] [--width 447]
 *
 * One JSON line for each step. `hold_ms` is the longest that the daemon's event loop was held meanwhile; the daemon has this process, its
 * client a thread.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readConfig } from '../../core/config.ts';
import { startDaemon } from '../../daemon/main.ts';
import { startEmbeddedPostgres } from '../../launch/embedded-postgres.ts';
import { migrateAll } from '../../launch/migrate.ts';
import { generatedFlatTown, generatedTown } from './generated-roads.ts';

const networks = { town: generatedTown, flat: generatedFlatTown };

if (isMainThread) await measure();
else await walkThrough(workerData as { url: string; network: keyof typeof networks; width: number });

async function measure(): Promise<void> {
  const { values: options } = parseArgs({ options: { network: { type: 'string', default: 'town' }, width: { type: 'string', default: '447' } } });
  const data = mkdtempSync(join(tmpdir(), 'milkrun-bench-'));
  const postgres = await startEmbeddedPostgres({ directory: data, isTemporary: true });
  await migrateAll({ databaseUrl: postgres.url });
  const daemon = await startDaemon(readConfig({ DATABASE_URL: postgres.url, MILKRUN_PORT: '0', MILKRUN_REGISTRATION: 'open', MILKRUN_LOG_LEVEL: 'warn', MILKRUN_RATE_LIMIT: 'off' }));
  const client = new Worker(new URL(import.meta.url), { workerData: { url: daemon.url, network: options.network, width: Number(options.width) } });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let startedMs = 0;
  client.on('message', (step: object | null) => {
    if (step === null) {
      delay.reset();
      delay.enable();
      startedMs = performance.now();
    } else {
      delay.disable();
      console.log(JSON.stringify({ network: options.network, ...step, seconds: Math.round(performance.now() - startedMs) / 1_000, hold_ms: Math.round(delay.max / 1e6) }));
    }
  });
  await new Promise((resolve, reject) => client.once('exit', resolve).once('error', reject));
  await daemon.close();
  await postgres.stop();
}

async function walkThrough({ url, network, width }: { url: string; network: keyof typeof networks; width: number }): Promise<void> {
  let token = '';
  const send = async (method: string, path: string, body?: string) => {
    const response = await fetch(url + path, { method, headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${text.slice(0, 500)}`);
    return { bytes: text.length, body: text.length < 1e6 ? JSON.parse(text) : null };
  };
  const step = async (name: string, method: string, path: string, body: unknown) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    parentPort!.postMessage(null);
    const { bytes } = await send(method, path, text);
    parentPort!.postMessage({ step: name, sent_bytes: text?.length ?? 0, answered_bytes: bytes });
  };
  const credentials = JSON.stringify({ email: 'bench@depot.example', password: 'correct horse battery' });
  await send('POST', '/api/v1/accounts', credentials);
  token = (await send('POST', '/api/v1/sessions', credentials)).body.access_token;
  const base = `/api/v1/businesses/${(await send('POST', '/api/v1/businesses', JSON.stringify({ name: 'Bench', time_zone: 'UTC' }))).body.id}`;

  const { nodes, edges } = networks[network](width);
  // Bodies have a limit.
  const rounded = edges.map((edge) => ({ ...edge, time_seconds: round(edge.time_seconds), ...(edge.bidirectional ? { reverse_time_seconds: round(edge.reverse_time_seconds!) } : {}) }));
  const roads = { nodes: nodes.map(({ id, x, y }) => ({ id, x: round(x), y: round(y) })), edges: rounded };
  const place = (index: number) => ({ latitude: roads.nodes[index].y, longitude: roads.nodes[index].x });
  const samples = {
    warehouses: [{ id: 'depot', name: 'Depot', node_id: roads.nodes[Math.floor(nodes.length / 2)].id }],
    vehicles: [{ id: 'van', name: 'Van', warehouse_id: 'depot', working_hours: { weekly: { 0: [{ start: '08:00', end: '18:00' }] }, overrides: {} } }],
  };
  await step('store', 'POST', `${base}/scenarios`, { id: 'big', name: 'Big', ...roads, ...samples });
  await step('read', 'GET', `${base}/scenarios/big`, undefined);
  await step('edit', 'PATCH', `${base}/scenarios/big`, { edges: [...roads.edges].toReversed() });
  await step('load', 'POST', `${base}/scenarios/big/load`, {});
  const question = (index: number) => ({ start: '2031-03-03T09:00:00Z', end: '2031-03-03T17:00:00Z', location: place(index), duration_seconds: 600, candidate_windows: [{ start: '2031-03-03T10:00:00Z', end: '2031-03-03T16:00:00Z' }] });
  await step('first question', 'POST', `${base}/availability`, question(0));
  await step('second question', 'POST', `${base}/availability`, question(nodes.length - 1));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
