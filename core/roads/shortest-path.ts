import type { Digraph } from './graph.ts';
import { createSearch, isReached, searchFrom } from './search.ts';
import { travelTo, UNREACHABLE } from './travel-matrix.ts';

export interface Path {
  /** From the first node to the last, both included. */
  nodes: Int32Array;
  seconds: number;
  metres: number;
}

/** The way behind one number of the travel matrix; null where there is none. */
export function shortestPath(graph: Digraph, from: number, to: number): Path | null {
  for (const node of [from, to]) {
    if (!(node >= 0 && node < graph.nodeCount)) throw new RangeError(`no node ${node} in a graph of ${graph.nodeCount}`);
  }
  const search = createSearch(graph);
  const isTarget = new Uint8Array(graph.nodeCount);
  isTarget[to] = 1;
  searchFrom(search, from, isTarget, 1);
  const { seconds, metres } = travelTo(search, to);
  if (!isReached(search, to) || seconds === UNREACHABLE) return null;
  const nodes: number[] = [];
  for (let node = to; node !== -1; node = search.before[node]!) nodes.push(node);
  return { nodes: Int32Array.from(nodes.reverse()), seconds, metres };
}
