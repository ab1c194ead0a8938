import type { Graph } from './graph.ts';

/**
 * Dijkstra's search from one node, with buffers that serve many searches of one graph. Fastest first and, of equally fast ways, the
 * shortest: the values do not depend on the order in which anything is visited. Sums are whole milliseconds and centimetres
 * in doubles, exact up to 2^53.
 */
export interface Search {
  graph: Graph;
  /** Number of the present search; values of a node count only where `reachedIn` holds this number. */
  round: number;
  reachedIn: Uint32Array;
  milliseconds: Float64Array;
  centimetres: Float64Array;
  /** The node before on the way; filled always, as it costs nothing that can be measured. */
  before: Int32Array;
  /** Open nodes as a heap with four children each, and each node's place in it. */
  heap: Int32Array;
  place: Int32Array;
}

export function createSearch(graph: Graph): Search {
  const n = graph.nodeCount;
  return {
    graph, round: 0,
    reachedIn: new Uint32Array(n), milliseconds: new Float64Array(n), centimetres: new Float64Array(n),
    before: new Int32Array(n), heap: new Int32Array(n), place: new Int32Array(n),
  };
}

/** Whether the last search reached a node. Values of targets are final; of others they may be those of a slower way. */
export function isReached(search: Search, node: number): boolean {
  return search.reachedIn[node] === search.round;
}

/** Searches until all targets are settled or nothing is left; `isTarget` marks `targetCount` nodes. */
export function searchFrom(search: Search, source: number, isTarget: Uint8Array, targetCount: number): void {
  const { firstArc, head, milliseconds: arcTime, centimetres: arcLength } = search.graph;
  const { reachedIn, milliseconds: time, centimetres: length, before, heap, place } = search;
  const round = ++search.round;
  let open = 1;
  let targetsLeft = targetCount;
  heap[0] = source;
  place[source] = 0;
  reachedIn[source] = round;
  time[source] = 0;
  length[source] = 0;
  before[source] = -1;

  while (open > 0) {
    const node = heap[0]!;
    if (isTarget[node] === 1 && --targetsLeft === 0) return;
    const last = heap[--open]!;
    if (open > 0) sink(last);

    const nodeTime = time[node]!;
    const nodeLength = length[node]!;
    for (let arc = firstArc[node]!; arc < firstArc[node + 1]!; arc++) {
      const next = head[arc]!;
      const nextTime = nodeTime + arcTime[arc]!;
      const nextLength = nodeLength + arcLength[arc]!;
      if (reachedIn[next] !== round) {
        reachedIn[next] = round;
        place[next] = open++;
      } else if (nextTime > time[next]! || (nextTime === time[next]! && nextLength >= length[next]!)) {
        // Settled nodes always end up here, because no weight is negative.
        continue;
      }
      time[next] = nextTime;
      length[next] = nextLength;
      before[next] = node;
      rise(next);
    }
  }

  function rise(node: number): void {
    const nodeTime = time[node]!;
    const nodeLength = length[node]!;
    let i = place[node]!;
    while (i > 0) {
      const parentPlace = (i - 1) >> 2;
      const parent = heap[parentPlace]!;
      if (time[parent]! < nodeTime || (time[parent]! === nodeTime && length[parent]! <= nodeLength)) break;
      heap[i] = parent;
      place[parent] = i;
      i = parentPlace;
    }
    heap[i] = node;
    place[node] = i;
  }

  /** Puts a node into the empty top of the heap and lets it down to where it belongs. */
  function sink(node: number): void {
    const nodeTime = time[node]!;
    const nodeLength = length[node]!;
    let i = 0;
    for (;;) {
      const first = 4 * i + 1;
      if (first >= open) break;
      const end = first + 4 < open ? first + 4 : open;
      let least = heap[first]!;
      let leastPlace = first;
      for (let j = first + 1; j < end; j++) {
        const child = heap[j]!;
        if (time[child]! < time[least]! || (time[child]! === time[least]! && length[child]! < length[least]!)) {
          least = child;
          leastPlace = j;
        }
      }
      if (nodeTime < time[least]! || (nodeTime === time[least]! && nodeLength <= length[least]!)) break;
      heap[i] = least;
      place[least] = i;
      i = leastPlace;
    }
    heap[i] = node;
    place[node] = i;
  }
}
