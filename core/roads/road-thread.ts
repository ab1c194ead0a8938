import { buildGraph } from './build-graph.ts';
import { graphFromBuffer } from './graph.ts';
import type { Digraph } from './graph.ts';
import { contract } from './hierarchy/contract.ts';
import { hierarchyFromBuffer } from './hierarchy/hierarchy.ts';
import { fillRectangle } from './hierarchy/many-to-many.ts';
import type { Journeys, TravelRectangle } from './hierarchy/many-to-many.ts';
import { fillRowFrom, fillRowTo } from './hierarchy/one-to-all.ts';
import { fastestWay } from './hierarchy/one-to-one.ts';
import { fillLegsBy } from './hierarchy/single-legs.ts';
import type { NetworkNode } from './network.ts';
import { judgeNetworkText, nodesWithIds, parseNetwork } from './network-text.ts';
import type { NetworkText } from './network-text.ts';
import { fillLegs, fillRow } from './reach.ts';
import type { Legs, TravelRow } from './reach.ts';
import { reverseGraph } from './reverse-graph.ts';
import { shortestPath } from './shortest-path.ts';
import { fillRows } from './travel-matrix.ts';
import type { Rows } from './travel-matrix.ts';

/** What the threads of road-threads.ts do. Tasks carry shared buffers; results are written into them. */

export interface StoppableTask {
  /** Stops all work on the result once its first element is not 0. */
  cancel: Int32Array;
}

export interface RowsTask extends Rows, StoppableTask {
  graph: SharedArrayBuffer;
  nodes: Int32Array;
  /** The first element counts finished rows over all threads. */
  rowsDone: Int32Array;
}

const hooks = ({ cancel, rowsDone }: Pick<RowsTask, 'cancel' | 'rowsDone'>) => ({
  shouldStop: () => Atomics.load(cancel, 0) !== 0,
  onRow: () => Atomics.add(rowsDone, 0, 1),
});

export function fillRowsTask(task: RowsTask): boolean {
  return fillRows(graphFromBuffer(task.graph), task.nodes, task, hooks(task));
}

/** Where a hierarchy lies. */
export interface HierarchyPlace {
  buffer: SharedArrayBuffer;
  byteOffset: number;
}

export interface RectangleTask extends StoppableTask {
  hierarchy: HierarchyPlace;
  journeys: Journeys;
  rectangle: TravelRectangle;
  firstRow: number;
  endRow: number;
  rowsDone: Int32Array;
}

export function fillRectangleTask(task: RectangleTask): boolean {
  return fillRectangle(hierarchyAt(task.hierarchy), task.journeys, task, hooks(task));
}

export function buildGraphTask(text: NetworkText): SharedArrayBuffer {
  return buildGraph(parseNetwork(text)).buffer;
}

export const judgeNetworkTask = judgeNetworkText;

export function nodesWithIdsTask({ nodes, ids }: { nodes: SharedArrayBuffer; ids: readonly string[] }): NetworkNode[] {
  return nodesWithIds(nodes, ids);
}

export function reverseGraphTask(graph: SharedArrayBuffer): SharedArrayBuffer {
  return reverseGraph(graphFromBuffer(graph)).buffer;
}

export function contractTask({ graph, cancel }: { graph: Digraph } & StoppableTask): SharedArrayBuffer | null {
  return contract(graph, { shouldStop: () => Atomics.load(cancel, 0) !== 0 })?.buffer ?? null;
}

export interface RowTask {
  graph: SharedArrayBuffer;
  node: number;
  row: TravelRow;
}

export function fillRowTask({ graph, node, row }: RowTask): void {
  fillRow(graphFromBuffer(graph), node, row);
}

export interface HierarchyRowTask {
  hierarchy: HierarchyPlace;
  node: number;
  row: TravelRow;
}

export function fillRowFromTask({ hierarchy, node, row }: HierarchyRowTask): void {
  fillRowFrom(hierarchyAt(hierarchy), node, row);
}

export function fillRowToTask({ hierarchy, node, row }: HierarchyRowTask): void {
  fillRowTo(hierarchyAt(hierarchy), node, row);
}

interface LegsTask {
  legs: Legs;
  part: { first: number; end: number };
}

export function fillLegsTask({ graph, legs, part }: LegsTask & { graph: SharedArrayBuffer }): void {
  fillLegs(graphFromBuffer(graph), legs, part);
}

export function fillLegsByTask({ hierarchy, legs, part }: LegsTask & { hierarchy: HierarchyPlace }): void {
  fillLegsBy(hierarchyAt(hierarchy), legs, part);
}

/** The nodes on the way of each leg. Of equally good ways the two methods may take different ones. */
export function findPathsTask({ graph: buffer, hierarchy, pairs }: { graph: SharedArrayBuffer; hierarchy: HierarchyPlace | null; pairs: readonly (readonly [number, number])[] }): (Int32Array | null)[] {
  const graph = graphFromBuffer(buffer);
  const ranks = hierarchy && hierarchyAt(hierarchy);
  return pairs.map(([from, to]) => {
    if (ranks === null) return shortestPath(graph, from, to)?.nodes ?? null;
    const way = fastestWay(graph, ranks, { source: placeAtNode(from), target: placeAtNode(to) });
    return way && Int32Array.from([from, ...Array.from(way.arcs, (arc) => graph.head[arc])]);
  });
}

const placeAtNode = (node: number) => [{ node, milliseconds: 0, centimetres: 0 }];

const hierarchyAt = ({ buffer, byteOffset }: HierarchyPlace) => hierarchyFromBuffer(buffer, byteOffset);
