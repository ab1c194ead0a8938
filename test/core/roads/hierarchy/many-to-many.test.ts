import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contract } from '../../../../core/roads/hierarchy/contract.ts';
import { Buckets } from '../../../../core/roads/hierarchy/buckets.ts';
import { manyToMany } from '../../../../core/roads/hierarchy/many-to-many.ts';
import type { DirectWay } from '../../../../core/roads/hierarchy/many-to-many.ts';
import { placesAt, placesOf } from '../../../../core/roads/hierarchy/places.ts';
import type { Candidate } from '../../../../core/roads/hierarchy/places.ts';
import { UpwardSearch } from '../../../../core/roads/hierarchy/upward-search.ts';
import { travelMatrix, UNREACHABLE } from '../../../../core/roads/travel-matrix.ts';
import { buildGraph } from '../../../../core/roads/build-graph.ts';
import { randomNetworks } from '../random-networks.ts';
import { digraphOf, flatGrid, lesser, plus, randomDigraphs, slowSums, type Sum } from './random-digraphs.ts';

const allOf = (nodeCount: number) => Int32Array.from({ length: nodeCount }, (_, node) => node);
const rounded = (sum: Sum | null) => (sum === null || Math.ceil(sum[0] / 1000) >= UNREACHABLE ? [UNREACHABLE, UNREACHABLE] : [Math.ceil(sum[0] / 1000), Math.min(UNREACHABLE - 1, Math.ceil(sum[1] / 100))]);

/** Some of the graph contracted, all of it, or nothing. */
const workMax = fc.constantFrom(0, 3, 10, 30, 100, 300, 1e9);

describe('travel by a hierarchy', () => {
  test('has the numbers of a slow, obvious computation between all pairs of any graph, whatever is left as its core', () => {
    fc.assert(fc.property(randomDigraphs(), workMax, (graph, work) => {
      const nodes = placesAt(allOf(graph.nodeCount));
      const { columns, seconds, metres } = manyToMany(contract(graph, { workMax: work })!, { sources: nodes, targets: nodes })!;
      for (const [from, row] of slowSums(graph).entries()) {
        for (const [to, sum] of row.entries()) expect([seconds[from * columns + to], metres[from * columns + to]]).toEqual(rounded(sum));
      }
    }), { numRuns: 2_000 });
  });

  test('has the numbers of the matrix on networks', () => {
    fc.assert(fc.property(randomNetworks(16), workMax, (network, work) => {
      const graph = buildGraph(network);
      const nodes = allOf(graph.nodeCount);
      const { seconds, metres } = manyToMany(contract(graph, { workMax: work })!, { sources: placesAt(nodes), targets: placesAt(nodes) })!;
      const matrix = travelMatrix(graph, nodes);
      expect({ seconds, metres }).toEqual({ seconds: matrix.seconds, metres: matrix.metres });
    }), { numRuns: 500 });
  });

  test('is the same on a grid with a core of any size', () => {
    const grid = flatGrid(16);
    const nodes = allOf(grid.nodeCount).filter((node) => node % 3 === 0);
    const { seconds, metres } = travelMatrix(grid, nodes);
    for (const work of [0, 60_000, 100_000, 150_000, 1e9]) {
      expect(manyToMany(contract(grid, { workMax: work })!, { sources: placesAt(nodes), targets: placesAt(nodes) })).toMatchObject({ seconds, metres });
    }
  });

  test('between places with several candidates takes the best of them, and a direct way where it is better', () => {
    const candidate = fc.record({ node: fc.nat(), milliseconds: fc.nat({ max: 3_000 }), centimetres: fc.nat({ max: 400 }) });
    const places = fc.array(fc.array(candidate, { maxLength: 3 }), { maxLength: 5 });
    const direct = fc.array(fc.record({ source: fc.nat(), target: fc.nat(), milliseconds: fc.nat({ max: 2_000 }), centimetres: fc.nat({ max: 300 }) }), { maxLength: 4 });
    fc.assert(fc.property(randomDigraphs(8), workMax, places, places, direct, (graph, work, anySources, anyTargets, anyDirect) => {
      const within = (any: Candidate[][]) => any.map((each) => each.map((one) => ({ ...one, node: one.node % graph.nodeCount })));
      const [sources, targets] = [within(anySources), within(anyTargets)];
      const ways: DirectWay[] = sources.length * targets.length === 0 ? [] : anyDirect.map((way) => ({ ...way, source: way.source % sources.length, target: way.target % targets.length }));
      const { rows, columns, seconds, metres } = manyToMany(contract(graph, { workMax: work })!, { sources: placesOf(sources), targets: placesOf(targets), direct: ways })!;
      expect([rows, columns]).toEqual([sources.length, targets.length]);
      const sums = slowSums(graph);
      const toSum = ({ milliseconds, centimetres }: { milliseconds: number; centimetres: number }): Sum => [milliseconds, centimetres];
      sources.forEach((from, source) => targets.forEach((to, target) => {
        let best: Sum | null = null;
        for (const a of from) for (const b of to) best = lesser(best, plus(plus(toSum(a), sums[a.node][b.node]), toSum(b)));
        for (const way of ways) if (way.source === source && way.target === target) best = lesser(best, toSum(way));
        expect([seconds[source * columns + target], metres[source * columns + target]]).toEqual(rounded(best));
      }));
    }), { numRuns: 500 });
  });

  test('refuses nodes that are not there and ways that are no lengths', () => {
    const hierarchy = contract(digraphOf(2, [[0, 1, 5, 5]]))!;
    const ask = (candidate: Candidate) => () => manyToMany(hierarchy, { sources: placesOf([[candidate]]), targets: placesAt([0]) });
    expect(ask({ node: 2, milliseconds: 0, centimetres: 0 })).toThrow('no node 2 in a graph of 2');
    expect(ask({ node: -1, milliseconds: 0, centimetres: 0 })).toThrow('no node -1');
    expect(ask({ node: 0, milliseconds: -1, centimetres: 0 })).toThrow('not -1');
    expect(ask({ node: 0, milliseconds: 0, centimetres: 0.5 })).toThrow('not 0.5');
  });

  test('tells its rows as they are done, and can be stopped at any time', () => {
    const hierarchy = contract(flatGrid(6))!;
    const nodes = placesAt([0, 7, 14, 21]);
    const told: number[] = [];
    expect(manyToMany(hierarchy, { sources: nodes, targets: nodes }, { onRow: (done) => told.push(done) })).not.toBeNull();
    expect(told).toEqual([1, 2, 3, 4]);
    for (let asked = 0; asked < 8; asked++) {
      let left = asked;
      expect(manyToMany(hierarchy, { sources: nodes, targets: nodes }, { shouldStop: () => left-- === 0 })).toBeNull();
    }
  });
});

test('buckets take as many targets as they have room for, at least one', () => {
  const hierarchy = contract(flatGrid(6))!;
  const targets = placesAt([0, 7, 14, 21]);
  const search = new UpwardSearch(hierarchy);
  const buckets = new Buckets(hierarchy);
  expect(buckets.take(search, targets, { from: 1, entriesLimit: 1 })).toBe(true);
  expect(buckets.endTarget).toBe(2);
  expect([...buckets.target].every((target) => target === 0)).toBe(true);
});
