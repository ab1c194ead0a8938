/**
 * Requests per second of the daemon beside a floor, the same SQL behind a bare HTTP server, in the same run:
 *
 *     npm run --silent bench:api -- [--seconds 4] [--connections 8]
 */
import { parseArgs } from 'node:util';
import { load, type Shot } from './load.ts';
import { startBenchService } from './service.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '4' }, connections: { type: 'string', default: '8' } } });
const service = await startBenchService();
const { daemon, floor, json, post } = service;
const headers = await service.signIn();
const { id: business } = await post('/api/v1/businesses', { name: 'Bench', time_zone: 'Europe/Berlin' });
const base = `/api/v1/businesses/${business}`;
const order = { location: { latitude: 52.52, longitude: 13.405 }, duration_seconds: 900, window_start: '2026-03-02T09:00:00+01:00', window_end: '2026-03-02T12:00:00+01:00' };
await post(`${base}/orders/batch`, { items: Array.from({ length: 1_000 }, (_, i) => ({ id: `order-${i}`, ...order })) });
await post(`${base}/warehouses`, { id: 'depot', name: 'Depot', location: order.location });
for (let i = 0; i < 100; i++) await post(`${base}/vehicles`, { name: `Van ${i}`, warehouse_id: 'depot' });

/** Each case against the daemon and against the floor. */
const cases: { name: string; shot: (nth: number) => Shot; floor: (nth: number) => Shot }[] = [
  { name: 'read an order', shot: (n) => ({ method: 'GET', path: `${base}/orders/order-${n % 1_000}`, headers }), floor: (n) => ({ method: 'GET', path: `/order/${business}/order-${n % 1_000}`, headers: {} }) },
  { name: 'list 100 vehicles', shot: () => ({ method: 'GET', path: `${base}/vehicles`, headers }), floor: () => ({ method: 'GET', path: `/vehicles/${business}`, headers: {} }) },
  { name: 'create an order', shot: () => ({ method: 'POST', path: `${base}/orders`, headers, body: JSON.stringify(order) }), floor: () => ({ method: 'POST', path: `/orders/${business}`, headers: json, body: JSON.stringify(order) }) },
  { name: 'update an order', shot: (n) => ({ method: 'PATCH', path: `${base}/orders/order-${n % 1_000}`, headers, body: '{"custom_fields":{}}' }), floor: (n) => ({ method: 'PATCH', path: `/order/${business}/order-${n % 1_000}`, headers: json, body: '{"custom_fields":{}}' }) },
];

const budget = { seconds: Number(options.seconds), connections: Number(options.connections) };
for (const each of cases) {
  const ours = await load(daemon.url, each.shot, budget);
  const bare = await load(floor.url, each.floor, budget);
  console.log(JSON.stringify({
    case: each.name, requests_per_second: ours.requestsPerSecond, p50_ms: ours.p50Ms, p99_ms: ours.p99Ms,
    floor_requests_per_second: bare.requestsPerSecond, ratio: Math.round((ours.requestsPerSecond / bare.requestsPerSecond) * 1_000) / 1_000,
  }));
}
await service.stop();
