import fc from 'fast-check';
import type { Network, NetworkEdge } from '../../../core/roads/network.ts';

/** Small networks full of ties, zero times, loops, parallel edges, one-way edges and nodes that nothing leads to. */
export function randomNetworks(nodesMax = 9): fc.Arbitrary<Network> {
  return fc.integer({ min: 1, max: nodesMax }).chain((nodeCount) =>
    fc.record({
      nodes: fc.tuple(...Array.from({ length: nodeCount }, (_, i) => nodeAt(i))),
      edges: fc.array(edgeBetween(nodeCount), { maxLength: 3 * nodeCount }).map((edges) => edges.map((edge, i) => ({ ...edge, id: `e${i}` }))),
    }),
  );
}

function nodeAt(i: number) {
  return fc.record({ id: fc.constant(`n${i}`), x: fc.double({ min: -180, max: 180, noNaN: true }), y: fc.double({ min: -90, max: 90, noNaN: true }) });
}

function edgeBetween(nodeCount: number): fc.Arbitrary<NetworkEdge> {
  const node = fc.integer({ min: 0, max: nodeCount - 1 }).map((i) => `n${i}`);
  // Thousandths and hundredths are what the graph keeps, so that a slow, obvious sum of the input is exact too.
  const seconds = fc.integer({ min: 0, max: 6 }).map((n) => n * 0.35);
  const metres = fc.integer({ min: 0, max: 4 }).map((n) => n * 2.25);
  const oneWay = fc.record({ id: fc.constant(''), from: node, to: node, time_seconds: seconds, distance_meters: metres });
  const bothWays = fc.record(
    { reverse_time_seconds: seconds, reverse_distance_meters: metres, bidirectional: fc.constant(true) },
    { requiredKeys: ['bidirectional'] },
  );
  return fc.tuple(oneWay, fc.option(bothWays, { nil: {} })).map(([edge, back]) => ({ ...edge, ...back }));
}

/** The exact best time and length between all pairs, as [milliseconds, centimetres], by Floyd and Warshall; null where there is no way. */
export function slowTravel(network: Network): ([number, number] | null)[][] {
  const index = new Map(network.nodes.map((node, i) => [node.id, i]));
  const best: ([number, number] | null)[][] = network.nodes.map((_, i) => network.nodes.map((__, j) => (i === j ? [0, 0] : null)));
  const offer = (from: number, to: number, way: [number, number]) => {
    const known = best[from]![to]!;
    if (known === null || way[0] < known[0] || (way[0] === known[0] && way[1] < known[1])) best[from]![to] = way;
  };
  const units = (seconds: number, metres: number): [number, number] => [Math.round(seconds * 1000), Math.round(metres * 100)];
  for (const edge of network.edges) {
    const [from, to] = [index.get(edge.from)!, index.get(edge.to)!];
    offer(from, to, units(edge.time_seconds, edge.distance_meters));
    if (edge.bidirectional) {
      offer(to, from, units(edge.reverse_time_seconds ?? edge.time_seconds, edge.reverse_distance_meters ?? edge.distance_meters));
    }
  }
  const all = network.nodes.keys().toArray();
  for (const via of all) for (const from of all) for (const to of all) {
    const [a, b] = [best[from]![via]!, best[via]![to]!];
    if (a !== null && b !== null) offer(from, to, [a[0] + b[0], a[1] + b[1]]);
  }
  return best;
}
