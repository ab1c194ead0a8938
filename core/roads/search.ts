import type { Digraph } from './graph.ts';
import { OpenNodes } from './open-nodes.ts';

/**
 * Dijkstra's search from one node, with buffers that serve many searches of one graph. Fastest first and, of equally fast ways, the
 * shortest: the values do not depend on the order in which anything is visited. Sums are whole milliseconds and centimetres
 * in doubles, exact up to 2^53.
 */
export interface Search {
  graph: Digraph;
  /** Number of the present search; values of a node count only where `reachedIn` holds this number. */
  round: number;
  reachedIn: Uint32Array;
  milliseconds: Float64Array;
  centimetres: Float64Array;
  /** The node before on the way; filled always, as it costs nothing that can be measured. */
  before: Int32Array;
  open: OpenNodes;
}

export function createSearch(graph: Digraph): Search {
  const n = graph.nodeCount;
  const labels = { milliseconds: new Float64Array(n), centimetres: new Float64Array(n) };
  return { graph, round: 0, reachedIn: new Uint32Array(n), ...labels, before: new Int32Array(n), open: new OpenNodes(labels) };
}

/** Whether the last search reached a node. Values of targets are final; of others they may be those of a slower way. */
export function isReached(search: Search, node: number): boolean {
  return search.reachedIn[node] === search.round;
}

/** Searches until all targets are settled or nothing is left; `isTarget` marks `targetCount` nodes. */
export function searchFrom(search: Search, source: number, isTarget: Uint8Array, targetCount: number): void {
  const { firstArc, head, milliseconds: arcTime, centimetres: arcLength } = search.graph;
  const { reachedIn, milliseconds: time, centimetres: length, before, open } = search;
  const round = ++search.round;
  let targetsLeft = targetCount;
  reachedIn[source] = round;
  time[source] = 0;
  length[source] = 0;
  before[source] = -1;
  open.size = 0;
  open.add(source);

  while (open.size > 0) {
    const node = open.takeLeast();
    if (isTarget[node] === 1 && --targetsLeft === 0) return;
    const nodeTime = time[node];
    const nodeLength = length[node];
    for (let arc = firstArc[node]; arc < firstArc[node + 1]; arc++) {
      const next = head[arc];
      const nextTime = nodeTime + arcTime[arc];
      const nextLength = nodeLength + arcLength[arc];
      const isNew = reachedIn[next] !== round;
      // Settled nodes always fail to improve, because no weight is negative.
      if (!isNew && (nextTime > time[next] || (nextTime === time[next] && nextLength >= length[next]))) continue;
      reachedIn[next] = round;
      time[next] = nextTime;
      length[next] = nextLength;
      before[next] = node;
      if (isNew) open.add(next);
      else open.improve(next);
    }
  }
}
