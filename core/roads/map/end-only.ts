import { sortArcs } from './sort-arcs.ts';
import { strongParts } from './strong-parts.ts';
import type { StrongParts } from './strong-parts.ts';
import type { TurnGraph } from './turn-graph.ts';

export interface EndOnlyResult {
  graph: TurnGraph;
  /** By node of the graph that came in: the part it is in when all roads are open to all. */
  parts: StrongParts;
  /** Open roads that can only be reached over closed ones, and so count as closed. */
  enclosedCount: number;
}

/**
 * Makes closed roads (private, for residents, for deliveries) roads on which a journey may only begin or end. Weights stay what they are:
 * there is no penalty that would spoil travel times. Instead each closed node gets a twin. The node itself is for those who begin on it: they may
 * drive on over closed roads and out to open ones. The twin is for those who come from open roads: they may drive on over twins and nowhere
 * else.
 *
 * What can be reached at all does not change. In each part of the graph that hangs together when everything is open, the largest part that hangs
 * together over open roads alone is its centre. Open roads outside the centre are only reached over closed ones (a village behind a
 * private road): they count as closed. Whoever begins on a closed node reaches the centre over closed nodes, and from the centre every closed
 * node is reached over twins. On the way from one part to another, from which there is no way back, nothing is held against anybody.
 */
export function makeEndOnly(graph: TurnGraph, isClosedEdge: (directed: number) => boolean): EndOnlyResult {
  const isClosed = Uint8Array.from(graph.directedOf, (directed) => (isClosedEdge(directed) ? 1 : 0));
  const parts = strongParts(graph);
  const enclosedCount = closeOutsideCentres(graph, parts, isClosed);

  const twinOf = new Int32Array(graph.nodeCount).fill(-1);
  const hasCentre = new Uint8Array(parts.sizes.length);
  for (let node = 0; node < graph.nodeCount; node++) if (isClosed[node] === 0) hasCentre[parts.partOf[node]] = 1;
  let nodeCount = graph.nodeCount;
  for (let node = 0; node < graph.nodeCount; node++) if (isClosed[node] === 1 && hasCentre[parts.partOf[node]] === 1) twinOf[node] = nodeCount++;
  const original = Int32Array.from({ length: nodeCount });
  for (let node = 0; node < graph.nodeCount; node++) {
    original[node] = node;
    if (twinOf[node] !== -1) original[twinOf[node]] = node;
  }

  const arcsMax = original.reduce((sum, from) => sum + graph.firstArc[from + 1] - graph.firstArc[from], 0);
  const firstArc = new Int32Array(nodeCount + 1);
  const arcs = { head: new Int32Array(arcsMax), turnMilliseconds: new Uint16Array(arcsMax) };
  let count = 0;
  for (let node = 0; node < nodeCount; node++) {
    const from = original[node];
    const isTwin = node !== from;
    for (let arc = graph.firstArc[from]; arc < graph.firstArc[from + 1]; arc++) {
      const to = graph.head[arc];
      const isWithinPart = parts.partOf[from] === parts.partOf[to];
      if (isWithinPart && isTwin && isClosed[to] === 0) continue;
      const arrives = isWithinPart && twinOf[to] !== -1 && (isTwin || isClosed[from] === 0);
      arcs.head[count] = arrives ? twinOf[to] : to;
      arcs.turnMilliseconds[count++] = graph.turnMilliseconds[arc];
    }
    sortArcs(arcs, firstArc[node], count);
    firstArc[node + 1] = count;
  }
  return {
    graph: {
      nodeCount, plainCount: graph.plainCount, directedOf: original.map((node) => graph.directedOf[node]), firstArc,
      head: arcs.head.slice(0, count), turnMilliseconds: arcs.turnMilliseconds.slice(0, count),
    },
    parts, enclosedCount,
  };
}

/** Marks as closed what is open and outside the centre of its part; says how many. */
function closeOutsideCentres(graph: TurnGraph, parts: StrongParts, isClosed: Uint8Array): number {
  const open = strongParts(graph, isClosed);
  const centreOf = new Int32Array(parts.sizes.length).fill(-1);
  for (let node = 0; node < graph.nodeCount; node++) {
    const [part, openPart] = [parts.partOf[node], open.partOf[node]];
    if (openPart !== -1 && (centreOf[part] === -1 || open.sizes[openPart] > open.sizes[centreOf[part]])) centreOf[part] = openPart;
  }
  let enclosedCount = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    if (isClosed[node] === 1 || open.partOf[node] === centreOf[parts.partOf[node]]) continue;
    isClosed[node] = 1;
    enclosedCount++;
  }
  return enclosedCount;
}
