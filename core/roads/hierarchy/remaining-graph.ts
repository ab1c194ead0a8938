import type { Digraph } from '../graph.ts';
import { ArcLists } from './arc-lists.ts';
import type { Shortcut } from './arc-lists.ts';

/** What is left of a graph while it is contracted. There is at most one arc from a node to another, and none to itself. */
export class RemainingGraph {
  readonly nodeCount: number;
  /** The same arcs twice: by the node that they leave, and by the one that they enter. */
  readonly leaving: ArcLists;
  readonly entering: ArcLists;

  /** Loops are dropped; of parallel arcs the fastest stays, of equally fast ones the shortest, of equal ones the first. */
  constructor(graph: Digraph) {
    const { nodeCount, milliseconds, centimetres } = graph;
    const { tail, head, arc, count } = simpleArcs(graph);
    const [leavingRoom, enteringRoom] = [new Int32Array(nodeCount), new Int32Array(nodeCount)];
    for (let i = 0; i < count; i++) {
      leavingRoom[tail[i]]++;
      enteringRoom[head[i]]++;
    }
    this.nodeCount = nodeCount;
    this.leaving = new ArcLists(leavingRoom);
    this.entering = new ArcLists(enteringRoom);
    for (let i = 0; i < count; i++) this.add(tail[i], head[i], { milliseconds: milliseconds[arc[i]], centimetres: centimetres[arc[i]], hops: 1, via: -1 - arc[i] });
  }

  add(tail: number, head: number, arc: Shortcut): void {
    this.leaving.add(tail, head, arc);
    this.entering.add(head, tail, arc);
  }

  /** Adds an arc, unless there is one that is as good; one that is worse goes. */
  improve(tail: number, head: number, arc: Shortcut): void {
    const at = this.leaving.find(tail, head);
    if (at < 0) {
      this.add(tail, head, arc);
      return;
    }
    const { milliseconds, centimetres } = this.leaving;
    if (milliseconds[at] < arc.milliseconds || (milliseconds[at] === arc.milliseconds && centimetres[at] <= arc.centimetres)) return;
    this.leaving.write(at, arc);
    this.entering.write(this.entering.find(head, tail), arc);
  }

  /** Takes a node out, with all its arcs. */
  remove(node: number): void {
    const { leaving, entering } = this;
    for (let i = 0; i < leaving.count[node]; i++) entering.remove(leaving.end[leaving.first[node] + i], node);
    for (let i = 0; i < entering.count[node]; i++) leaving.remove(entering.end[entering.first[node] + i], node);
    leaving.clear(node);
    entering.clear(node);
  }
}

function simpleArcs({ nodeCount, arcCount, firstArc, head: headOf, milliseconds, centimetres }: Digraph) {
  const [tail, head, arc] = [new Int32Array(arcCount), new Int32Array(arcCount), new Int32Array(arcCount)];
  /** Where the last arc to each node was put. */
  const putAt = new Int32Array(nodeCount).fill(-1);
  let count = 0;
  for (let node = 0; node < nodeCount; node++) {
    const begin = count;
    for (let each = firstArc[node]; each < firstArc[node + 1]; each++) {
      const end = headOf[each];
      if (end === node) continue;
      const at = putAt[end];
      if (at < begin) {
        putAt[end] = count;
        tail[count] = node;
        head[count] = end;
        arc[count++] = each;
      } else if (milliseconds[each] < milliseconds[arc[at]] || (milliseconds[each] === milliseconds[arc[at]] && centimetres[each] < centimetres[arc[at]])) {
        arc[at] = each;
      }
    }
  }
  return { tail, head, arc, count };
}
