import type { Digraph } from '../graph.ts';
import type { ArcLists } from './arc-lists.ts';
import { allocateHierarchy } from './hierarchy.ts';
import type { Hierarchy, RankedArcs } from './hierarchy.ts';
import type { RemainingGraph } from './remaining-graph.ts';

/** Takes the nodes of a graph in the order of their contraction, each with the arcs that it has then, and makes a hierarchy of them. */
export class HierarchyWriter {
  readonly graph: Digraph;
  readonly rankOf: Int32Array;
  readonly leaving: GrowingArcs;
  readonly entering: GrowingArcs;
  nodesDone = 0;

  constructor(graph: Digraph) {
    this.graph = graph;
    this.rankOf = new Int32Array(graph.nodeCount).fill(-1);
    this.leaving = new GrowingArcs(graph);
    this.entering = new GrowingArcs(graph);
  }

  add(node: number, rest: RemainingGraph): void {
    const rank = this.nodesDone++;
    this.rankOf[node] = rank;
    this.leaving.take(rest.leaving, node, rank);
    this.entering.take(rest.entering, node, rank);
  }

  /** All that has not been added is the core, in the order of the graph. */
  finish(rest: RemainingGraph): Hierarchy {
    const { rankOf, leaving, entering } = this;
    const { nodeCount, arcCount } = this.graph;
    const coreStart = this.nodesDone;
    for (let node = 0; node < nodeCount; node++) if (rankOf[node] < 0) this.add(node, rest);
    const hierarchy = allocateHierarchy({ nodeCount, graphArcCount: arcCount, coreStart, leavingCount: leaving.count, enteringCount: entering.count });
    hierarchy.rankOf.set(rankOf);
    for (let node = 0; node < nodeCount; node++) hierarchy.nodeOf[rankOf[node]] = node;
    leaving.write(hierarchy.leaving, rankOf);
    entering.write(hierarchy.entering, rankOf);
    return hierarchy;
  }
}

/** Arcs by rank, with nodes as their ends; there is no knowing how many there will be. */
class GrowingArcs {
  count = 0;
  readonly first: Int32Array;
  end: Int32Array;
  milliseconds: Uint32Array;
  centimetres: Uint32Array;
  via: Int32Array;

  constructor({ nodeCount, arcCount }: Digraph) {
    this.first = new Int32Array(nodeCount + 1);
    this.end = new Int32Array(arcCount);
    this.milliseconds = new Uint32Array(arcCount);
    this.centimetres = new Uint32Array(arcCount);
    this.via = new Int32Array(arcCount);
  }

  take(lists: ArcLists, node: number, rank: number): void {
    const from = lists.first[node];
    const past = from + lists.count[node];
    if (this.count + past - from > this.end.length) this.grow(past - from);
    this.end.set(lists.end.subarray(from, past), this.count);
    this.milliseconds.set(lists.milliseconds.subarray(from, past), this.count);
    this.centimetres.set(lists.centimetres.subarray(from, past), this.count);
    this.via.set(lists.via.subarray(from, past), this.count);
    this.count += past - from;
    this.first[rank + 1] = this.count;
  }

  grow(more: number): void {
    const room = this.end.length + (this.end.length >> 1) + more;
    const { end, milliseconds, centimetres, via } = this;
    this.end = new Int32Array(room);
    this.milliseconds = new Uint32Array(room);
    this.centimetres = new Uint32Array(room);
    this.via = new Int32Array(room);
    this.end.set(end);
    this.milliseconds.set(milliseconds);
    this.centimetres.set(centimetres);
    this.via.set(via);
  }

  /** With ranks in the place of nodes, ascending by the other end. */
  write(arcs: RankedArcs, rankOf: Int32Array): void {
    arcs.first.set(this.first);
    for (let rank = 0; rank + 1 < arcs.first.length; rank++) {
      const from = this.first[rank];
      const order = Array.from({ length: this.first[rank + 1] - from }, (_, i) => from + i).sort((a, b) => rankOf[this.end[a]] - rankOf[this.end[b]]);
      for (const [i, arc] of order.entries()) {
        arcs.end[from + i] = rankOf[this.end[arc]];
        arcs.milliseconds[from + i] = this.milliseconds[arc];
        arcs.centimetres[from + i] = this.centimetres[arc];
        arcs.via[from + i] = this.via[arc] < 0 ? this.via[arc] : rankOf[this.via[arc]];
      }
    }
  }
}
