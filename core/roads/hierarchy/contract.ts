import { WEIGHT_MAX } from '../graph.ts';
import type { Digraph } from '../graph.ts';
import type { Shortcut } from './arc-lists.ts';
import { ContractionQueue } from './contraction-queue.ts';
import type { Hierarchy } from './hierarchy.ts';
import { RemainingGraph } from './remaining-graph.ts';
import { WitnessSearch } from './witness-search.ts';
import { HierarchyWriter } from './write-hierarchy.ts';

export interface ContractOptions {
  /** Asked now and then. */
  shouldStop?: () => boolean;
  /** Told now and then how many nodes have been contracted; what is not contracted in the end is the core. */
  onProgress?: (nodesDone: number) => void;
  /** Arcs that may be looked at before what is left becomes the core; the usual limit grows with the graph. */
  workMax?: number;
}

/** Nodes that a search for ways around a node settles: for its priority, and for its shortcuts. */
const settledMax = { priority: 10, shortcuts: 200 };

/** A node with more pairs of neighbours than this waits until it has fewer. */
const pairsMax = 10_000;

const nodesPerCall = 256;

/** Streets of real towns, with their turns, are done with a quarter of this; what needs more has no hierarchy that is worth looking for. */
const workMaxOf = ({ nodeCount, arcCount }: Digraph): number => 200_000_000 + 600 * (nodeCount + arcCount);

/**
 * The hierarchy of a graph; null when it was stopped. The same bytes for the same graph, on every machine.
 *
 * Nodes are taken out one after the other, those first that need few shortcuts for the arcs that go with them, and evenly over the
 * graph (Geisberger, Sanders, Schultes and Delling: Contraction Hierarchies, 2008; the weights are like those of RoutingKit). A
 * priority is only computed again when its turn comes. Ways are compared by milliseconds and then by centimetres, and of equal ones
 * any may stand for the others, so that every pair of nodes left keeps both numbers of its best way.
 *
 * Where there is no hierarchy the number of shortcuts explodes; then, and around arcs whose sum would exceed 32 bits, nodes stay in
 * the core (Bauer, Delling et al.: Combining Hierarchical and Goal-Directed Speed-Up Techniques, 2010).
 */
export function contract(graph: Digraph, options: ContractOptions = {}): Hierarchy | null {
  return new Contraction(graph).run(options);
}

/** A shortcut between two neighbours of the node that would be taken out. */
interface Found extends Shortcut {
  tail: number;
  head: number;
}

class Contraction {
  readonly graph: Digraph;
  readonly rest: RemainingGraph;
  readonly witness: WitnessSearch;
  readonly queue: ContractionQueue;
  readonly writer: HierarchyWriter;
  /** How many contracted nodes stand below one another under each node. */
  readonly level: Int32Array;
  /** Whether a neighbour has been contracted since the priority was computed. */
  readonly isOutdated: Uint8Array;

  constructor(graph: Digraph) {
    this.graph = graph;
    this.rest = new RemainingGraph(graph);
    this.witness = new WitnessSearch(this.rest);
    this.queue = new ContractionQueue(graph.nodeCount);
    this.writer = new HierarchyWriter(graph);
    this.level = new Int32Array(graph.nodeCount);
    this.isOutdated = new Uint8Array(graph.nodeCount);
  }

  run({ shouldStop, onProgress, workMax = workMaxOf(this.graph) }: ContractOptions): Hierarchy | null {
    const { queue, witness, writer, rest } = this;
    let calls = 0;
    const isInterrupted = () => calls++ % nodesPerCall === 0 && (onProgress?.(writer.nodesDone), shouldStop?.() === true);
    for (let node = 0; node < rest.nodeCount && witness.work < workMax; node++) {
      if (isInterrupted()) return null;
      this.prioritize(node);
    }
    while (queue.size > 0 && witness.work < workMax) {
      if (isInterrupted()) return null;
      const node = queue.least();
      if (this.isOutdated[node]) this.prioritize(node);
      else this.takeOut(node);
    }
    return writer.finish(rest);
  }

  prioritize(node: number): void {
    const { leaving, entering } = this.rest;
    const { queue, level } = this;
    this.isOutdated[node] = 0;
    const arcsRemoved = leaving.count[node] + entering.count[node];
    const hopsRemoved = sumOfHops(leaving, node) + sumOfHops(entering, node);
    const shortcuts = leaving.count[node] * entering.count[node] > pairsMax ? null : this.shortcutsOver(node, settledMax.priority);
    if (shortcuts === null) {
      queue.remove(node);
      return;
    }
    let hopsAdded = 0;
    for (const { hops } of shortcuts) hopsAdded += hops;
    const cost = arcsRemoved === 0 ? 0 : shortcuts.length / arcsRemoved + hopsAdded / hopsRemoved;
    queue.set(node, level[node] / 2 + cost);
  }

  /** The arcs that must be added when a node is taken out; null when one would not fit into 32 bits. */
  shortcutsOver(node: number, settledMost: number): Found[] | null {
    const { leaving, entering } = this.rest;
    const { witness } = this;
    const shortcuts: Found[] = [];
    const firstOut = leaving.first[node];
    const pastOut = firstOut + leaving.count[node];
    const pastIn = entering.first[node] + entering.count[node];
    for (let into = entering.first[node]; into < pastIn; into++) {
      const tail = entering.end[into];
      const time = entering.milliseconds[into];
      const length = entering.centimetres[into];
      witness.begin();
      for (let out = firstOut; out < pastOut; out++) if (leaving.end[out] !== tail) witness.seek(leaving.end[out], time + leaving.milliseconds[out], length + leaving.centimetres[out]);
      if (witness.sought === 0) continue;
      witness.run(tail, node, settledMost);
      for (let out = firstOut; out < pastOut; out++) {
        const head = leaving.end[out];
        if (head === tail || witness.hasFound(head)) continue;
        const milliseconds = time + leaving.milliseconds[out];
        const centimetres = length + leaving.centimetres[out];
        if (milliseconds > WEIGHT_MAX || centimetres > WEIGHT_MAX) return null;
        shortcuts.push({ tail, head, milliseconds, centimetres, hops: entering.hops[into] + leaving.hops[out], via: node });
      }
    }
    return shortcuts;
  }

  takeOut(node: number): void {
    const { rest, queue, witness, writer } = this;
    queue.remove(node);
    const shortcuts = this.shortcutsOver(node, settledMax.shortcuts);
    if (shortcuts === null) return;
    writer.add(node, rest);
    const neighbours = neighboursOf(node, rest);
    for (const neighbour of neighbours) witness.work += rest.leaving.count[neighbour] + rest.entering.count[neighbour];
    rest.remove(node);
    for (const { tail, head, ...arc } of shortcuts) rest.improve(tail, head, arc);
    for (const neighbour of neighbours) {
      this.level[neighbour] = Math.max(this.level[neighbour], this.level[node] + 1);
      this.isOutdated[neighbour] = 1;
      // One that could not be taken out before may have its turn now.
      if (!queue.has(neighbour)) this.prioritize(neighbour);
    }
  }
}

function sumOfHops({ first, count, hops }: RemainingGraph['leaving'], node: number): number {
  let sum = 0;
  for (let arc = first[node]; arc < first[node] + count[node]; arc++) sum += hops[arc];
  return sum;
}

function neighboursOf(node: number, { leaving, entering }: RemainingGraph): Set<number> {
  const neighbours = new Set<number>();
  for (const { first, count, end } of [leaving, entering]) for (let i = 0; i < count[node]; i++) neighbours.add(end[first[node] + i]);
  return neighbours;
}
