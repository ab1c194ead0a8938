import { buildGraph } from './build-graph.ts';
import { graphFromBuffer } from './graph.ts';
import type { Network } from './network.ts';
import { fillLegs, fillRow } from './reach.ts';
import type { Legs, TravelRow } from './reach.ts';
import { reverseGraph } from './reverse-graph.ts';
import { fillRows } from './travel-matrix.ts';
import type { Rows } from './travel-matrix.ts';

/** What the threads of road-threads.ts do. Tasks carry shared buffers; results are written into them. */

export interface RowsTask extends Rows {
  graph: SharedArrayBuffer;
  nodes: Int32Array;
  /** Stops all work on the matrix once its first element is not 0. */
  cancel: Int32Array;
  /** The first element counts finished rows over all threads. */
  rowsDone: Int32Array;
}

export function fillRowsTask(task: RowsTask): boolean {
  return fillRows(graphFromBuffer(task.graph), task.nodes, task, {
    shouldStop: () => Atomics.load(task.cancel, 0) !== 0,
    onRow: () => Atomics.add(task.rowsDone, 0, 1),
  });
}

export function buildGraphTask(network: Network): SharedArrayBuffer {
  return buildGraph(network).buffer;
}

export function reverseGraphTask(graph: SharedArrayBuffer): SharedArrayBuffer {
  return reverseGraph(graphFromBuffer(graph)).buffer;
}

export function fillRowTask({ graph, node, row }: { graph: SharedArrayBuffer; node: number; row: TravelRow }): void {
  fillRow(graphFromBuffer(graph), node, row);
}

export function fillLegsTask({ graph, legs, part }: { graph: SharedArrayBuffer; legs: Legs; part: { first: number; end: number } }): void {
  fillLegs(graphFromBuffer(graph), legs, part);
}
