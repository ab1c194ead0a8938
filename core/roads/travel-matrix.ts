import type { Digraph } from './graph.ts';
import { createSearch, isReached, searchFrom } from './search.ts';
import type { Search } from './search.ts';

/** Travel that no road allows. The solver's matrices use the same number, so a matrix goes there as it is. */
export const UNREACHABLE = 0x3fffffff;

/** Travel between nodes, row-major: `seconds[from * size + to]`. Metres are those of the fastest way. */
export interface TravelMatrix {
  size: number;
  seconds: Int32Array;
  metres: Int32Array;
}

export interface TravelMatrixOptions {
  /** Called after each row, with the number of rows that are done. */
  onRow?: (rowsDone: number) => void;
  /** Asked before each row. */
  shouldStop?: () => boolean;
}

/**
 * Fastest travel between all pairs of the given nodes, which may repeat; null when it was stopped. Seconds and metres are exact
 * sums rounded up, so the seconds keep the triangle inequality: up(a + b) <= up(a) + up(b).
 */
export function travelMatrix(graph: Digraph, nodes: Int32Array, options?: { onRow?: TravelMatrixOptions['onRow'] }): TravelMatrix;
export function travelMatrix(graph: Digraph, nodes: Int32Array, options?: TravelMatrixOptions): TravelMatrix | null;
export function travelMatrix(graph: Digraph, nodes: Int32Array, options: TravelMatrixOptions = {}): TravelMatrix | null {
  const size = nodes.length;
  const matrix = { size, seconds: new Int32Array(size * size), metres: new Int32Array(size * size) };
  const isDone = fillRows(graph, nodes, { matrix, firstRow: 0, endRow: size }, options);
  return isDone ? matrix : null;
}

export interface Rows {
  matrix: TravelMatrix;
  firstRow: number;
  endRow: number;
}

/** Computes some rows of a matrix; false when it was stopped before the last. */
export function fillRows(graph: Digraph, nodes: Int32Array, rows: Rows, options: TravelMatrixOptions = {}): boolean {
  const isTarget = new Uint8Array(graph.nodeCount);
  let targetCount = 0;
  for (const node of nodes) {
    if (!(node >= 0 && node < graph.nodeCount)) throw new RangeError(`no node ${node} in a graph of ${graph.nodeCount}`);
    if (isTarget[node] === 0) targetCount++;
    isTarget[node] = 1;
  }
  const search = createSearch(graph);
  const rowOf = new Map<number, number>();
  for (let row = rows.firstRow; row < rows.endRow; row++) {
    if (options.shouldStop?.()) return false;
    const source = nodes[row]!;
    const sameRow = rowOf.get(source);
    if (sameRow === undefined) {
      searchFrom(search, source, isTarget, targetCount);
      writeRow(search, nodes, rows.matrix, row);
      rowOf.set(source, row);
    } else {
      copyRow(rows.matrix, sameRow, row);
    }
    options.onRow?.(row - rows.firstRow + 1);
  }
  return true;
}

/** Whole seconds and metres of the way that the last search found to a node. */
export function travelTo(search: Search, node: number): { seconds: number; metres: number } {
  if (!isReached(search, node)) return { seconds: UNREACHABLE, metres: UNREACHABLE };
  const seconds = wholeSeconds(search.milliseconds[node]!);
  return { seconds, metres: wholeMetres(seconds, search.centimetres[node]!) };
}

/** Rounded up; thirty-four years on the road are as good as no road. */
export function wholeSeconds(milliseconds: number): number {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds >= UNREACHABLE ? UNREACHABLE : seconds;
}

/** Rounded up; of a way that takes these seconds. */
export function wholeMetres(seconds: number, centimetres: number): number {
  return seconds === UNREACHABLE ? UNREACHABLE : Math.min(UNREACHABLE - 1, Math.ceil(centimetres / 100));
}

function writeRow(search: Search, nodes: Int32Array, matrix: TravelMatrix, row: number): void {
  const start = row * matrix.size;
  for (let column = 0; column < matrix.size; column++) {
    const { seconds, metres } = travelTo(search, nodes[column]!);
    matrix.seconds[start + column] = seconds;
    matrix.metres[start + column] = metres;
  }
}

function copyRow(matrix: TravelMatrix, from: number, to: number): void {
  const { size } = matrix;
  matrix.seconds.copyWithin(to * size, from * size, (from + 1) * size);
  matrix.metres.copyWithin(to * size, from * size, (from + 1) * size);
}
