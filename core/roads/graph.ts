/** Nodes and weighted arcs: all that a search needs. The arcs that leave node n are `firstArc[n]` to `firstArc[n + 1]`. */
export interface Digraph {
  nodeCount: number;
  arcCount: number;
  firstArc: Int32Array;
  head: Int32Array;
  /** Weights of an arc, as integers so that sums are exact; larger values are kept as WEIGHT_MAX. */
  milliseconds: Uint32Array;
  centimetres: Uint32Array;
}

/**
 * A directed road graph in one SharedArrayBuffer, so that it goes to a thread without a copy. README.md shows the layout.
 *
 * Nodes are numbered as in the network they came from. The arcs of a node ascend by head; there is at most one arc between two nodes
 * in each direction, and none from a node to itself.
 */
export interface Graph extends Digraph {
  buffer: SharedArrayBuffer;
  /** Degrees. */
  longitude: Float64Array;
  latitude: Float64Array;
  /** The tree that snapping walks through: see nearest-tree.ts. */
  tree: NearestTree;
}

/** Nodes in the order of a k-d tree, each with its place on the unit sphere and the axis (0, 1, 2) that it splits. */
export interface NearestTree {
  node: Int32Array;
  /** x, y, z of each, in tree order. */
  position: Float64Array;
  axis: Uint8Array;
}

/** An arc takes at most 49 days and is at most 42 949 km long: more than once around the Earth. */
export const WEIGHT_MAX = 0xffffffff;

const MAGIC = 0x4d524e47;
const LAYOUT_VERSION = 1;
const HEADER_BYTES = 64;

/** An empty graph of that size, for the builder to fill. */
export function allocateGraph(nodeCount: number, arcCount: number): Graph {
  const buffer = new SharedArrayBuffer(layout(nodeCount, arcCount).end);
  new Uint32Array(buffer, 0, 4).set([MAGIC, LAYOUT_VERSION, nodeCount, arcCount]);
  return graphFromBuffer(buffer);
}

/** The graph that lies in a buffer: nothing is copied. */
export function graphFromBuffer(buffer: SharedArrayBuffer): Graph {
  if (buffer.byteLength < HEADER_BYTES) throw new Error('not a road graph: the buffer is shorter than its header');
  const [magic, version, nodeCount, arcCount] = new Uint32Array(buffer, 0, 4) as unknown as [number, number, number, number];
  if (magic !== MAGIC) throw new Error('not a road graph: the first word differs (or the byte order does)');
  if (version !== LAYOUT_VERSION) throw new Error(`road graph of layout ${version}, this program reads layout ${LAYOUT_VERSION}`);
  const at = layout(nodeCount, arcCount);
  if (buffer.byteLength !== at.end) throw new Error(`road graph of ${buffer.byteLength} bytes, its header says ${at.end}`);
  return {
    buffer, nodeCount, arcCount,
    longitude: new Float64Array(buffer, at.longitude, nodeCount),
    latitude: new Float64Array(buffer, at.latitude, nodeCount),
    firstArc: new Int32Array(buffer, at.firstArc, nodeCount + 1),
    head: new Int32Array(buffer, at.head, arcCount),
    milliseconds: new Uint32Array(buffer, at.milliseconds, arcCount),
    centimetres: new Uint32Array(buffer, at.centimetres, arcCount),
    tree: {
      position: new Float64Array(buffer, at.treePosition, 3 * nodeCount),
      node: new Int32Array(buffer, at.treeNode, nodeCount),
      axis: new Uint8Array(buffer, at.treeAxis, nodeCount),
    },
  };
}

/** Where each section begins, in bytes: the wide ones first, so that all are aligned without padding. */
function layout(nodeCount: number, arcCount: number) {
  const longitude = HEADER_BYTES;
  const latitude = longitude + 8 * nodeCount;
  const treePosition = latitude + 8 * nodeCount;
  const firstArc = treePosition + 24 * nodeCount;
  const head = firstArc + 4 * (nodeCount + 1);
  const milliseconds = head + 4 * arcCount;
  const centimetres = milliseconds + 4 * arcCount;
  const treeNode = centimetres + 4 * arcCount;
  const treeAxis = treeNode + 4 * nodeCount;
  return { longitude, latitude, treePosition, firstArc, head, milliseconds, centimetres, treeNode, treeAxis, end: treeAxis + nodeCount };
}
