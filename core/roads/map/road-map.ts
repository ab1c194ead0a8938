import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Bounds } from '../../osm/elements.ts';
import type { DrivingSide } from './driving-side.ts';
import { boxLevels } from './edge-boxes.ts';
import { VEHICLE_KINDS } from './vehicle.ts';
import type { Limits, VehicleKind } from './vehicle.ts';

/**
 * The roads of a region in one SharedArrayBuffer, as it lies in its file: opened by any number of threads without a copy. README.md shows the layout.
 */
export interface RoadMap {
  buffer: SharedArrayBuffer;
  edgeCount: number;
  bounds: Bounds;
  drivingSide: DrivingSide;
  /** Points of edge e are `firstPoint[e]` up to, not including, `firstPoint[e + 1]`. */
  firstPoint: Int32Array;
  /** Longitude and latitude in turn, in degrees times ten million. */
  points: Int32Array;
  centimetres: Uint32Array;
  /** By edge, an index into `limits`; the first are none. */
  limitsOf: Uint16Array;
  limits: Limits[];
  /** See edge-boxes.ts. */
  boxes: Int32Array;
  /** Null where the map was built without that kind of vehicle. */
  graphs: Record<VehicleKind, RoadGraph | null>;
}

/**
 * The roads for one kind of vehicle, edge-based: a node is an edge in one direction, 2 e along its points and 2 e + 1 against them. The first
 * `plainCount` nodes are where a journey begins. Those behind them are the same edges again, driven with something behind one: part of a
 * turn restriction, or an open road before a closed one. Both stretches ascend by directed edge.
 */
export interface RoadGraph {
  nodeCount: number;
  plainCount: number;
  arcCount: number;
  directedOf: Int32Array;
  /** To drive a node's edge from end to end. */
  milliseconds: Uint32Array;
  /** The arcs of node n are `firstArc[n]` up to, not including, `firstArc[n + 1]`, ascending by head. */
  firstArc: Int32Array;
  head: Int32Array;
  /** Of the turn alone. */
  turnMilliseconds: Uint16Array;
  /** By edge: MAY_STOP and GOOD_STOP, or 0. */
  stops: Uint8Array;
}

/** A place may be on the edge: it may be used, and is neither a ferry nor a barrier. */
export const MAY_STOP = 1;
/** It is also on one of the large parts that hang together, and neither a motorway nor in a tunnel. */
export const GOOD_STOP = 2;

/** A file that is not a road map, or not one that this program can use; the message is for the operator. */
export class RoadMapError extends Error {
  override name = 'RoadMapError';
}

const MAGIC = 0x4d524d50;
const MAGIC_OF_OTHER_BYTE_ORDER = 0x504d524d;
const LAYOUT_VERSION = 1;
const HEADER_WORDS = 32;
const CHECKED_FROM_WORD = 4;
const LIMIT_WORDS = 5;
/** What a file may hold: indices are integers of 32 bits. */
const COUNT_MAX = 0x3fffffff;

export interface RoadMapSize {
  edges: number;
  points: number;
  limits: number;
  graphs: Record<VehicleKind, { nodes: number; plain: number; arcs: number } | null>;
}

/** Room for a map of that size, for whoever builds it. The limits are filled in with `setLimits`. */
export function allocateRoadMap(size: RoadMapSize, drivingSide: DrivingSide, bounds: Bounds): RoadMap {
  const buffer = new SharedArrayBuffer(layout(size).end);
  const words = new Uint32Array(buffer, 0, HEADER_WORDS);
  words.set([MAGIC, LAYOUT_VERSION]);
  words.set([size.edges, size.points, size.limits, drivingSide === 'left' ? 1 : 0], 5);
  new Int32Array(buffer, 0, HEADER_WORDS).set([bounds.westE7, bounds.southE7, bounds.eastE7, bounds.northE7], 9);
  VEHICLE_KINDS.forEach((kind, i) => {
    const graph = size.graphs[kind];
    words.set(graph ? [1, graph.nodes, graph.plain, graph.arcs] : [0, 0, 0, 0], 13 + 4 * i);
  });
  return roadMapFromBuffer(buffer);
}

export function setLimits(map: RoadMap, limits: readonly Limits[]): void {
  const words = limitWords(map.buffer, map.edgeCount, map.points.length / 2, limits.length);
  limits.forEach((each, i) => words.set([each.heightCentimetres, each.weightKilograms, each.widthCentimetres, each.lengthCentimetres, each.allowsHazardousGoods ? 1 : 0], LIMIT_WORDS * i));
  map.limits = limits.slice();
}

function limitWords(buffer: SharedArrayBuffer, edges: number, points: number, limits: number): Int32Array {
  const at = layout({ edges, points, limits, graphs: { car: null, truck: null } });
  return new Int32Array(buffer, at.limits, LIMIT_WORDS * limits);
}

/** The map that lies in a buffer: nothing is copied. Its checksum is looked at by whoever reads the file, not again by each thread. */
export function roadMapFromBuffer(buffer: SharedArrayBuffer): RoadMap {
  const size = sizeIn(buffer);
  const words = new Uint32Array(buffer, 0, HEADER_WORDS);
  const [westE7, southE7, eastE7, northE7] = new Int32Array(buffer, 4 * 9, 4);
  const at = layout(size);
  const limitValues = new Int32Array(buffer, at.limits, LIMIT_WORDS * size.limits);
  return {
    buffer, edgeCount: size.edges, bounds: { westE7, southE7, eastE7, northE7 }, drivingSide: words[8] === 1 ? 'left' : 'right',
    firstPoint: new Int32Array(buffer, at.firstPoint, size.edges + 1),
    points: new Int32Array(buffer, at.points, 2 * size.points),
    centimetres: new Uint32Array(buffer, at.centimetres, size.edges),
    limitsOf: new Uint16Array(buffer, at.limitsOf, size.edges),
    limits: Array.from({ length: size.limits }, (_, i) => limitsFrom(limitValues.subarray(LIMIT_WORDS * i))),
    boxes: new Int32Array(buffer, at.boxes, 4 * boxCount(size.edges)),
    graphs: { car: graphAt(buffer, size, at, 'car'), truck: graphAt(buffer, size, at, 'truck') },
  };
}

function limitsFrom([heightCentimetres, weightKilograms, widthCentimetres, lengthCentimetres, allows]: Int32Array): Limits {
  return { heightCentimetres, weightKilograms, widthCentimetres, lengthCentimetres, allowsHazardousGoods: allows === 1 };
}

function graphAt(buffer: SharedArrayBuffer, { edges, graphs }: RoadMapSize, at: ReturnType<typeof layout>, kind: VehicleKind): RoadGraph | null {
  const graph = graphs[kind];
  if (graph === null) return null;
  const { nodes, arcs } = graph;
  const places = at.graphs[kind];
  return {
    nodeCount: nodes, plainCount: graph.plain, arcCount: arcs,
    directedOf: new Int32Array(buffer, places.directedOf, nodes),
    milliseconds: new Uint32Array(buffer, places.milliseconds, nodes),
    firstArc: new Int32Array(buffer, places.firstArc, nodes + 1),
    head: new Int32Array(buffer, places.head, arcs),
    turnMilliseconds: new Uint16Array(buffer, places.turnMilliseconds, arcs),
    stops: new Uint8Array(buffer, places.stops, edges),
  };
}

/** What the header says, if the buffer is as long as that makes it. */
function sizeIn(buffer: SharedArrayBuffer): RoadMapSize {
  if (buffer.byteLength < 4 * HEADER_WORDS) throw new RoadMapError(`not a road map: ${buffer.byteLength} bytes are less than its header`);
  const words = new Uint32Array(buffer, 0, HEADER_WORDS);
  if (words[0] === MAGIC_OF_OTHER_BYTE_ORDER) throw new RoadMapError('this road map was built on a machine of the other byte order; build it again here');
  if (words[0] !== MAGIC) throw new RoadMapError('not a road map: the first word differs');
  if (words[1] !== LAYOUT_VERSION) throw new RoadMapError(`a road map of layout ${words[1]}, this program reads layout ${LAYOUT_VERSION}; build it again`);
  const graphOf = (i: number) => {
    const [isThere, nodes, plain, arcs] = words.subarray(13 + 4 * i, 17 + 4 * i);
    return isThere === 1 ? { nodes, plain, arcs } : null;
  };
  const size: RoadMapSize = { edges: words[5], points: words[6], limits: words[7], graphs: { car: graphOf(0), truck: graphOf(1) } };
  const counts = [size.edges, size.points, size.limits, ...Object.values(size.graphs).flatMap((graph) => (graph ? [graph.nodes, graph.arcs] : []))];
  if (counts.some((count) => count > COUNT_MAX)) throw new RoadMapError('the road map is damaged: its header claims impossible sizes');
  const { end } = layout(size);
  if (buffer.byteLength !== end) throw new RoadMapError(`the road map has ${buffer.byteLength} bytes and its header says ${end}: it is truncated or damaged, build it again`);
  return size;
}

/** Where each section begins, in bytes: those of four bytes first, then those of two, then those of one, so that all are aligned; the end is at a multiple of eight, so that more may follow. */
function layout({ edges, points, limits, graphs }: RoadMapSize) {
  let at = 4 * HEADER_WORDS;
  const next = (bytes: number): number => (at += bytes) - bytes;
  const sizeOf = (kind: VehicleKind) => graphs[kind] ?? { nodes: -1, plain: 0, arcs: 0 };
  const shared = { limits: next(0), firstPoint: 0, points: 0, centimetres: 0, boxes: 0 };
  shared.limits = next(4 * LIMIT_WORDS * limits);
  shared.firstPoint = next(4 * (edges + 1));
  shared.points = next(8 * points);
  shared.centimetres = next(4 * edges);
  shared.boxes = next(16 * boxCount(edges));
  const wide = VEHICLE_KINDS.map((kind) => {
    const { nodes, arcs } = sizeOf(kind);
    return { directedOf: next(4 * Math.max(0, nodes)), milliseconds: next(4 * Math.max(0, nodes)), firstArc: next(4 * (nodes + 1)), head: next(4 * arcs) };
  });
  const narrow = VEHICLE_KINDS.map((kind) => next(2 * sizeOf(kind).arcs));
  const limitsOf = next(2 * edges);
  const bytes = VEHICLE_KINDS.map((kind) => next(graphs[kind] ? edges : 0));
  const [car, truck] = VEHICLE_KINDS.map((_, i) => ({ ...wide[i], turnMilliseconds: narrow[i], stops: bytes[i] }));
  return { ...shared, limitsOf, graphs: { car, truck }, end: 8 * Math.ceil(at / 8) };
}

function boxCount(edges: number): number {
  return boxLevels(edges).reduce((sum, count) => sum + count, 0);
}

/** Writes a map whole or not at all: under another name first, then renamed. */
export function writeRoadMap(map: RoadMap, path: string): void {
  const bytes = new Uint8Array(map.buffer);
  new Uint32Array(map.buffer, 0, HEADER_WORDS)[2] = checksum(bytes);
  const descriptor = openSync(`${path}.part`, 'w');
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch (error) {
    closeSync(descriptor);
    rmSync(`${path}.part`, { force: true });
    throw error;
  }
  renameSync(`${path}.part`, path);
}

/** Reads a map into shared memory and checks it. Throws RoadMapError for what is wrong with it, and the error of the file system as it is. */
export function openRoadMap(path: string): RoadMap {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    for (let done = 0; done < size;) {
      const count = readSync(descriptor, bytes, done, size - done, done);
      if (count === 0) throw new RoadMapError('the road map became shorter while it was read');
      done += count;
    }
    const map = roadMapFromBuffer(buffer);
    if (new Uint32Array(buffer, 0, HEADER_WORDS)[2] !== checksum(bytes)) throw new RoadMapError('the road map is damaged: its checksum does not fit; build it again');
    return map;
  } finally {
    closeSync(descriptor);
  }
}

/** CRC-32 of all behind the checksum: against rot and half copies, not against malice. */
function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(4 * CHECKED_FROM_WORD));
}

