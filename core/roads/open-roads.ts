import { setTimeout as delay } from 'node:timers/promises';
import type { Graph } from './graph.ts';
import type { Hierarchy } from './hierarchy/hierarchy.ts';
import { placesAt } from './hierarchy/places.ts';
import type { Reach, TravelRow } from './reach.ts';
import {
  contractInThread, legsByHierarchyInThread, legsInThread, pathsInThread, reachByHierarchyInThread, reachInThread, reverseGraphInThread, travelMatrixInThread, travelRectangleInThread,
  type Pairs, type ThreadOptions,
} from './road-threads.ts';
import type { TravelMatrix } from './travel-matrix.ts';

/** A graph that answers: by its hierarchy once there is one, and by Dijkstra's search until then. The numbers are the same. */
export interface OpenRoads {
  graph: Graph;
  /** Null when cancelled. */
  matrix(nodes: Int32Array, options?: ThreadOptions): Promise<TravelMatrix | null>;
  /** Travel from a node to all others and back. */
  reach(node: number): Promise<Reach>;
  /** Travel of single legs, in their order. */
  legs(pairs: Pairs): Promise<TravelRow>;
  /** The nodes on the ways of single legs, both ends included; null where there is no way. */
  paths(pairs: Pairs): Promise<(Int32Array | null)[]>;
  /** The hierarchy when it is ready; null where it will not be. */
  hierarchy(): Promise<Hierarchy | null>;
  /** Nobody needs it any more: what is still being contracted ends. Questions are answered nevertheless. */
  close(): void;
}

/** So many searches from one node take about as long as contracting: who needs more waits for the hierarchy. */
const searchesWorthWaiting = 400;

/** Opens a graph and begins to contract it. */
export function openRoads(graph: Graph): OpenRoads {
  const cancel = new Int32Array(new SharedArrayBuffer(4));
  let ready: Hierarchy | null = null;
  // Contracting fails only together with the threads; then all is answered as before.
  const contracted = contractInThread(graph, { cancel }).then((hierarchy) => (ready = hierarchy), () => null);
  let reversed: Promise<Graph> | undefined;

  const hierarchyFor = async (searches: number, stop?: Int32Array): Promise<Hierarchy | null> => {
    if (ready === null && searches >= searchesWorthWaiting) await unlessStopped(contracted, stop);
    return ready;
  };

  return {
    graph,
    async matrix(nodes, options = {}) {
      const hierarchy = await hierarchyFor(nodes.length, options.cancel);
      if (hierarchy === null) return travelMatrixInThread(graph, nodes, options);
      const places = placesAt(nodes);
      const rectangle = await travelRectangleInThread(hierarchy, { sources: places, targets: places }, options);
      return rectangle && { size: rectangle.rows, seconds: rectangle.seconds, metres: rectangle.metres };
    },
    async reach(node) {
      if (ready !== null) return reachByHierarchyInThread(ready, node);
      reversed ??= reverseGraphInThread(graph);
      return reachInThread({ graph, reversed: await reversed }, node);
    },
    async legs(pairs) {
      const hierarchy = await hierarchyFor(new Set(pairs.map(([from]) => from)).size);
      return hierarchy === null ? legsInThread(graph, pairs) : legsByHierarchyInThread(hierarchy, pairs);
    },
    paths: (pairs) => pathsInThread(graph, ready, pairs),
    hierarchy: () => contracted,
    close: () => void Atomics.store(cancel, 0, 1),
  };
}

const stopIsSeenAfterMs = 200;

/** Waits for a promise, but not for long after somebody has said to stop. */
async function unlessStopped(promise: Promise<unknown>, stop: Int32Array | undefined): Promise<void> {
  let isSettled = false;
  const settled = promise.then(() => void (isSettled = true));
  while (!isSettled && (stop === undefined || Atomics.load(stop, 0) === 0)) {
    await (stop === undefined ? settled : Promise.race([settled, delay(stopIsSeenAfterMs)]));
  }
}
