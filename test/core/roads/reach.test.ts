import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildGraph } from '../../../core/roads/build-graph.ts';
import { destroyRoadThreads, legsInThread, reachInThread, reverseGraphInThread } from '../../../core/roads/road-threads.ts';
import { fillLegs, fillRow } from '../../../core/roads/reach.ts';
import { reverseGraph } from '../../../core/roads/reverse-graph.ts';
import { travelMatrix, UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { randomNetworks } from './random-networks.ts';

afterAll(destroyRoadThreads);

/** One street from a to b and on to c, and a long way back. */
const street = {
  nodes: ['a', 'b', 'c', 'alone'].map((id, x) => ({ id, x, y: 0 })),
  edges: [
    { id: 'ab', from: 'a', to: 'b', time_seconds: 10, distance_meters: 100 },
    { id: 'bc', from: 'b', to: 'c', time_seconds: 20, distance_meters: 200 },
    { id: 'ca', from: 'c', to: 'a', time_seconds: 100, distance_meters: 900 },
  ],
};

test('travel from a node and to it, one-way streets included', async () => {
  const graph = buildGraph(street);
  const { there, back } = await reachInThread({ graph, reversed: await reverseGraphInThread(graph) }, 1);
  expect([...there.seconds]).toEqual([120, 0, 20, UNREACHABLE]);
  expect([...back.seconds]).toEqual([10, 0, 110, UNREACHABLE]);
  expect([...back.metres]).toEqual([100, 0, 1000, UNREACHABLE]);
});

test('single legs come back in the order in which they were asked for', async () => {
  const graph = buildGraph(street);
  const legs = await legsInThread(graph, [[2, 1], [0, 1], [2, 0], [0, 0], [0, 3]]);
  expect([...legs.seconds]).toEqual([110, 10, 100, 0, UNREACHABLE]);
  expect([...legs.metres]).toEqual([1000, 100, 900, 0, UNREACHABLE]);
  expect((await legsInThread(graph, [])).seconds).toHaveLength(0);
});

test('a node that is not there is refused', async () => {
  const graph = buildGraph(street);
  await expect(legsInThread(graph, [[0, 4]])).rejects.toThrow('no node 4');
  await expect(reachInThread({ graph, reversed: reverseGraph(graph) }, -1)).rejects.toThrow('no node -1');
});

describe('on any network', () => {
  test('rows and legs have the numbers of the matrix', () => {
    fc.assert(fc.property(randomNetworks(), (network) => {
      const graph = buildGraph(network);
      const n = graph.nodeCount;
      const nodes = Int32Array.from({ length: n }, (_, i) => i);
      const matrix = travelMatrix(graph, nodes);
      const reversed = reverseGraph(graph);
      const row = () => ({ seconds: new Int32Array(n), metres: new Int32Array(n) });
      for (const node of nodes) {
        const [there, back] = [row(), row()];
        fillRow(graph, node, there);
        fillRow(reversed, node, back);
        expect(there.seconds).toEqual(matrix.seconds.slice(node * n, (node + 1) * n));
        expect(there.metres).toEqual(matrix.metres.slice(node * n, (node + 1) * n));
        expect([...back.seconds]).toEqual([...nodes].map((from) => matrix.seconds[from * n + node]));
        expect([...back.metres]).toEqual([...nodes].map((from) => matrix.metres[from * n + node]));
      }
      const size = n * n;
      const legs = { from: Int32Array.from({ length: size }, (_, i) => Math.floor(i / n)), to: Int32Array.from({ length: size }, (_, i) => i % n), seconds: new Int32Array(size), metres: new Int32Array(size) };
      fillLegs(graph, legs, { first: 0, end: size });
      expect([legs.seconds, legs.metres]).toEqual([matrix.seconds, matrix.metres]);
    }), { numRuns: 60 });
  });

  test('turned round twice it is the same graph', () => {
    fc.assert(fc.property(randomNetworks(), (network) => {
      const graph = buildGraph(network);
      const twice = reverseGraph(reverseGraph(graph));
      expect([twice.firstArc, twice.head, twice.milliseconds, twice.centimetres]).toEqual([graph.firstArc, graph.head, graph.milliseconds, graph.centimetres]);
    }), { numRuns: 60 });
  });
});
