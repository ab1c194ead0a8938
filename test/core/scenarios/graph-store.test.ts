import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openStore, type Store } from '../../../core/db/store.ts';
import { sweepGraphs } from '../../../core/scenarios/graph-store.ts';
import { createBusiness, signedIn, type TestBusiness } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { rowsOf } from '../../support/database.ts';
import { graph, scenario, type Made } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let store: Store;
let admin: Client;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  store = await openStore(service.databaseUrl, { poolSize: 1 });
  admin = await signedIn(service);
});
afterAll(async () => {
  await store.close();
  await service.close();
});
beforeEach(async () => {
  business = await createBusiness(service, {}, admin);
});

const read = async (id: string): Promise<Made> => (await business.admin.get(`${business.path}/scenarios/${id}`)).body;
const pieces = async (): Promise<{ field: string; pieces: number; bytes: number }[]> =>
  rowsOf(service.databaseUrl, 'select field, count(*)::int as pieces, sum(length(text))::int as bytes from scenario_graph_texts where business_id = $1 group by digest, field order by digest, field desc', [business.id]) as never;

/** A road through many corners whose names take more than one byte for a character, so that pieces end within one. */
function longRoad(length: number, speed = 1) {
  const corner = (place: number) => `Straßenecke № ${place}`;
  const nodes = Array.from({ length }, (_, place) => ({ id: corner(place), x: place / 10_000, y: 50 }));
  const edges = Array.from({ length: length - 1 }, (_, place) => ({ id: `${place}`, from: corner(place), to: corner(place + 1), time_seconds: 10 / speed, distance_meters: 7, bidirectional: place % 3 === 0 }));
  return { nodes, edges };
}

test('a long graph is kept in pieces and comes back as it was', async () => {
  const road = longRoad(9_000);
  const made = await scenario(business, road);
  expect(made).toMatchObject(road);
  expect(await read(made.id)).toEqual(made);
  expect((await business.admin.get(`${business.path}/scenarios`)).body.items).toEqual([made]);
  for (const { pieces: count, bytes } of await pieces()) expect(count).toBe(Math.ceil(bytes / (256 * 1024)));
  expect((await pieces())[0].pieces).toBeGreaterThan(1);
});

test('of a long body that is wrong the place is named', async () => {
  const { nodes, edges } = longRoad(3_000);
  const refused = async (fields: Made) => {
    const { status, body } = await business.admin.post(`${business.path}/scenarios`, { name: 'Long', nodes, edges, ...fields });
    return [status, body.error.details?.map(({ path }: { path: string }) => path)];
  };
  expect(await refused({ nodes: nodes.with(2_999, { id: 'x', x: 'east' as never, y: 0 }) })).toEqual([422, ['/nodes/2999/x']]);
  expect(await refused({ edges: edges.with(2_000, { ...edges[2_000], to: 'nowhere' }) })).toEqual([422, ['/edges/2000/to']]);
  expect(await refused({ nodes: nodes.with(7, { ...nodes[7], id: 'a\0b' }) })).toEqual([422, ['/nodes/7/id']]);
  expect(await pieces()).toEqual([]);
});

test('the same graph is kept once, and an edit that says the same in other words is none', async () => {
  const [first, second] = [await scenario(business), await scenario(business)];
  expect(await pieces()).toHaveLength(2);
  const reordered = graph.edges.map((edge) => Object.fromEntries(Object.entries(edge).toReversed()));
  const { body } = await business.admin.patch(`${business.path}/scenarios/${first.id}`, { edges: reordered });
  expect(body.revision).toBe(first.revision);
  expect((await business.admin.patch(`${business.path}/scenarios/${second.id}`, { edges: [] })).body).toMatchObject({ revision: second.revision + 1, nodes: graph.nodes, edges: [] });
  expect(await pieces()).toHaveLength(4);
});

test('two edits at once, of the nodes and of the edges, are judged together', async () => {
  const { id } = await scenario(business);
  const path = `${business.path}/scenarios/${id}`;
  for (let round = 0; round < 10; round++) {
    await business.admin.patch(path, graph);
    const [nodes, edges] = await Promise.all([business.admin.patch(path, { nodes: [graph.nodes[0], { ...graph.nodes[1], id: 'elsewhere' }] }), business.admin.patch(path, { edges: [] })]);
    expect([edges.status, [200, 422].includes(nodes.status)]).toEqual([200, true]);
    const after = await read(id);
    expect([after.edges, after.nodes[1].id]).toEqual([[], nodes.status === 200 ? 'elsewhere' : graph.nodes[1].id]);
  }
});

test('an answer that is given again has the graph of its time', async () => {
  const create = () => business.admin.post(`${business.path}/scenarios`, { name: 'Corners', ...graph }, { 'Idempotency-Key': 'corners' });
  const first = await create();
  await business.admin.patch(`${business.path}/scenarios/${first.body.id}`, { edges: [] });
  const again = await create();
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
});

test('a graph goes when no scenario has had it for two days', async () => {
  const { id } = await scenario(business);
  await business.admin.patch(`${business.path}/scenarios/${id}`, { edges: [] });
  const age = (days: number) => rowsOf(service.databaseUrl, 'update scenario_graphs set used_at = now() - make_interval(days => $2) where business_id = $1', [business.id, days]);
  await age(1);
  await sweepGraphs(store);
  expect(await pieces()).toHaveLength(4);
  await age(3);
  expect(await sweepGraphs(store)).toBe(1);
  expect(await sweepGraphs(store)).toBe(0);
  expect(await pieces()).toHaveLength(2);
  expect(await read(id)).toMatchObject({ nodes: graph.nodes, edges: [] });
});
