import { WEIGHT_MAX } from '../graph.ts';
import type { Digraph } from '../graph.ts';
import { U_TURN_MILLISECONDS } from './turn-cost.ts';
import type { RoadGraph, RoadMap } from './road-map.ts';
import { mayPass } from './vehicle.ts';
import type { Vehicle, VehicleKind } from './vehicle.ts';

/**
 * The roads as one vehicle may use them, in the form that searches and hierarchies take. From a node one sets out at the beginning of its
 * edge: an arc costs that edge and the turn at its end. Nodes have the numbers they have in the road map; those that are closed to the vehicle
 * have no arcs.
 */
export interface VehicleGraph extends Digraph {
  /** Over one SharedArrayBuffer, for threads: see `vehicleGraphFromBuffer`. */
  buffer: SharedArrayBuffer;
  map: RoadMap;
  kind: VehicleKind;
  roads: RoadGraph;
  /** By index of `map.limits`: 1 where the vehicle may not pass. */
  isBarred: Uint8Array;
}

/**
 * Which roads are closed to a vehicle, in a few letters: two vehicles with the same key have the same graph, and what is made of it serves both.
 * A map has few limits, so there are few keys: a van of 2.4 m and one of 2.6 m differ only where a bridge between them is tagged.
 */
export function vehicleKey(map: RoadMap, vehicle: Vehicle): string {
  const barred = map.limits.flatMap((limits, i) => (mayPass(vehicle, limits) ? [] : [i]));
  return barred.length === 0 ? vehicle.kind : `${vehicle.kind}-${barred.join('.')}`;
}

/** Throws RangeError where the map was built without that kind of vehicle. */
export function vehicleGraph(map: RoadMap, vehicle: Vehicle): VehicleGraph {
  const roads = roadsFor(map, vehicle.kind);
  const isBarred = Uint8Array.from(map.limits, (limits) => (mayPass(vehicle, limits) ? 0 : 1));
  const { kept, firstArc } = countArcs(map, roads, isBarred);
  const buffer = new SharedArrayBuffer(4 * (roads.nodeCount + 1 + 3 * kept) + isBarred.length);
  const graph = graphIn(buffer, { map, kind: vehicle.kind, roads }, kept);
  graph.isBarred.set(isBarred);
  graph.firstArc.set(firstArc);
  fillArcs(graph);
  return graph;
}

/** The same graph in another thread, which has opened the same map. */
export function vehicleGraphFromBuffer(buffer: SharedArrayBuffer, map: RoadMap, kind: VehicleKind): VehicleGraph {
  const roads = roadsFor(map, kind);
  const arcCount = (buffer.byteLength - map.limits.length) / 12 - (roads.nodeCount + 1) / 3;
  return graphIn(buffer, { map, kind, roads }, Math.round(arcCount));
}

function graphIn(buffer: SharedArrayBuffer, of: Pick<VehicleGraph, 'map' | 'kind' | 'roads'>, arcCount: number): VehicleGraph {
  const { nodeCount } = of.roads;
  const start = 4 * (nodeCount + 1);
  return {
    ...of, buffer, nodeCount, arcCount,
    firstArc: new Int32Array(buffer, 0, nodeCount + 1),
    head: new Int32Array(buffer, start, arcCount),
    milliseconds: new Uint32Array(buffer, start + 4 * arcCount, arcCount),
    centimetres: new Uint32Array(buffer, start + 8 * arcCount, arcCount),
    isBarred: new Uint8Array(buffer, start + 12 * arcCount, of.map.limits.length),
  };
}

function roadsFor(map: RoadMap, kind: VehicleKind): RoadGraph {
  const roads = map.graphs[kind];
  if (roads === null) throw new RangeError(`this road map was built without roads for a ${kind}`);
  return roads;
}

export function isBarredNode(graph: Pick<VehicleGraph, 'map' | 'roads' | 'isBarred'>, node: number): boolean {
  return graph.isBarred[graph.map.limitsOf[graph.roads.directedOf[node] >> 1]] === 1;
}

/** A road that ends before what is closed to the vehicle is a blind end to it: there it may turn back. */
function countArcs(map: RoadMap, roads: RoadGraph, isBarred: Uint8Array): { kept: number; firstArc: Int32Array } {
  const firstArc = new Int32Array(roads.nodeCount + 1);
  const of = { map, roads, isBarred };
  let kept = 0;
  for (let node = 0; node < roads.nodeCount; node++) {
    if (!isBarredNode(of, node)) {
      const before = kept;
      for (let arc = roads.firstArc[node]; arc < roads.firstArc[node + 1]; arc++) if (!isBarredNode(of, roads.head[arc])) kept++;
      if (kept === before && wayBack(roads, node) !== -1) kept++;
    }
    firstArc[node + 1] = kept;
  }
  return { kept, firstArc };
}

function fillArcs(graph: VehicleGraph): void {
  const { map, roads, kind, firstArc, head, milliseconds, centimetres } = graph;
  for (let node = 0; node < graph.nodeCount; node++) {
    let at = firstArc[node];
    if (at === firstArc[node + 1]) continue;
    const length = map.centimetres[roads.directedOf[node] >> 1];
    const put = (to: number, turn: number) => {
      head[at] = to;
      milliseconds[at] = Math.min(WEIGHT_MAX, roads.milliseconds[node] + turn);
      centimetres[at++] = length;
    };
    for (let arc = roads.firstArc[node]; arc < roads.firstArc[node + 1]; arc++) {
      if (!isBarredNode(graph, roads.head[arc])) put(roads.head[arc], roads.turnMilliseconds[arc]);
    }
    if (at < firstArc[node + 1]) put(wayBack(roads, node), U_TURN_MILLISECONDS[kind]);
  }
}

/** The node of the same edge the other way, for those that have turns which are all closed to the vehicle; else -1. */
function wayBack(roads: RoadGraph, node: number): number {
  if (roads.firstArc[node] === roads.firstArc[node + 1]) return -1;
  const back = nodesOf(roads, roads.directedOf[node] ^ 1);
  // A twin goes back as a twin, or it would get out of where it may only end.
  if (node < roads.plainCount) return back.plain;
  return back.others[0] ?? -1;
}

export interface NodesOfEdge {
  /** Where a journey begins; -1 where the edge may not be used in that direction. */
  plain: number;
  /** The same edge with something behind one. */
  others: number[];
}

/** All nodes of a directed edge. */
export function nodesOf({ directedOf, plainCount, nodeCount }: RoadGraph, directed: number): NodesOfEdge {
  const plain = firstAtLeast(directedOf, directed, 0, plainCount);
  const others: number[] = [];
  for (let node = firstAtLeast(directedOf, directed, plainCount, nodeCount); node < nodeCount && directedOf[node] === directed; node++) others.push(node);
  return { plain: plain < plainCount && directedOf[plain] === directed ? plain : -1, others };
}

function firstAtLeast(values: Int32Array, value: number, start: number, end: number): number {
  let [least, after] = [start, end];
  while (least < after) {
    const middle = (least + after) >> 1;
    if (values[middle] < value) least = middle + 1;
    else after = middle;
  }
  return least;
}
