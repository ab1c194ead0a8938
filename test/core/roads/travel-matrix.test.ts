import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildGraph } from '../../../core/roads/build-graph.ts';
import type { Network, NetworkEdge } from '../../../core/roads/network.ts';
import { travelMatrix, UNREACHABLE } from '../../../core/roads/travel-matrix.ts';
import { UNREACHABLE as UNREACHABLE_FOR_THE_SOLVER } from '../../../core/solver/problem.ts';
import { randomNetworks, slowTravel } from './random-networks.ts';

const NO = UNREACHABLE;

function graphOf(nodeIds: string, ...edges: [from: string, to: string, seconds: number, metres: number, back?: Partial<NetworkEdge>][]) {
  return buildGraph({
    nodes: [...nodeIds].map((id, i) => ({ id, x: i / 100, y: 0 })),
    edges: edges.map(([from, to, time_seconds, distance_meters, back], i) => ({ id: `e${i}`, from, to, time_seconds, distance_meters, ...back })),
  });
}

function secondsAndMetres(graph: ReturnType<typeof graphOf>, ...nodes: number[]) {
  const { size, seconds, metres } = travelMatrix(graph, Int32Array.from(nodes));
  expect(size).toBe(nodes.length);
  return { seconds: [...seconds], metres: [...metres] };
}

describe('the travel matrix', () => {
  test('goes the fastest way and counts the metres of that way', () => {
    // a to c: 10 + 10 s over b, 500 m; the direct road is shorter, 300 m, but takes 25 s.
    const graph = graphOf('abc', ['a', 'b', 10, 250], ['b', 'c', 10, 250], ['a', 'c', 25, 300]);
    expect(secondsAndMetres(graph, 0, 1, 2)).toEqual({
      seconds: [0, 10, 20, NO, 0, 10, NO, NO, 0],
      metres: [0, 250, 500, NO, 0, 250, NO, NO, 0],
    });
  });

  test('takes the shorter of two ways that are equally fast', () => {
    const graph = graphOf('abcd', ['a', 'b', 10, 400], ['b', 'd', 10, 400], ['a', 'c', 15, 300], ['c', 'd', 5, 300]);
    expect(secondsAndMetres(graph, 0, 3)).toEqual({ seconds: [0, 20, NO, 0], metres: [0, 600, NO, 0] });
  });

  test('knows one-way streets and ways back that cost something else', () => {
    const graph = graphOf('abc', ['a', 'b', 10, 100, { bidirectional: true, reverse_time_seconds: 30, reverse_distance_meters: 120 }], ['b', 'c', 1, 1]);
    expect(secondsAndMetres(graph, 0, 1, 2)).toEqual({
      seconds: [0, 10, 11, 30, 0, 1, NO, NO, 0],
      metres: [0, 100, 101, 120, 0, 1, NO, NO, 0],
    });
  });

  test('has no way to and from an isolated node, and 0 on its own place', () => {
    const graph = graphOf('abc', ['a', 'b', 1, 1, { bidirectional: true }]);
    expect(secondsAndMetres(graph, 2, 0)).toEqual({ seconds: [0, NO, NO, 0], metres: [0, NO, NO, 0] });
  });

  test('is right over edges that take no time, in circles too', () => {
    const graph = graphOf('abcd', ['a', 'b', 0, 5], ['b', 'c', 0, 5], ['c', 'a', 0, 0], ['c', 'd', 0, 0], ['a', 'd', 0, 11]);
    expect(secondsAndMetres(graph, 0, 3)).toEqual({ seconds: [0, 0, NO, 0], metres: [0, 10, NO, 0] });
  });

  test('adds exactly and rounds the sum up, not its parts', () => {
    // 0.1 s ten times is one second, not ten; 0.01 m more makes another metre.
    const ids = 'abcdefghijk';
    const graph = graphOf(ids, ...[...ids].slice(1).map((to, i): [string, string, number, number] => [ids[i]!, to, 0.1, 0.1]), ['k', 'a', 0.001, 0.01]);
    expect(secondsAndMetres(graph, 0, 10)).toEqual({ seconds: [0, 1, 1, 0], metres: [0, 1, 1, 0] });
    expect(secondsAndMetres(graph, 1, 0)).toEqual({ seconds: [0, 1, 1, 0], metres: [0, 1, 1, 0] });
  });

  test('may name a node more than once', () => {
    const graph = graphOf('ab', ['a', 'b', 3, 30]);
    expect(secondsAndMetres(graph, 0, 1, 0)).toEqual({ seconds: [0, 3, 0, NO, 0, NO, 0, 3, 0], metres: [0, 30, 0, NO, 0, NO, 0, 30, 0] });
  });

  test('of no nodes is empty', () => {
    expect(secondsAndMetres(graphOf('a'))).toEqual({ seconds: [], metres: [] });
  });

  test('calls it no way when it takes decades, and never overflows', () => {
    const ids = Array.from({ length: 400 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
    const graph = graphOf(ids, ...[...ids].slice(1).map((to, i): [string, string, number, number] => [ids[i]!, to, 1e12, 1e12]));
    const { seconds, metres } = secondsAndMetres(graph, 0, 1, 249, 250, 399);
    expect(seconds.slice(0, 5)).toEqual([0, 4_294_968, Math.ceil(249 * 4_294_967.295), NO, NO]);
    expect(metres.slice(0, 5)).toEqual([0, 42_949_673, NO - 1, NO, NO]);
  });

  test('uses the solver’s number for no way', () => {
    expect(UNREACHABLE).toBe(UNREACHABLE_FOR_THE_SOLVER);
  });

  test('refuses nodes that the graph does not have', () => {
    expect(() => travelMatrix(graphOf('ab'), Int32Array.of(0, 2))).toThrow('no node 2 in a graph of 2');
    expect(() => travelMatrix(graphOf('ab'), Int32Array.of(-1))).toThrow('no node -1');
  });

  test('tells its rows as they are done, and can be stopped between them', () => {
    const graph = graphOf('abc', ['a', 'b', 1, 1]);
    const told: number[] = [];
    expect(travelMatrix(graph, Int32Array.of(0, 1, 2), { onRow: (done) => told.push(done), shouldStop: () => told.length === 2 })).toBeNull();
    expect(told).toEqual([1, 2]);
  });
});

describe('on random networks the travel matrix', () => {
  const nodesOf = (network: Network) => Int32Array.from(network.nodes.keys());

  test('agrees with a slow, obvious computation', () => {
    fc.assert(fc.property(randomNetworks(), (network) => {
      const { size, seconds, metres } = travelMatrix(buildGraph(network), nodesOf(network));
      for (const [from, row] of slowTravel(network).entries()) {
        for (const [to, way] of row.entries()) {
          const found = [seconds[from * size + to], metres[from * size + to]];
          expect(found).toEqual(way === null ? [NO, NO] : [Math.ceil(way[0] / 1000), Math.ceil(way[1] / 100)]);
        }
      }
    }), { numRuns: 400 });
  });

  test('has the same numbers for some of the nodes as for all of them', () => {
    fc.assert(fc.property(randomNetworks(), fc.array(fc.nat(), { maxLength: 6 }), (network, picks) => {
      const graph = buildGraph(network);
      const all = travelMatrix(graph, nodesOf(network));
      const some = Int32Array.from(picks, (pick) => pick % graph.nodeCount);
      const { size, seconds, metres } = travelMatrix(graph, some);
      for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) {
        expect(seconds[i * size + j]).toBe(all.seconds[some[i]! * all.size + some[j]!]);
        expect(metres[i * size + j]).toBe(all.metres[some[i]! * all.size + some[j]!]);
      }
    }), { numRuns: 200 });
  });

  test('never gains time by a stop on the way', () => {
    fc.assert(fc.property(randomNetworks(), (network) => {
      const { size, seconds } = travelMatrix(buildGraph(network), nodesOf(network));
      for (let a = 0; a < size; a++) for (let b = 0; b < size; b++) for (let c = 0; c < size; c++) {
        expect(seconds[a * size + c]!).toBeLessThanOrEqual(seconds[a * size + b]! + seconds[b * size + c]!);
      }
    }), { numRuns: 100 });
  });

  test('does not change with the order of the edges', () => {
    fc.assert(fc.property(randomNetworks(), (network) => {
      const turned = { ...network, edges: network.edges.toReversed() };
      expect(travelMatrix(buildGraph(turned), nodesOf(network))).toEqual(travelMatrix(buildGraph(network), nodesOf(network)));
    }), { numRuns: 100 });
  });
});
