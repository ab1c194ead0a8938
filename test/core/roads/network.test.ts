import { describe, expect, test } from '@jest/globals';
import { networkProblems } from '../../../core/roads/network.ts';
import type { Network, NetworkEdge, NetworkNode } from '../../../core/roads/network.ts';

const a: NetworkNode = { id: 'a', x: -180, y: -90 };
const b: NetworkNode = { id: 'b', x: 180, y: 90 };
const ab: NetworkEdge = { id: 'ab', from: 'a', to: 'b', time_seconds: 0, distance_meters: 0 };

const paths = (network: Network) => networkProblems(network).map((problem) => problem.path);

describe('a network', () => {
  test('at the limits of every rule has no problem', () => {
    const back: NetworkEdge = { ...ab, id: 'back', bidirectional: true, reverse_time_seconds: 0, reverse_distance_meters: 1e9 };
    const loop: NetworkEdge = { ...ab, id: 'loop', to: 'a', bidirectional: false };
    expect(networkProblems({ nodes: [a, b], edges: [ab, back, loop] })).toEqual([]);
    expect(networkProblems({ nodes: [a], edges: [] })).toEqual([]);
  });

  test('needs a node', () => {
    expect(networkProblems({ nodes: [], edges: [] })).toEqual([{ path: '/nodes', message: 'must have at least one node' }]);
  });

  test('uses each id once among the nodes and once among the edges', () => {
    expect(networkProblems({ nodes: [a, b, a], edges: [ab, ab] })).toEqual([
      { path: '/nodes/2/id', message: 'node id "a" is used more than once' },
      { path: '/edges/1/id', message: 'edge id "ab" is used more than once' },
    ]);
    expect(paths({ nodes: [a, b], edges: [{ ...ab, id: 'a' }] })).toEqual([]);
  });

  test('has edges between nodes that exist', () => {
    expect(networkProblems({ nodes: [a, b], edges: [{ ...ab, from: 'c' }, { ...ab, id: 'x', to: 'toString' }] })).toEqual([
      { path: '/edges/0/from', message: 'names no node: "c"' },
      { path: '/edges/1/to', message: 'names no node: "toString"' },
    ]);
  });

  test.each([180.001, -181, NaN, Infinity, '13' as unknown as number])('has longitudes from -180 to 180, not %p', (x) => {
    expect(paths({ nodes: [{ ...a, x }], edges: [] })).toEqual(['/nodes/0/x']);
  });

  test.each([90.001, -91, NaN, -Infinity])('has latitudes from -90 to 90, not %p', (y) => {
    expect(paths({ nodes: [{ ...a, y }], edges: [] })).toEqual(['/nodes/0/y']);
  });

  test.each([-1, NaN, Infinity, null as unknown as number])('has times and distances that are finite and at least 0, not %p', (bad) => {
    const edge: NetworkEdge = {
      ...ab, bidirectional: true, time_seconds: bad, distance_meters: bad, reverse_time_seconds: bad, reverse_distance_meters: bad,
    };
    expect(paths({ nodes: [a, b], edges: [edge] })).toEqual([
      '/edges/0/time_seconds', '/edges/0/distance_meters', '/edges/0/reverse_time_seconds', '/edges/0/reverse_distance_meters',
    ]);
  });

  test('gives reverse values only for edges that go both ways', () => {
    const edges = [
      { ...ab, reverse_time_seconds: 1 },
      { ...ab, id: 'x', bidirectional: false, reverse_distance_meters: 1 },
    ];
    expect(networkProblems({ nodes: [a, b], edges })).toEqual([
      { path: '/edges/0/reverse_time_seconds', message: 'has a meaning only where bidirectional is true' },
      { path: '/edges/1/reverse_distance_meters', message: 'has a meaning only where bidirectional is true' },
    ]);
  });

  test('wrong everywhere is described by its first hundred problems', () => {
    const nodes = Array.from({ length: 90 }, (_, i) => ({ ...a, id: `n${i}`, x: 999 }));
    const edges = Array.from({ length: 90 }, (_, i) => ({ ...ab, id: `e${i}`, from: 'n1', to: 'nowhere' }));
    const problems = paths({ nodes, edges });
    expect(problems).toHaveLength(100);
    expect(problems[89]).toBe('/nodes/89/x');
    expect(problems[99]).toBe('/edges/9/to');
  });
});
