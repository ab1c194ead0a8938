import { allocateGraph } from './graph.ts';
import type { Graph } from './graph.ts';

/**
 * The graph with every arc turned round: a search from a node in it finds the ways to that node. Sums of weights are the same in both
 * directions, so both searches give the same numbers for a pair. It is not made for snapping: its tree stays empty.
 */
export function reverseGraph(graph: Graph): Graph {
  const { nodeCount, arcCount, firstArc, head } = graph;
  const reversed = allocateGraph(nodeCount, arcCount);
  for (let arc = 0; arc < arcCount; arc++) reversed.firstArc[head[arc]! + 1]!++;
  for (let node = 0; node < nodeCount; node++) reversed.firstArc[node + 1]! += reversed.firstArc[node]!;
  const next = reversed.firstArc.slice();
  // Tails ascend, so that the heads of each reversed node do.
  for (let tail = 0; tail < nodeCount; tail++) {
    for (let arc = firstArc[tail]!; arc < firstArc[tail + 1]!; arc++) {
      const at = next[head[arc]!]!++;
      reversed.head[at] = tail;
      reversed.milliseconds[at] = graph.milliseconds[arc]!;
      reversed.centimetres[at] = graph.centimetres[arc]!;
    }
  }
  return reversed;
}
