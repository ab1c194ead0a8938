import fc from 'fast-check';
import { WEIGHT_MAX } from '../../../../core/roads/graph.ts';
import type { Digraph } from '../../../../core/roads/graph.ts';

export type Arc = readonly [tail: number, head: number, milliseconds: number, centimetres: number];

/** A graph of these arcs, which keep their order where they leave the same node. */
export function digraphOf(nodeCount: number, arcs: readonly Arc[]): Digraph {
  const sorted = arcs.toSorted((a, b) => a[0] - b[0]);
  const firstArc = Int32Array.from({ length: nodeCount + 1 }, (_, node) => sorted.filter(([tail]) => tail < node).length);
  const column = (index: number) => sorted.map((arc) => arc[index]);
  return { nodeCount, arcCount: sorted.length, firstArc, head: Int32Array.from(column(1)), milliseconds: Uint32Array.from(column(2)), centimetres: Uint32Array.from(column(3)) };
}

/** Small graphs with everything that a map may hold: loops, parallel arcs, arcs that cost nothing, ties, islands, arcs of the greatest length. */
export function randomDigraphs(nodesMax = 12): fc.Arbitrary<Digraph> {
  const milliseconds = fc.oneof({ weight: 30, arbitrary: fc.nat({ max: 4 }) }, { weight: 30, arbitrary: fc.nat({ max: 5_000 }) }, { weight: 1, arbitrary: fc.integer({ min: WEIGHT_MAX - 2, max: WEIGHT_MAX }) });
  const centimetres = fc.oneof({ weight: 30, arbitrary: fc.nat({ max: 3 }) }, { weight: 30, arbitrary: fc.nat({ max: 900 }) }, { weight: 1, arbitrary: fc.constant(WEIGHT_MAX) });
  return fc.integer({ min: 1, max: nodesMax }).chain((nodeCount) => {
    const node = fc.nat({ max: nodeCount - 1 });
    return fc.array(fc.tuple(node, node, milliseconds, centimetres), { maxLength: 4 * nodeCount }).map((arcs) => digraphOf(nodeCount, arcs));
  });
}

export type Sum = readonly [milliseconds: number, centimetres: number];

/** The exact best sum of each pair, by Floyd and Warshall; null where there is no way. */
export function slowSums({ nodeCount, firstArc, head, milliseconds, centimetres }: Digraph): (Sum | null)[][] {
  const nodes = Array.from({ length: nodeCount }, (_, node) => node);
  const best: (Sum | null)[][] = nodes.map((from) => nodes.map((to) => (from === to ? [0, 0] : null)));
  const offer = (from: number, to: number, sum: Sum) => (best[from][to] = lesser(best[from][to], sum));
  for (const tail of nodes) for (let arc = firstArc[tail]; arc < firstArc[tail + 1]; arc++) offer(tail, head[arc], [milliseconds[arc], centimetres[arc]]);
  for (const via of nodes) for (const from of nodes) for (const to of nodes) {
    const whole = plus(best[from][via], best[via][to]);
    if (whole !== null) offer(from, to, whole);
  }
  return best;
}

export const plus = (a: Sum | null, b: Sum | null): Sum | null => (a === null || b === null ? null : [a[0] + b[0], a[1] + b[1]]);

export const lesser = (a: Sum | null, b: Sum | null): Sum | null => {
  if (a === null || b === null) return a ?? b;
  return a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1]) ? a : b;
};

/** A grid whose streets all have about the same speed: there is no hierarchy in it. */
export function flatGrid(width: number): Digraph {
  const arcs: Arc[] = [];
  const weigh = (i: number): [number, number] => [9_000 + ((i * 7_919) % 2_000), 10_000 + ((i * 104_729) % 500)];
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const node = y * width + x;
      const others = [...(x + 1 < width ? [node + 1] : []), ...(y + 1 < width ? [node + width] : [])];
      for (const other of others) arcs.push([node, other, ...weigh(arcs.length)], [other, node, ...weigh(arcs.length + 1)]);
    }
  }
  return digraphOf(width * width, arcs);
}
