import { allocateGraph, WEIGHT_MAX } from './graph.ts';
import type { Graph } from './graph.ts';
import { fillNearestTree } from './nearest-tree.ts';
import { isAmount } from './network.ts';
import type { Network } from './network.ts';

/**
 * The graph of a network that `networkProblems` found nothing wrong with; anything else throws.
 * Loops lead nowhere and are dropped; of parallel arcs the fastest stays, of equally fast ones the shortest.
 */
export function buildGraph(network: Network): Graph {
  const arcs = sortedArcs(directedArcs(network), network.nodes.length);
  const kept = keepCheapest(arcs);
  const graph = allocateGraph(network.nodes.length, kept);
  for (const [i, node] of network.nodes.entries()) {
    graph.longitude[i] = node.x;
    graph.latitude[i] = node.y;
  }
  for (let arc = 0; arc < kept; arc++) graph.firstArc[arcs.tail[arc]! + 1]!++;
  for (let i = 0; i < graph.nodeCount; i++) graph.firstArc[i + 1]! += graph.firstArc[i]!;
  graph.head.set(arcs.head.subarray(0, kept));
  graph.milliseconds.set(arcs.milliseconds.subarray(0, kept));
  graph.centimetres.set(arcs.centimetres.subarray(0, kept));
  fillNearestTree(graph);
  return graph;
}

interface Arcs {
  count: number;
  tail: Int32Array;
  head: Int32Array;
  milliseconds: Uint32Array;
  centimetres: Uint32Array;
}

function emptyArcs(capacity: number): Arcs {
  return {
    count: 0,
    tail: new Int32Array(capacity), head: new Int32Array(capacity),
    milliseconds: new Uint32Array(capacity), centimetres: new Uint32Array(capacity),
  };
}

function directedArcs(network: Network): Arcs {
  const indexOf = new Map(network.nodes.map((node, i) => [node.id, i]));
  const arcs = emptyArcs(2 * network.edges.length);
  const add = (tail: number, head: number, seconds: number, metres: number) => {
    arcs.tail[arcs.count] = tail;
    arcs.head[arcs.count] = head;
    arcs.milliseconds[arcs.count] = weight(seconds, 1000);
    arcs.centimetres[arcs.count] = weight(metres, 100);
    arcs.count++;
  };
  for (const edge of network.edges) {
    const from = indexOf.get(edge.from);
    const to = indexOf.get(edge.to);
    if (from === undefined || to === undefined) throw new Error(`edge "${edge.id}" names a node that is not there`);
    if (from === to) continue;
    add(from, to, edge.time_seconds, edge.distance_meters);
    if (edge.bidirectional) add(to, from, edge.reverse_time_seconds ?? edge.time_seconds, edge.reverse_distance_meters ?? edge.distance_meters);
  }
  return arcs;
}

function weight(amount: number, unitsPerOne: number): number {
  if (!isAmount(amount)) throw new Error(`a time or distance must be finite and at least 0, not ${amount}`);
  return Math.min(WEIGHT_MAX, Math.round(amount * unitsPerOne));
}

/** By tail and then by head, in linear time whatever the degrees: a counting sort for each key, the lesser key first. */
function sortedArcs(arcs: Arcs, nodeCount: number): Arcs {
  return sortedBy('tail', sortedBy('head', arcs, nodeCount), nodeCount);
}

function sortedBy(key: 'tail' | 'head', arcs: Arcs, nodeCount: number): Arcs {
  const next = new Int32Array(nodeCount + 1);
  for (let arc = 0; arc < arcs.count; arc++) next[arcs[key][arc]! + 1]!++;
  for (let i = 0; i < nodeCount; i++) next[i + 1]! += next[i]!;
  const sorted = emptyArcs(arcs.count);
  sorted.count = arcs.count;
  for (let arc = 0; arc < arcs.count; arc++) copyArc(arcs, arc, sorted, next[arcs[key][arc]!]!++);
  return sorted;
}

/** Closes up sorted arcs over all but the cheapest of each pair of nodes, and says how many are left. */
function keepCheapest(arcs: Arcs): number {
  let kept = 0;
  for (let arc = 0; arc < arcs.count; arc++) {
    const isParallel = kept > 0 && arcs.tail[kept - 1] === arcs.tail[arc] && arcs.head[kept - 1] === arcs.head[arc];
    if (!isParallel) copyArc(arcs, arc, arcs, kept++);
    else if (isCheaper(arcs, arc, kept - 1)) copyArc(arcs, arc, arcs, kept - 1);
  }
  return kept;
}

function isCheaper(arcs: Arcs, a: number, b: number): boolean {
  const difference = arcs.milliseconds[a]! - arcs.milliseconds[b]!;
  return difference < 0 || (difference === 0 && arcs.centimetres[a]! < arcs.centimetres[b]!);
}

function copyArc(from: Arcs, i: number, to: Arcs, j: number): void {
  to.tail[j] = from.tail[i]!;
  to.head[j] = from.head[i]!;
  to.milliseconds[j] = from.milliseconds[i]!;
  to.centimetres[j] = from.centimetres[i]!;
}
