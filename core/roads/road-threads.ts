import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { graphFromBuffer } from './graph.ts';
import type { Digraph, Graph } from './graph.ts';
import { hierarchyFromBuffer } from './hierarchy/hierarchy.ts';
import type { Hierarchy } from './hierarchy/hierarchy.ts';
import type { Journeys, TravelRectangle } from './hierarchy/many-to-many.ts';
import type { NetworkNode } from './network.ts';
import { judgeNetworkText, nodesWithIds } from './network-text.ts';
import type { JudgedNetwork, NetworkText } from './network-text.ts';
import type { Legs, Reach, TravelRow } from './reach.ts';
import type { HierarchyPlace, RectangleTask, RowsTask } from './road-thread.ts';
import type { TravelMatrix } from './travel-matrix.ts';

/** Small enough that a cancelled or finished matrix frees its threads soon, large enough that starting a task does not count. */
const ROWS_PER_TASK = 16;
const THREADS_MAX = 4;

export interface ThreadOptions {
  /** Over a SharedArrayBuffer: anybody may set the first element to 1, and the computation ends without a result. */
  cancel?: Int32Array;
  /** Over a SharedArrayBuffer: the first element counts the rows that are done, for whoever wants to show progress. */
  rowsDone?: Int32Array;
}

/** `travelMatrix` without a pause of the event loop: the same numbers, whatever the number of threads; null when cancelled. */
export async function travelMatrixInThread(graph: Graph, nodes: Int32Array, options: ThreadOptions = {}): Promise<TravelMatrix | null> {
  const size = nodes.length;
  const matrix = { size, seconds: sharedIntegers(size * size), metres: sharedIntegers(size * size) };
  const shared = {
    graph: graph.buffer, nodes: copyToShared(nodes), matrix,
    cancel: options.cancel ?? sharedIntegers(1), rowsDone: options.rowsDone ?? sharedIntegers(1),
  };
  const done = await Promise.all(partsOf(size, ROWS_PER_TASK).map(({ first, end }) => {
    const task: RowsTask = { ...shared, firstRow: first, endRow: end };
    return threads().run(task, { name: 'fillRowsTask' }) as Promise<boolean>;
  }));
  return done.every(Boolean) ? matrix : null;
}

/** Each part prepares the targets for itself, which pays only where it has as many sources. */
const ROWS_PER_PART = 500;

/** `manyToMany` without a pause of the event loop; null when cancelled. */
export async function travelRectangleInThread(hierarchy: Hierarchy, journeys: Journeys, options: ThreadOptions = {}): Promise<TravelRectangle | null> {
  const { sources: { count: rows }, targets: { count: columns } } = journeys;
  const rectangle = { rows, columns, seconds: sharedIntegers(rows * columns), metres: sharedIntegers(rows * columns) };
  const shared = { hierarchy: placeOf(hierarchy), journeys, rectangle, cancel: options.cancel ?? sharedIntegers(1), rowsDone: options.rowsDone ?? sharedIntegers(1) };
  const partCount = Math.max(1, Math.min(threadsMax(), Math.floor(rows / ROWS_PER_PART)));
  const done = await Promise.all(partsOf(rows, Math.ceil(rows / partCount)).map(({ first, end }) => {
    const task: RectangleTask = { ...shared, firstRow: first, endRow: end };
    return threads().run(task, { name: 'fillRectangleTask' }) as Promise<boolean>;
  }));
  return done.every(Boolean) ? rectangle : null;
}

/** `buildGraph` in a thread. */
export async function buildGraphInThread(text: NetworkText): Promise<Graph> {
  return graphFromBuffer((await threads().run(text, { name: 'buildGraphTask' })) as SharedArrayBuffer);
}

/** What is read faster than a thread begins. */
const SMALL_TEXT_BYTES = 64 * 1024;

/** `judgeNetworkText`, in a thread where it would take long. */
export async function judgeNetworkInThread(text: NetworkText): Promise<JudgedNetwork> {
  if (text.nodes.byteLength + text.edges.byteLength <= SMALL_TEXT_BYTES) return judgeNetworkText(text);
  return (await threads().run(text, { name: 'judgeNetworkTask' })) as JudgedNetwork;
}

/** `nodesWithIds`, in a thread where it would take long. */
export async function nodesWithIdsInThread(nodes: SharedArrayBuffer, ids: readonly string[]): Promise<NetworkNode[]> {
  if (nodes.byteLength <= SMALL_TEXT_BYTES) return nodesWithIds(nodes, ids);
  return (await threads().run({ nodes, ids }, { name: 'nodesWithIdsTask' })) as NetworkNode[];
}

/** `reverseGraph` in a thread. */
export async function reverseGraphInThread(graph: Graph): Promise<Graph> {
  return graphFromBuffer((await threads().run(graph.buffer, { name: 'reverseGraphTask' })) as SharedArrayBuffer);
}

/** `contract` in a thread of its own, one graph after the other; null when cancelled. The arrays of the graph should be shared ones. */
export async function contractInThread({ nodeCount, arcCount, firstArc, head, milliseconds, centimetres }: Digraph, { cancel = sharedIntegers(1) }: Pick<ThreadOptions, 'cancel'> = {}): Promise<Hierarchy | null> {
  const graph: Digraph = { nodeCount, arcCount, firstArc, head, milliseconds, centimetres };
  contractor ??= new Piscina({ filename, minThreads: 0, maxThreads: 1, idleTimeout: 1_000 });
  const buffer = (await contractor.run({ graph, cancel }, { name: 'contractTask' })) as SharedArrayBuffer | null;
  return buffer && hierarchyFromBuffer(buffer);
}

/** Travel from a node to all others and back: a forward search and one in the reversed graph, side by side. */
export async function reachInThread({ graph, reversed }: { graph: Graph; reversed: Graph }, node: number): Promise<Reach> {
  checkNodes(graph, [node]);
  const [there, back] = [emptyRow(graph.nodeCount), emptyRow(graph.nodeCount)];
  await Promise.all([
    threads().run({ graph: graph.buffer, node, row: there }, { name: 'fillRowTask' }),
    threads().run({ graph: reversed.buffer, node, row: back }, { name: 'fillRowTask' }),
  ]);
  return { there, back };
}

/** The same by a hierarchy. */
export async function reachByHierarchyInThread(hierarchy: Hierarchy, node: number): Promise<Reach> {
  checkNodes(hierarchy, [node]);
  const [there, back] = [emptyRow(hierarchy.nodeCount), emptyRow(hierarchy.nodeCount)];
  await Promise.all([
    threads().run({ hierarchy: placeOf(hierarchy), node, row: there }, { name: 'fillRowFromTask' }),
    threads().run({ hierarchy: placeOf(hierarchy), node, row: back }, { name: 'fillRowToTask' }),
  ]);
  return { there, back };
}

export type Pairs = readonly (readonly [from: number, to: number])[];

const LEGS_PER_TASK = 64;
const LEGS_PER_HIERARCHY_TASK = 2_048;

/** Travel of single legs, [from, to] each, in their order. */
export async function legsInThread(graph: Graph, pairs: Pairs): Promise<TravelRow> {
  checkNodes(graph, pairs.flat());
  return fillSorted(pairs, LEGS_PER_TASK, (legs, part) => threads().run({ graph: graph.buffer, legs, part }, { name: 'fillLegsTask' }));
}

/** The same by a hierarchy. */
export async function legsByHierarchyInThread(hierarchy: Hierarchy, pairs: Pairs): Promise<TravelRow> {
  checkNodes(hierarchy, pairs.flat());
  return fillSorted(pairs, LEGS_PER_HIERARCHY_TASK, (legs, part) => threads().run({ hierarchy: placeOf(hierarchy), legs, part }, { name: 'fillLegsByTask' }));
}

/** Has legs filled in that are sorted by where they begin, and puts them back into their order. */
async function fillSorted(pairs: Pairs, perTask: number, fill: (legs: Legs, part: Part) => Promise<unknown>): Promise<TravelRow> {
  const order = [...pairs.keys()].sort((a, b) => pairs[a]![0] - pairs[b]![0]);
  const legs: Legs = { from: sharedIntegers(pairs.length), to: sharedIntegers(pairs.length), ...emptyRow(pairs.length) };
  order.forEach((pair, leg) => {
    legs.from[leg] = pairs[pair]![0];
    legs.to[leg] = pairs[pair]![1];
  });
  await Promise.all(partsOf(pairs.length, perTask).map((part) => fill(legs, part)));
  const row: TravelRow = { seconds: new Int32Array(pairs.length), metres: new Int32Array(pairs.length) };
  order.forEach((pair, leg) => {
    row.seconds[pair] = legs.seconds[leg]!;
    row.metres[pair] = legs.metres[leg]!;
  });
  return row;
}

interface Part {
  first: number;
  end: number;
}

const partsOf = (count: number, perPart: number): Part[] =>
  Array.from({ length: Math.ceil(count / perPart) }, (_, part) => ({ first: part * perPart, end: Math.min(count, (part + 1) * perPart) }));

function checkNodes({ nodeCount }: { nodeCount: number }, nodes: readonly number[]): void {
  for (const node of nodes) if (!(node >= 0 && node < nodeCount)) throw new RangeError(`no node ${node} in a graph of ${nodeCount}`);
}

const placeOf = ({ buffer, byteOffset }: Hierarchy): HierarchyPlace => ({ buffer, byteOffset });

const filename = fileURLToPath(new URL('./road-thread.ts', import.meta.url));
const threadsMax = (): number => Math.min(THREADS_MAX, availableParallelism());

let pool: Piscina | undefined;
/** Contracting takes seconds; nobody's question shall wait behind it. */
let contractor: Piscina | undefined;

function threads(): Piscina {
  pool ??= new Piscina({ filename, minThreads: 1, maxThreads: threadsMax(), idleTimeout: 10_000 });
  return pool;
}

/** The nodes on the ways of single legs, by the hierarchy where there is one. */
export async function pathsInThread(graph: Graph, hierarchy: Hierarchy | null, pairs: Pairs): Promise<(Int32Array | null)[]> {
  checkNodes(graph, pairs.flat());
  const shared = { graph: graph.buffer, hierarchy: hierarchy && placeOf(hierarchy) };
  const parts = await Promise.all(partsOf(pairs.length, LEGS_PER_TASK).map(({ first, end }) => threads().run({ ...shared, pairs: pairs.slice(first, end) }, { name: 'findPathsTask' }) as Promise<(Int32Array | null)[]>));
  return parts.flat();
}

/** Runs an exported function of a module in the same threads. */
export async function runRoadTask<Result>(file: string, name: string, task: object): Promise<Result> {
  return (await threads().run(task, { filename: file, name })) as Result;
}

/** Ends the threads; what they are doing fails. The next computation starts new ones. */
export async function destroyRoadThreads(): Promise<void> {
  const ending = [pool, contractor];
  pool = undefined;
  contractor = undefined;
  await Promise.all(ending.map((each) => each?.destroy()));
}

const emptyRow = (length: number): TravelRow => ({ seconds: sharedIntegers(length), metres: sharedIntegers(length) });

function sharedIntegers(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * length));
}

function copyToShared(nodes: Int32Array): Int32Array {
  const shared = sharedIntegers(nodes.length);
  shared.set(nodes);
  return shared;
}
