import { afterAll, expect, test } from '@jest/globals';
import { buildGraph } from '../../../core/roads/build-graph.ts';
import type { Network } from '../../../core/roads/network.ts';
import { textOf } from '../../../core/roads/network-text.ts';
import { buildGraphInThread, destroyRoadThreads, travelMatrixInThread } from '../../../core/roads/road-threads.ts';
import { travelMatrix } from '../../../core/roads/travel-matrix.ts';

afterAll(destroyRoadThreads);

/** A grid with uneven times and some one-way streets. */
function grid(width: number): Network {
  const network: Network = { nodes: [], edges: [] };
  const connect = (from: string, to: string) => {
    const i = network.edges.length;
    network.edges.push({ id: `e${i}`, from, to, time_seconds: 5 + ((i * 37) % 11), distance_meters: 60 + ((i * 17) % 23), bidirectional: i % 5 !== 0 });
  };
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      network.nodes.push({ id: `${x},${y}`, x: x / 1000, y: y / 1000 });
      if (x > 0) connect(`${x - 1},${y}`, `${x},${y}`);
      if (y > 0) connect(`${x},${y}`, `${x},${y - 1}`);
    }
  }
  return network;
}

const textsOf = ({ nodes, edges }: Network) => ({ nodes: textOf(nodes), edges: textOf(edges) });

const network = grid(40);
const graph = buildGraph(network);
const nodes = Int32Array.from({ length: 70 }, (_, i) => (i * 997) % graph.nodeCount);

test('threads compute the matrix that one call computes', async () => {
  const rowsDone = new Int32Array(new SharedArrayBuffer(4));
  expect(await travelMatrixInThread(graph, nodes, { rowsDone })).toEqual(travelMatrix(graph, nodes));
  expect(rowsDone[0]).toBe(70);
});

test('a matrix of no nodes is empty', async () => {
  expect(await travelMatrixInThread(graph, new Int32Array(0))).toEqual({ size: 0, seconds: new Int32Array(0), metres: new Int32Array(0) });
});

test('a set flag ends the computation without a result', async () => {
  const cancel = new Int32Array(new SharedArrayBuffer(4));
  const rowsDone = new Int32Array(new SharedArrayBuffer(4));
  const running = travelMatrixInThread(graph, nodes, { cancel, rowsDone });
  Atomics.store(cancel, 0, 1);
  expect(await running).toBeNull();
  expect(rowsDone[0]).toBeLessThan(70);
});

test('a thread builds the graph that one call builds', async () => {
  const built = await buildGraphInThread(textsOf({ ...network, nodes: network.nodes.map((node) => ({ ...node, id: `Straße ${node.id}` })), edges: network.edges.map((edge) => ({ ...edge, from: `Straße ${edge.from}`, to: `Straße ${edge.to}` })) }));
  expect(Buffer.from(built.buffer).equals(Buffer.from(graph.buffer))).toBe(true);
});

test('what goes wrong in a thread reaches the caller, and the threads go on', async () => {
  await expect(travelMatrixInThread(graph, Int32Array.of(0, 1_000_000))).rejects.toThrow('no node 1000000');
  await expect(buildGraphInThread(textsOf({ nodes: [], edges: [{ id: 'e', from: 'a', to: 'b', time_seconds: 1, distance_meters: 1 }] }))).rejects.toThrow('names a node');
  expect(await travelMatrixInThread(graph, nodes)).not.toBeNull();
});

test('destroyed threads start again when they are needed', async () => {
  await destroyRoadThreads();
  await destroyRoadThreads();
  expect(await travelMatrixInThread(graph, Int32Array.of(0, 1))).not.toBeNull();
});
