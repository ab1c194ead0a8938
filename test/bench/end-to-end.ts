/**
 * A planning job from its request to its committed plans, with daemon, worker and database as processes of their own:
 *
 *     npm run --silent bench:end-to-end -- [--orders 5000] [--vehicles 250] [--days 5] [--time-limit 60]
 *
 * Prints how long the job took from the request on, how long each phase of it was, and the most memory that the worker held.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../../core/solver/random.ts';
import { city } from '../../scenarios/generator/city.ts';
import { startBenchService } from './service.ts';

const { values: options } = parseArgs({
  options: { orders: { type: 'string', default: '5000' }, vehicles: { type: 'string', default: '250' }, days: { type: 'string', default: '5' }, 'time-limit': { type: 'string', default: '60' } },
});
const [orders, vehicles, days] = [options.orders, options.vehicles, options.days].map(Number);
const { nodes, edges, warehouses } = city().scenario;
const service = await startBenchService();
const headers = await service.signIn();
const { id: business } = await service.post('/api/v1/businesses', { name: 'Bench', time_zone: 'Europe/Berlin' });
const path = `/api/v1/businesses/${business}`;
const dates = Array.from({ length: days }, (_, day) => Temporal.PlainDate.from('2026-03-02').add({ days: day }).toString());
await fill();

const worker = fork(fileURLToPath(new URL('../../bin/milkrun.ts', import.meta.url)), ['worker'], {
  env: { ...process.env, DATABASE_URL: service.databaseUrl, MILKRUN_LOG_LEVEL: 'warn', MILKRUN_SOLVER_THREADS: '2' },
});
await sleep(3_000);
const startedMs = performance.now();
const { job_id: job } = await service.post(`${path}/planning/preview`, {
  vehicle_ids: Array.from({ length: vehicles }, (_, nth) => `van-${nth}`), date_start: dates[0], date_end: dates.at(-1), time_limit_seconds: Number(options['time-limit']), seed: 1,
});
const phases: Record<string, number> = {};
let ended = await read();
for (let phase = 'queued', sinceMs = startedMs; ; ended = await read()) {
  const now = ended.finished_at ? 'end' : (ended.progress.phase as string);
  if (now !== phase) {
    phases[phase] = Math.round(performance.now() - sinceMs) / 1_000;
    [phase, sinceMs] = [now, performance.now()];
  }
  if (ended.finished_at) break;
  await sleep(100);
}
const seconds = Math.round(performance.now() - startedMs) / 1_000;
console.log(JSON.stringify({ orders, vehicles, days, status: ended.status, error: ended.error, seconds, phases, planned: ended.result?.planned, unplanned: ended.result?.unplanned.length, ...ended.result?.metrics, worker_peak_mb: peakMegabytes(worker.pid!) }));
worker.kill('SIGTERM');
await new Promise((resolve) => { worker.once('exit', resolve); });
await service.stop();

async function read() {
  const response = await fetch(`${service.daemon.url}${path}/jobs/${job}`, { headers });
  return (await response.json()) as Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** The roads of the sample city, with as many vans and orders as were asked for. */
async function fill() {
  await service.post(`${path}/scenarios`, { id: 'city', name: 'City', nodes, edges, warehouses, drivers: [], vehicles: [], orders: [] });
  await service.post(`${path}/scenarios/city/load`, { mode: 'merge' });
  const random = createRandom(7);
  const working_hours = { weekly: Object.fromEntries(Array.from({ length: 7 }, (_, day) => [day, [{ start: '08:00', end: '17:00' }]])), overrides: {} };
  for (let nth = 0; nth < vehicles; nth++) await service.post(`${path}/vehicles`, { id: `van-${nth}`, name: `Van ${nth}`, warehouse_id: warehouses[nth % warehouses.length].id, working_hours });
  const items = Array.from({ length: orders }, (_, nth) => {
    const { x, y } = nodes[random.below(nodes.length)];
    const date = dates[random.below(days)];
    const hour = 8 + random.below(6);
    const clock = (at: number) => `${date}T${String(at).padStart(2, '0')}:00:00+01:00`;
    return { id: `order-${nth}`, location: { latitude: y, longitude: x }, duration_seconds: 900 + 60 * random.below(60), window_start: clock(hour), window_end: clock(Math.min(17, hour + 2 + random.below(4))) };
  });
  for (let first = 0; first < orders; first += 1_000) await service.post(`${path}/orders/batch`, { items: items.slice(first, first + 1_000) });
}

/** The most that a process has held (Linux). */
function peakMegabytes(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}
