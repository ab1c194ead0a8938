import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Digraph } from '../../../../core/roads/graph.ts';
import { contract } from '../../../../core/roads/hierarchy/contract.ts';
import { fillRowFrom, fillRowTo } from '../../../../core/roads/hierarchy/one-to-all.ts';
import { fastestWay } from '../../../../core/roads/hierarchy/one-to-one.ts';
import { fillLegsBy } from '../../../../core/roads/hierarchy/single-legs.ts';
import { fillRow } from '../../../../core/roads/reach.ts';
import { UNREACHABLE } from '../../../../core/roads/travel-matrix.ts';
import { digraphOf, randomDigraphs, slowSums } from './random-digraphs.ts';

const workMax = fc.constantFrom(0, 3, 10, 30, 100, 300, 1e9);
const at = (node: number, milliseconds = 0, centimetres = 0) => [{ node, milliseconds, centimetres }];
const emptyRow = (length: number) => ({ seconds: new Int32Array(length), metres: new Int32Array(length) });

/** The sum of the arcs, each of which must begin where the one before ends. */
function drive({ firstArc, head, milliseconds, centimetres }: Digraph, from: number, arcs: Int32Array): { nodes: number[]; milliseconds: number; centimetres: number } {
  const driven = { nodes: [from], milliseconds: 0, centimetres: 0 };
  for (const arc of arcs) {
    const node = driven.nodes.at(-1)!;
    expect(arc >= firstArc[node] && arc < firstArc[node + 1]).toBe(true);
    driven.nodes.push(head[arc]);
    driven.milliseconds += milliseconds[arc];
    driven.centimetres += centimetres[arc];
  }
  return driven;
}

test('a way is made of arcs of the graph that follow one another and add up to the number of its pair', () => {
  fc.assert(fc.property(randomDigraphs(), workMax, fc.nat(), fc.nat(), (graph, work, a, b) => {
    const [from, to] = [a % graph.nodeCount, b % graph.nodeCount];
    const way = fastestWay(graph, contract(graph, { workMax: work })!, { source: at(from), target: at(to) });
    const sum = slowSums(graph)[from][to];
    expect(way === null ? null : [way.milliseconds, way.centimetres]).toEqual(sum);
    if (way === null) return;
    const driven = drive(graph, from, way.arcs);
    expect([driven.milliseconds, driven.centimetres]).toEqual(sum);
    expect(driven.nodes.at(-1)).toBe(to);
    expect(new Set(driven.nodes).size).toBe(driven.nodes.length);
    expect([way.seconds, way.metres]).toEqual([Math.ceil(sum![0] / 1000), Math.ceil(sum![1] / 100)]);
  }), { numRuns: 1_000 });
});

test('a way says between which candidates it leads, and its length includes the ways to them', () => {
  const graph = digraphOf(4, [[0, 1, 100, 10], [1, 2, 100, 10], [2, 3, 100, 10]]);
  const hierarchy = contract(graph)!;
  const way = fastestWay(graph, hierarchy, { source: [...at(0, 5, 1), ...at(2, 500, 2)], target: [...at(3, 1_000, 3), ...at(1, 7, 4)] });
  expect(way).toEqual({ arcs: Int32Array.of(0), source: 0, target: 1, milliseconds: 112, centimetres: 15, seconds: 1, metres: 1 });
  expect(fastestWay(graph, hierarchy, { source: at(3), target: at(0) })).toBeNull();
  expect(fastestWay(graph, hierarchy, { source: [], target: at(0) })).toBeNull();
  expect(fastestWay(graph, hierarchy, { source: at(2), target: at(2) })).toMatchObject({ arcs: new Int32Array(0), milliseconds: 0 });
  expect(() => fastestWay(digraphOf(4, []), hierarchy, { source: at(0), target: at(0) })).toThrow('made of another graph');
});

test('rows from a node and to it have the numbers of whole searches', () => {
  fc.assert(fc.property(randomDigraphs(), workMax, fc.nat(), (graph, work, any) => {
    const node = any % graph.nodeCount;
    const hierarchy = contract(graph, { workMax: work })!;
    const [there, back, searched] = [emptyRow(graph.nodeCount), emptyRow(graph.nodeCount), emptyRow(graph.nodeCount)];
    fillRowFrom(hierarchy, node, there);
    fillRowTo(hierarchy, node, back);
    fillRow(graph, node, searched);
    expect(there).toEqual(searched);
    const whole = slowSums(graph).map((row) => row[node]);
    expect([...back.seconds]).toEqual(whole.map((sum) => (sum === null ? UNREACHABLE : Math.ceil(sum[0] / 1000))));
    expect([...back.metres]).toEqual(whole.map((sum) => (sum === null ? UNREACHABLE : Math.ceil(sum[1] / 100))));
  }), { numRuns: 1_000 });
});

test('single legs have the numbers of their pairs', () => {
  fc.assert(fc.property(randomDigraphs(), workMax, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }), (graph, work, pairs) => {
    const ends = (which: 0 | 1) => Int32Array.from(pairs, (pair) => pair[which] % graph.nodeCount);
    const legs = { from: ends(0).toSorted(), to: ends(1), ...emptyRow(pairs.length) };
    fillLegsBy(contract(graph, { workMax: work })!, legs, { first: 0, end: pairs.length });
    const sums = slowSums(graph);
    expect([...legs.seconds]).toEqual(pairs.map((_, leg) => sums[legs.from[leg]][legs.to[leg]]).map((sum) => (sum === null ? UNREACHABLE : Math.ceil(sum[0] / 1000))));
  }), { numRuns: 500 });
});
