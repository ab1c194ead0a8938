import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildGraph } from '../../../core/roads/build-graph.ts';
import { shortestPath } from '../../../core/roads/shortest-path.ts';
import { travelMatrix, UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { randomNetworks } from './random-networks.ts';

const square = buildGraph({
  nodes: [{ id: 'a', x: 0, y: 0 }, { id: 'b', x: 1, y: 0 }, { id: 'c', x: 1, y: 1 }, { id: 'd', x: 0, y: 1 }],
  edges: [
    { id: 'ab', from: 'a', to: 'b', time_seconds: 10, distance_meters: 100 },
    { id: 'bc', from: 'b', to: 'c', time_seconds: 10, distance_meters: 100 },
    { id: 'ac', from: 'a', to: 'c', time_seconds: 21, distance_meters: 140 },
  ],
});

test('a path lists its nodes from the first to the last', () => {
  expect(shortestPath(square, 0, 2)).toEqual({ nodes: Int32Array.of(0, 1, 2), seconds: 20, metres: 200 });
});

test('a path to where one is has one node and costs nothing', () => {
  expect(shortestPath(square, 3, 3)).toEqual({ nodes: Int32Array.of(3), seconds: 0, metres: 0 });
});

test('there is no path against a one-way street or to an isolated node', () => {
  expect(shortestPath(square, 2, 0)).toBeNull();
  expect(shortestPath(square, 0, 3)).toBeNull();
});

test('a node that the graph does not have is refused', () => {
  expect(() => shortestPath(square, 0, 4)).toThrow('no node 4');
});

test('on random networks a path follows arcs, visits no node twice, and adds up to the number of the matrix', () => {
  fc.assert(fc.property(randomNetworks(), fc.nat(), fc.nat(), (network, a, b) => {
    const graph = buildGraph(network);
    const [from, to] = [a % graph.nodeCount, b % graph.nodeCount];
    const { seconds, metres } = travelMatrix(graph, Int32Array.of(from, to));
    const path = shortestPath(graph, from, to);
    if (path === null) {
      expect(seconds[1]).toBe(UNREACHABLE);
      return;
    }
    expect([path.nodes[0], path.nodes.at(-1)]).toEqual([from, to]);
    expect(new Set(path.nodes).size).toBe(path.nodes.length);
    let milliseconds = 0;
    let centimetres = 0;
    for (let i = 1; i < path.nodes.length; i++) {
      const [tail, head] = [path.nodes[i - 1]!, path.nodes[i]!];
      const arc = graph.head.subarray(0, graph.firstArc[tail + 1]!).indexOf(head, graph.firstArc[tail]!);
      expect(arc).toBeGreaterThanOrEqual(0);
      milliseconds += graph.milliseconds[arc]!;
      centimetres += graph.centimetres[arc]!;
    }
    const sum = { seconds: Math.ceil(milliseconds / 1000), metres: Math.ceil(centimetres / 100) };
    expect({ seconds: path.seconds, metres: path.metres }).toEqual(sum);
    expect({ seconds: seconds[1], metres: metres[1] }).toEqual(sum);
  }), { numRuns: 300 });
});
