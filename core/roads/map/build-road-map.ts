import type { Bounds } from '../../osm/elements.ts';
import { OsmFileError } from '../../osm/osm-file-error.ts';
import { directedEdges } from './directed-edges.ts';
import type { DirectedEdges } from './directed-edges.ts';
import { sideOfRoundabouts } from './driving-side.ts';
import type { DrivingSide } from './driving-side.ts';
import { fillBoxes } from './edge-boxes.ts';
import { cutEdges } from './edges.ts';
import type { Edges } from './edges.ts';
import { makeEndOnly } from './end-only.ts';
import type { EndOnlyResult } from './end-only.ts';
import { forbiddenTurns } from './forbidden-turns.ts';
import type { ForbiddenTurns } from './forbidden-turns.ts';
import { readRoads } from './read-roads.ts';
import type { Roads } from './read-roads.ts';
import type { RestrictionGap } from './restriction.ts';
import { allocateRoadMap, GOOD_STOP, MAY_STOP, setLimits, writeRoadMap } from './road-map.ts';
import type { RoadGraph, RoadMap } from './road-map.ts';
import { sortArcs } from './sort-arcs.ts';
import { turnGraph } from './turn-graph.ts';
import type { TurnGraph } from './turn-graph.ts';
import { NO_LIMITS, VEHICLE_KINDS } from './vehicle.ts';
import type { Limits, VehicleKind } from './vehicle.ts';

export interface RoadMapOptions {
  /** Vehicles to build for; both where it is not said. */
  kinds?: readonly VehicleKind[];
  /** Where it is not said: what the map says of its country, or which way its roundabouts turn, or right. */
  drivingSide?: DrivingSide;
}

export const BUILD_PHASES = ['reading', 'cutting', 'car', 'truck', 'writing'] as const;

export type BuildProgress = (phase: (typeof BUILD_PHASES)[number], fraction: number) => void;

export interface RoadMapSummary {
  bytes: number;
  edges: number;
  drivingSide: DrivingSide;
  bounds: Bounds;
  graphs: Record<VehicleKind, GraphSummary | null>;
  /** Restrictions in the file that no kind of vehicle can heed, by reason. */
  restrictionGaps: Record<RestrictionGap, number>;
  barriersPassedOver: number;
}

export interface GraphSummary {
  nodes: number;
  arcs: number;
  restrictionsUsed: number;
  /** Of those for this kind of vehicle. */
  restrictionGaps: Partial<Record<RestrictionGap, number>>;
  /** Nodes on roads where a journey may only begin or end, and nodes that are only reached over such. */
  closedNodes: number;
  enclosedNodes: number;
  /** Nodes in the largest part that hangs together. */
  largestPart: number;
}

/**
 * Builds the road map of an .osm.pbf file and writes it, whole or not at all. Throws OsmFileError for a file that cannot be used. It computes
 * without pause: call it in a process of its own, which can be given a limit of memory and be stopped.
 */
export function buildRoadMap(pbfPath: string, outputPath: string, options: RoadMapOptions = {}, onProgress: BuildProgress = () => {}): RoadMapSummary {
  const { map, summary } = roadMapOf(pbfPath, options, onProgress);
  onProgress('writing', 0);
  writeRoadMap(map, outputPath);
  onProgress('writing', 1);
  return summary;
}

/** `buildRoadMap` without the file. */
export function roadMapOf(pbfPath: string, options: RoadMapOptions = {}, onProgress: BuildProgress = () => {}): { map: RoadMap; summary: RoadMapSummary } {
  const roads = readRoads(pbfPath, (fraction) => onProgress('reading', fraction));
  onProgress('cutting', 0);
  const edges = cutEdges(roads);
  if (edges.count === 0) throw new OsmFileError('corrupt', 'the file holds no road that a vehicle could use');
  const side = options.drivingSide ?? roads.drivingSide ?? sideOfRoundabouts(edges) ?? 'right';
  onProgress('cutting', 1);
  const built: Partial<Record<VehicleKind, BuiltGraph>> = {};
  for (const kind of options.kinds ?? VEHICLE_KINDS) {
    onProgress(kind, 0);
    built[kind] = buildGraphFor(kind, { roads, edges, side });
    onProgress(kind, 1);
  }
  const map = assemble(edges, side, built);
  return {
    map,
    summary: {
      bytes: map.buffer.byteLength, edges: edges.count, drivingSide: side, bounds: map.bounds, graphs: { car: built.car?.summary ?? null, truck: built.truck?.summary ?? null },
      restrictionGaps: roads.restrictionGaps, barriersPassedOver: edges.barriersPassedOver,
    },
  };
}

interface BuiltGraph {
  graph: TurnGraph;
  directed: DirectedEdges;
  stops: Uint8Array;
  summary: GraphSummary;
}

function buildGraphFor(kind: VehicleKind, { roads, edges, side }: { roads: Roads; edges: Edges; side: DrivingSide }): BuiltGraph {
  const directed = directedEdges(edges, kind);
  const forbidden = forbiddenTurns(roads, edges, directed);
  const turns = turnGraph({ roads, edges, directed, forbidden, side });
  const endOnly = makeEndOnly(turns, (each) => directed.access(each) === 'end');
  const graph = inOrder(endOnly.graph);
  return { graph, directed, stops: stopsOn(edges, turns, endOnly), summary: summaryOf(graph, forbidden, endOnly, directed, turns) };
}

function summaryOf(graph: TurnGraph, { used, gaps }: ForbiddenTurns, { parts, enclosedCount }: EndOnlyResult, directed: DirectedEdges, turns: TurnGraph): GraphSummary {
  return {
    nodes: graph.nodeCount, arcs: graph.head.length, restrictionsUsed: used, restrictionGaps: gaps,
    closedNodes: turns.directedOf.reduce((count, each) => count + (directed.access(each) === 'end' ? 1 : 0), 0), enclosedNodes: enclosedCount,
    largestPart: parts.sizes.reduce((most, size) => Math.max(most, size), 0),
  };
}

/** Numbers the nodes behind the plain ones by directed edge, so that all nodes of an edge are found by halving. */
function inOrder(graph: TurnGraph): TurnGraph {
  const { nodeCount, plainCount, directedOf, firstArc } = graph;
  const order = Int32Array.from({ length: nodeCount }, (_, node) => node);
  order.subarray(plainCount).sort((a, b) => directedOf[a] - directedOf[b] || a - b);
  const place = new Int32Array(nodeCount);
  order.forEach((old, node) => (place[old] = node));
  const arcs = { head: new Int32Array(graph.head.length), turnMilliseconds: new Uint16Array(graph.head.length) };
  const newFirstArc = new Int32Array(nodeCount + 1);
  let count = 0;
  for (let node = 0; node < nodeCount; node++) {
    for (let arc = firstArc[order[node]]; arc < firstArc[order[node] + 1]; arc++) {
      arcs.head[count] = place[graph.head[arc]];
      arcs.turnMilliseconds[count++] = graph.turnMilliseconds[arc];
    }
    sortArcs(arcs, newFirstArc[node], count);
    newFirstArc[node + 1] = count;
  }
  return { nodeCount, plainCount, directedOf: order.map((old) => directedOf[old]), firstArc: newFirstArc, ...arcs };
}

/** A part with as many directed edges is a place of its own, an island or a village, and not a slip of a mapper. */
const LARGE_PART_NODES = 100;

function stopsOn(edges: Edges, turns: TurnGraph, { parts }: EndOnlyResult): Uint8Array {
  const stops = new Uint8Array(edges.count);
  const large = parts.sizes.reduce((most, size) => Math.max(most, size), 0);
  for (let node = 0; node < turns.plainCount; node++) {
    const edge = turns.directedOf[node] >> 1;
    const rules = edges.rules[edges.rulesOf[edge]];
    if (rules.isCarrier || edges.centimetres[edge] === 0) continue;
    const isGood = !rules.isSeldomStop && parts.sizes[parts.partOf[node]] >= Math.min(large, LARGE_PART_NODES);
    stops[edge] |= isGood ? MAY_STOP | GOOD_STOP : MAY_STOP;
  }
  return stops;
}

function assemble(edges: Edges, side: DrivingSide, built: Partial<Record<VehicleKind, BuiltGraph>>): RoadMap {
  const { limits, limitsOf } = limitTable(edges);
  const sizeOf = (one: BuiltGraph | undefined) => (one ? { nodes: one.graph.nodeCount, plain: one.graph.plainCount, arcs: one.graph.head.length } : null);
  const size = { edges: edges.count, points: edges.points.length / 2, limits: limits.length, graphs: { car: sizeOf(built.car), truck: sizeOf(built.truck) } };
  const map = allocateRoadMap(size, side, boundsOf(edges.points));
  setLimits(map, limits);
  map.firstPoint.set(edges.firstPoint);
  map.points.set(edges.points);
  map.centimetres.set(edges.centimetres);
  map.limitsOf.set(limitsOf);
  fillBoxes(map.boxes, map);
  for (const kind of VEHICLE_KINDS) if (built[kind]) fillGraph(map.graphs[kind]!, built[kind]);
  return map;
}

function fillGraph(target: RoadGraph, { graph, directed, stops }: BuiltGraph): void {
  target.directedOf.set(graph.directedOf);
  for (let node = 0; node < graph.nodeCount; node++) target.milliseconds[node] = directed.milliseconds(graph.directedOf[node]);
  target.firstArc.set(graph.firstArc);
  target.head.set(graph.head);
  target.turnMilliseconds.set(graph.turnMilliseconds);
  target.stops.set(stops);
}

/** As many as an index of 16 bits tells apart. */
const LIMITS_MAX = 0xffff;

function limitTable({ rules, rulesOf }: Edges): { limits: Limits[]; limitsOf: Uint16Array } {
  const limits: Limits[] = [NO_LIMITS];
  const places = new Map<string, number>([[JSON.stringify(NO_LIMITS), 0]]);
  const placeOfRules = rules.map((each) => {
    const key = JSON.stringify(each.limits);
    let place = places.get(key);
    if (place === undefined) {
      if (limits.length > LIMITS_MAX) throw new OsmFileError('corrupt', `the file has more than ${LIMITS_MAX} different limits of height and weight: no real map does`);
      place = limits.push(each.limits) - 1;
      places.set(key, place);
    }
    return place;
  });
  return { limits, limitsOf: Uint16Array.from(rulesOf, (place) => placeOfRules[place]) };
}

function boundsOf(points: Int32Array): Bounds {
  const bounds: Bounds = { westE7: Infinity, southE7: Infinity, eastE7: -Infinity, northE7: -Infinity };
  for (let i = 0; i < points.length; i += 2) {
    bounds.westE7 = Math.min(bounds.westE7, points[i]);
    bounds.eastE7 = Math.max(bounds.eastE7, points[i]);
    bounds.southE7 = Math.min(bounds.southE7, points[i + 1]);
    bounds.northE7 = Math.max(bounds.northE7, points[i + 1]);
  }
  return bounds;
}
