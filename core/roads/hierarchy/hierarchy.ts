/**
 * A contraction hierarchy in typed arrays over one shared buffer. README.md shows the layout.
 *
 * Nodes are numbered by rank, the order in which they were contracted, and arcs are kept with the lower of their ends. An arc
 * is one of the graph or a shortcut for two arcs that meet at a node of lower rank. What was not contracted is the core, the
 * ranks from `coreStart` on: its arcs are kept with both ends.
 */
export interface Hierarchy {
  buffer: SharedArrayBuffer;
  /** Of the hierarchy in its buffer. */
  byteOffset: number;
  byteLength: number;
  nodeCount: number;
  /** Of the graph that it was made of. */
  graphArcCount: number;
  coreStart: number;
  /** By node of the graph. */
  rankOf: Int32Array;
  nodeOf: Int32Array;
  /** Arcs from a node to higher ones; in the core to all. */
  leaving: RankedArcs;
  /** Arcs to a node from higher ones; in the core from all. */
  entering: RankedArcs;
}

/** The arcs of rank r are `first[r]` up to, not including, `first[r + 1]`, ascending by the rank of their other end. */
export interface RankedArcs {
  first: Int32Array;
  end: Int32Array;
  milliseconds: Uint32Array;
  centimetres: Uint32Array;
  /** The rank of the node that a shortcut goes over, or -1 - arc for an arc of the graph. */
  via: Int32Array;
}

export interface HierarchySize {
  nodeCount: number;
  graphArcCount: number;
  coreStart: number;
  leavingCount: number;
  enteringCount: number;
}

const MAGIC = 0x4d524348;
const LAYOUT_VERSION = 1;
const HEADER_WORDS = 16;

/** Room for a hierarchy of that size, for whoever contracts. */
export function allocateHierarchy(size: HierarchySize): Hierarchy {
  const buffer = new SharedArrayBuffer(4 * layout(size).end);
  new Uint32Array(buffer, 0, 7).set([MAGIC, LAYOUT_VERSION, size.nodeCount, size.graphArcCount, size.coreStart, size.leavingCount, size.enteringCount]);
  return hierarchyFromBuffer(buffer);
}

/** The hierarchy that lies in a buffer from a byte on that is a multiple of four: nothing is copied, and more may lie behind it. */
export function hierarchyFromBuffer(buffer: SharedArrayBuffer, byteOffset = 0): Hierarchy {
  const room = buffer.byteLength - byteOffset;
  if (room < 4 * HEADER_WORDS) throw new Error('not a road hierarchy: the buffer is shorter than its header');
  const [magic, version, nodeCount, graphArcCount, coreStart, leavingCount, enteringCount] = new Uint32Array(buffer, byteOffset, 7);
  if (magic !== MAGIC) throw new Error('not a road hierarchy: the first word differs (or the byte order does)');
  if (version !== LAYOUT_VERSION) throw new Error(`road hierarchy of layout ${version}, this program reads layout ${LAYOUT_VERSION}`);
  const at = layout({ nodeCount, graphArcCount, coreStart, leavingCount, enteringCount });
  if (room < 4 * at.end) throw new Error(`road hierarchy in ${room} bytes, its header says ${4 * at.end}`);
  const signed = (word: number, length: number) => new Int32Array(buffer, byteOffset + 4 * word, length);
  const unsigned = (word: number, length: number) => new Uint32Array(buffer, byteOffset + 4 * word, length);
  const arcs = (first: number, word: number, count: number): RankedArcs => ({
    first: signed(first, nodeCount + 1), end: signed(word, count), milliseconds: unsigned(word + count, count),
    centimetres: unsigned(word + 2 * count, count), via: signed(word + 3 * count, count),
  });
  return {
    buffer, byteOffset, byteLength: 4 * at.end, nodeCount, graphArcCount, coreStart,
    rankOf: signed(at.rankOf, nodeCount), nodeOf: signed(at.nodeOf, nodeCount),
    leaving: arcs(at.firstLeaving, at.leaving, leavingCount), entering: arcs(at.firstEntering, at.entering, enteringCount),
  };
}

/** Where each section begins, in words of four bytes. */
function layout({ nodeCount, leavingCount, enteringCount }: HierarchySize) {
  const rankOf = HEADER_WORDS;
  const nodeOf = rankOf + nodeCount;
  const firstLeaving = nodeOf + nodeCount;
  const firstEntering = firstLeaving + nodeCount + 1;
  const leaving = firstEntering + nodeCount + 1;
  const entering = leaving + 4 * leavingCount;
  return { rankOf, nodeOf, firstLeaving, firstEntering, leaving, entering, end: entering + 4 * enteringCount };
}
