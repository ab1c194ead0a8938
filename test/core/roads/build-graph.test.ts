import { describe, expect, test } from '@jest/globals';
import { buildGraph } from '../../../core/roads/build-graph.ts';
import { graphFromBuffer, WEIGHT_MAX } from '../../../core/roads/graph.ts';
import type { Graph } from '../../../core/roads/graph.ts';
import type { NetworkEdge } from '../../../core/roads/network.ts';

const nodes = ['a', 'b', 'c'].map((id, i) => ({ id, x: 10 + i, y: 50 - i }));
let edgeCount = 0;
function edge(from: string, to: string, seconds: number, metres: number, more: Partial<NetworkEdge> = {}): NetworkEdge {
  return { id: `e${edgeCount++}`, from, to, time_seconds: seconds, distance_meters: metres, ...more };
}

/** Each arc as [tail, head, milliseconds, centimetres], in the order of the graph. */
function arcs(graph: Graph): number[][] {
  const rows: number[][] = [];
  for (let tail = 0; tail < graph.nodeCount; tail++) {
    for (let arc = graph.firstArc[tail]!; arc < graph.firstArc[tail + 1]!; arc++) {
      rows.push([tail, graph.head[arc]!, graph.milliseconds[arc]!, graph.centimetres[arc]!]);
    }
  }
  return rows;
}

const arcsOf = (...edges: NetworkEdge[]) => arcs(buildGraph({ nodes, edges }));

describe('the graph of a network', () => {
  test('keeps the places of the nodes in their order', () => {
    const graph = buildGraph({ nodes, edges: [] });
    expect([...graph.longitude]).toEqual([10, 11, 12]);
    expect([...graph.latitude]).toEqual([50, 49, 48]);
    expect(graph.arcCount).toBe(0);
  });

  test('has one arc for a one-way edge, in milliseconds and centimetres', () => {
    expect(arcsOf(edge('c', 'a', 12.3456, 100.005))).toEqual([[2, 0, 12346, 10001]]);
  });

  test('has two arcs for a bidirectional edge, the same where no reverse value is given', () => {
    expect(arcsOf(edge('a', 'b', 5, 50, { bidirectional: true }))).toEqual([[0, 1, 5000, 5000], [1, 0, 5000, 5000]]);
    expect(arcsOf(edge('a', 'b', 5, 50, { bidirectional: true, reverse_time_seconds: 0 }))).toEqual([[0, 1, 5000, 5000], [1, 0, 0, 5000]]);
    expect(arcsOf(edge('a', 'b', 5, 50, { bidirectional: true, reverse_distance_meters: 70 }))).toEqual([[0, 1, 5000, 5000], [1, 0, 5000, 7000]]);
  });

  test('drops loops', () => {
    expect(arcsOf(edge('a', 'a', 0, 0), edge('b', 'b', 1, 1, { bidirectional: true }))).toEqual([]);
  });

  test('keeps the fastest of parallel arcs, and of equally fast ones the shortest', () => {
    expect(arcsOf(edge('a', 'b', 5, 50), edge('a', 'b', 4, 90), edge('a', 'b', 6, 10))).toEqual([[0, 1, 4000, 9000]]);
    expect(arcsOf(edge('a', 'b', 4, 50), edge('b', 'a', 9, 9), edge('a', 'b', 4, 20), edge('a', 'b', 4, 30))).toEqual([[0, 1, 4000, 2000], [1, 0, 9000, 900]]);
    expect(arcsOf(edge('a', 'b', 5, 50), edge('b', 'a', 8, 80, { bidirectional: true, reverse_time_seconds: 1 }))).toEqual([[0, 1, 1000, 8000], [1, 0, 8000, 8000]]);
  });

  test('does not depend on the order of the edges', () => {
    const edges = [edge('a', 'b', 1, 1), edge('a', 'c', 2, 2), edge('b', 'c', 3, 3, { bidirectional: true }), edge('a', 'b', 1, 3)];
    expect(arcsOf(...edges.toReversed())).toEqual(arcsOf(...edges));
  });

  test('keeps weights beyond its range as the greatest one', () => {
    expect(arcsOf(edge('a', 'b', 1e12, 1e300))).toEqual([[0, 1, WEIGHT_MAX, WEIGHT_MAX]]);
  });

  test('is not made of a network with problems', () => {
    expect(() => arcsOf(edge('a', 'nowhere', 1, 1))).toThrow('names a node that is not there');
    expect(() => arcsOf(edge('a', 'b', NaN, 1))).toThrow('finite and at least 0');
    expect(() => arcsOf(edge('a', 'b', 1, -1))).toThrow('finite and at least 0');
  });

  test('is built in linear time around a node with very many edges', () => {
    const spokes = Array.from({ length: 100_000 }, (_, i) => edge('a', i % 2 ? 'b' : 'c', 1 + (i % 7), i));
    expect(arcsOf(...spokes)).toEqual([[0, 1, 1000, 700], [0, 2, 1000, 0]]);
  });
});

describe('a graph in a buffer', () => {
  const graph = buildGraph({ nodes, edges: [edge('a', 'b', 5, 50), edge('b', 'c', 7, 70)] });

  test('is read back without a copy', () => {
    const again = graphFromBuffer(graph.buffer);
    expect(arcs(again)).toEqual(arcs(graph));
    again.milliseconds[0] = 1;
    expect(graph.milliseconds[0]).toBe(1);
    again.milliseconds[0] = 5000;
  });

  test('is refused when it is something else', () => {
    expect(() => graphFromBuffer(new SharedArrayBuffer(8))).toThrow('shorter than its header');
    expect(() => graphFromBuffer(new SharedArrayBuffer(640))).toThrow('not a road graph');
    const other = copyOf(graph.buffer, graph.buffer.byteLength);
    new Uint32Array(other, 0, 2)[1] = 99;
    expect(() => graphFromBuffer(other)).toThrow('layout 99');
    expect(() => graphFromBuffer(copyOf(graph.buffer, graph.buffer.byteLength + 4))).toThrow('its header says');
  });
});

function copyOf(buffer: SharedArrayBuffer, byteLength: number): SharedArrayBuffer {
  const copy = new SharedArrayBuffer(byteLength);
  new Uint8Array(copy).set(new Uint8Array(buffer));
  return copy;
}
