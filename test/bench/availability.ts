/**
 * Availability queries of eight windows on the streets of the sample city, beside a floor that runs the same SQL behind a bare HTTP
 * server, and how they grow with vehicles and stops:
 *
 *     npm run --silent bench:availability -- [--seconds 4] [--connections 1]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildGraph } from '../../core/roads/build-graph.ts';
import type { NetworkNode } from '../../core/roads/network.ts';
import { travelMatrix } from '../../core/roads/travel-matrix.ts';
import { formatInstant } from '../../core/time/instants.ts';
import { load, type Shot } from './load.ts';
import { startBenchService } from './service.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '4' }, connections: { type: 'string', default: '1' } } });
const budget = { seconds: Number(options.seconds), connections: Number(options.connections) };
const service = await startBenchService();
const { daemon, floor, json, post } = service;
const headers = await service.signIn();
const database = new pg.Client({ connectionString: service.databaseUrl });
await database.connect();

const city = JSON.parse(readFileSync(new URL('../../scenarios/city.json', import.meta.url), 'utf8')) as { nodes: NetworkNode[]; edges: never[] };
const graph = buildGraph(city);
const point = (node: number) => ({ latitude: city.nodes[node].y, longitude: city.nodes[node].x });
const date = '2031-03-03';
const opensMs = Date.parse(`${date}T08:00:00+01:00`);
const hours = { weekly: { 0: [{ start: '08:00', end: '18:00' }] }, overrides: {} };

/** The same places in every run. */
let seed = 1;
const anyNode = (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % graph.nodeCount;
};

/** A business whose vehicles all have so many stops on the day, ten minutes each, with some waiting between them. */
async function createBusiness(vehicles: number, stops: number): Promise<string> {
  const { id } = await post('/api/v1/businesses', { name: 'Bench', time_zone: 'Europe/Berlin' });
  const base = `/api/v1/businesses/${id}`;
  await post(`${base}/scenarios`, { id: 'city', name: 'City', nodes: city.nodes, edges: city.edges });
  await post(`${base}/scenarios/city/activate`, {});
  const depot = anyNode();
  await post(`${base}/warehouses`, { id: 'depot', name: 'Depot', location: point(depot) });
  for (let i = 0; i < vehicles; i++) {
    await post(`${base}/vehicles`, { id: `van-${i}`, name: `Van ${i}`, warehouse_id: 'depot', working_hours: hours });
    await writePlan(id, `van-${i}`, [depot, ...Array.from({ length: stops }, anyNode)]);
  }
  await database.query('update businesses set preview_epoch = preview_epoch + 1 where id = $1', [id]);
  return id;
}

async function writePlan(business: string, van: string, nodes: number[]): Promise<void> {
  const { size, seconds, metres } = travelMatrix(graph, Int32Array.from(nodes));
  const count = nodes.length - 1;
  const leg = (from: number, to: number) => ({ seconds: seconds[from * size + to], metres: metres[from * size + to] });
  const serviceSeconds = Math.min(600, Math.floor(14_400 / count));
  let readyMs = opensMs;
  const stops = Array.from({ length: count }, (_, index) => {
    const { seconds: travel, metres: length } = leg(index, index + 1);
    const startMs = readyMs + travel * 1_000;
    readyMs = startMs + serviceSeconds * 1_000;
    return {
      sequence: index + 1, kind: 'task', order_id: `${van}-${index}`, location: point(nodes[index + 1]), arrival_at: formatInstant(startMs), start_at: formatInstant(startMs),
      end_at: formatInstant(readyMs), departure_at: formatInstant(readyMs), wait_seconds: 0, travel_seconds: travel, travel_meters: length, driver_id: null,
    };
  });
  const home = leg(count, 0);
  const endMs = readyMs + home.seconds * 1_000;
  const returnLeg = { departure_at: formatInstant(readyMs), arrival_at: formatInstant(endMs), travel_seconds: home.seconds, travel_meters: home.metres, location: point(nodes[0]) };
  await database.query(
    `insert into plans (business_id, id, created_at, updated_at, vehicle_id, shift_date, state, start_at, end_at, stops, return_leg, warnings, unplanned_order_ids)
     values ($1, $2, now(), now(), $3, $4, 'planning', $5, $6, $7, $8, '[]', '[]')`,
    [business, `plan-${van}`, van, date, new Date(opensMs), new Date(endMs), JSON.stringify(stops), JSON.stringify(returnLeg)],
  );
  await database.query(
    `insert into orders (business_id, id, created_at, updated_at, type, location, duration_seconds, window_start, window_end, custom_fields, schema_snapshot, plan_id, vehicle_id, scheduled_at)
     select $1, stop->>'order_id', now(), now(), 'task', stop->'location', $2, $3, $4, '{}', '{"schemas":[]}', $5, $6, (stop->>'start_at')::timestamptz from jsonb_array_elements($7::jsonb) as stop`,
    [business, serviceSeconds, new Date(opensMs), new Date(opensMs + 36_000_000), `plan-${van}`, van, JSON.stringify(stops)],
  );
}

/** Eight windows of an hour and a quarter, one after the other. */
const candidates = Array.from({ length: 8 }, (_, index) => ({ start: formatInstant(opensMs + index * 4_500_000), end: formatInstant(opensMs + (index + 1) * 4_500_000) }));
const body = (node: number) => JSON.stringify({ start: formatInstant(opensMs), end: formatInstant(opensMs + 36_000_000), location: point(node), duration_seconds: 900, candidate_windows: candidates });
const shotAt = (business: string, node: number): Shot => ({ method: 'POST', path: `/api/v1/businesses/${business}/availability`, headers, body: body(node) });
const floorShot = (business: string): Shot => ({ method: 'POST', path: `/availability/${business}`, headers: json, body: JSON.stringify({ candidates }) });

/** The longest that the event loop was held, in milliseconds, since it was last asked. */
async function longestHoldMs(): Promise<number> {
  const text = await (await fetch(`${daemon.url}/metrics`)).text();
  return Math.round(Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]) * 10_000) / 10;
}

const known = Array.from({ length: 50 }, anyNode);
for (const { vehicles, stops } of [{ vehicles: 25, stops: 20 }, { vehicles: 100, stops: 20 }, { vehicles: 400, stops: 20 }, { vehicles: 100, stops: 5 }, { vehicles: 100, stops: 40 }]) {
  const business = await createBusiness(vehicles, stops);
  await longestHoldMs();
  const coldMs = performance.now();
  const { windows } = await post(`/api/v1/businesses/${business}/availability`, JSON.parse(body(known[0])));
  const firstMs = performance.now() - coldMs;
  const firstHoldMs = await longestHoldMs();
  for (const node of known) await post(`/api/v1/businesses/${business}/availability`, JSON.parse(body(node)));
  await longestHoldMs();
  const ours = await load(daemon.url, (nth) => shotAt(business, known[nth % known.length]), budget);
  const hold = await longestHoldMs();
  const fresh = await load(daemon.url, () => shotAt(business, anyNode()), budget);
  const bare = await load(floor.url, () => floorShot(business), budget);
  console.log(JSON.stringify({
    case: `availability of 8 windows, ${vehicles} vehicles of ${stops} stops`, available: windows.filter(({ available }: { available: boolean }) => available).length,
    requests_per_second: ours.requestsPerSecond, p50_ms: ours.p50Ms, p99_ms: ours.p99Ms, new_place_p50_ms: fresh.p50Ms, new_place_p99_ms: fresh.p99Ms,
    first_ms: Math.round(firstMs), first_hold_ms: firstHoldMs, hold_ms: hold,
    floor_requests_per_second: bare.requestsPerSecond, ratio: Math.round((ours.requestsPerSecond / bare.requestsPerSecond) * 1_000) / 1_000,
  }));
}
await database.end();
await service.stop();
