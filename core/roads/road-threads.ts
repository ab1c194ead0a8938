import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { graphFromBuffer } from './graph.ts';
import type { Graph } from './graph.ts';
import type { Network } from './network.ts';
import type { Legs, Reach, TravelRow } from './reach.ts';
import type { RowsTask } from './road-thread.ts';
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
  const tasks: Promise<boolean>[] = [];
  for (let firstRow = 0; firstRow < size; firstRow += ROWS_PER_TASK) {
    const task: RowsTask = { ...shared, firstRow, endRow: Math.min(size, firstRow + ROWS_PER_TASK) };
    tasks.push(threads().run(task, { name: 'fillRowsTask' }) as Promise<boolean>);
  }
  const done = await Promise.all(tasks);
  return done.every(Boolean) ? matrix : null;
}

/** `buildGraph` in a thread. What remains for the event loop is to clone the network: README.md has the figures. */
export async function buildGraphInThread({ nodes, edges }: Network): Promise<Graph> {
  return graphFromBuffer((await threads().run({ nodes, edges }, { name: 'buildGraphTask' })) as SharedArrayBuffer);
}

/** `reverseGraph` in a thread. */
export async function reverseGraphInThread(graph: Graph): Promise<Graph> {
  return graphFromBuffer((await threads().run(graph.buffer, { name: 'reverseGraphTask' })) as SharedArrayBuffer);
}

/** Travel from a node to all others and back: a forward search and one in the reversed graph, side by side. */
export async function reachInThread({ graph, reversed }: { graph: Graph; reversed: Graph }, node: number): Promise<Reach> {
  if (!(node >= 0 && node < graph.nodeCount)) throw new RangeError(`no node ${node} in a graph of ${graph.nodeCount}`);
  const emptyRow = (): TravelRow => ({ seconds: sharedIntegers(graph.nodeCount), metres: sharedIntegers(graph.nodeCount) });
  const [there, back] = [emptyRow(), emptyRow()];
  await Promise.all([
    threads().run({ graph: graph.buffer, node, row: there }, { name: 'fillRowTask' }),
    threads().run({ graph: reversed.buffer, node, row: back }, { name: 'fillRowTask' }),
  ]);
  return { there, back };
}

const LEGS_PER_TASK = 64;

/** Travel of single legs, [from, to] each, in their order. */
export async function legsInThread(graph: Graph, pairs: readonly (readonly [from: number, to: number])[]): Promise<TravelRow> {
  for (const node of pairs.flat()) if (!(node >= 0 && node < graph.nodeCount)) throw new RangeError(`no node ${node} in a graph of ${graph.nodeCount}`);
  const order = [...pairs.keys()].sort((a, b) => pairs[a]![0] - pairs[b]![0]);
  const legs: Legs = { from: sharedIntegers(pairs.length), to: sharedIntegers(pairs.length), seconds: sharedIntegers(pairs.length), metres: sharedIntegers(pairs.length) };
  order.forEach((pair, leg) => {
    legs.from[leg] = pairs[pair]![0];
    legs.to[leg] = pairs[pair]![1];
  });
  const tasks: Promise<void>[] = [];
  for (let first = 0; first < pairs.length; first += LEGS_PER_TASK) {
    const part = { first, end: Math.min(pairs.length, first + LEGS_PER_TASK) };
    tasks.push(threads().run({ graph: graph.buffer, legs, part }, { name: 'fillLegsTask' }) as Promise<void>);
  }
  await Promise.all(tasks);
  const row: TravelRow = { seconds: new Int32Array(pairs.length), metres: new Int32Array(pairs.length) };
  order.forEach((pair, leg) => {
    row.seconds[pair] = legs.seconds[leg]!;
    row.metres[pair] = legs.metres[leg]!;
  });
  return row;
}

let pool: Piscina | undefined;

function threads(): Piscina {
  pool ??= new Piscina({
    filename: fileURLToPath(new URL('./road-thread.ts', import.meta.url)),
    minThreads: 1,
    maxThreads: Math.min(THREADS_MAX, availableParallelism()),
    idleTimeout: 10_000,
  });
  return pool;
}

/** Ends the threads; what they are doing fails. The next computation starts new ones. */
export async function destroyRoadThreads(): Promise<void> {
  const ending = pool;
  pool = undefined;
  await ending?.destroy();
}

function sharedIntegers(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * length));
}

function copyToShared(nodes: Int32Array): Int32Array {
  const shared = sharedIntegers(nodes.length);
  shared.set(nodes);
  return shared;
}
