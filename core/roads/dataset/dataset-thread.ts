import { hierarchyFromBuffer } from '../hierarchy/hierarchy.ts';
import { fastestWay, meet } from '../hierarchy/one-to-one.ts';
import type { Places } from '../hierarchy/places.ts';
import { UpwardSearch } from '../hierarchy/upward-search.ts';
import { journeyLine, type LineString } from '../map/journey-line.ts';
import { JourneySearch } from '../map/journey-search.ts';
import { findPlace, type Place } from '../map/places.ts';
import { openRoadMap, RoadMapError, roadMapFromBuffer } from '../map/road-map.ts';
import { nodesOf, vehicleGraph, vehicleGraphFromBuffer, type VehicleGraph } from '../map/vehicle-graph.ts';
import type { Vehicle, VehicleKind } from '../map/vehicle.ts';
import { readHierarchy } from './hierarchy-file.ts';

/** What the threads of open-dataset.ts do: shared buffers come in, and small results go out. */

export interface SharedRoads {
  map: SharedArrayBuffer;
  graph: SharedArrayBuffer;
  kind: VehicleKind;
}

/** What came of reading a file. An error of a class does not come out of a thread as one. */
export type FileRead = { buffer: SharedArrayBuffer; damage?: undefined } | { buffer?: undefined; damage: string };

export const readMapTask = ({ path }: { path: string }): FileRead => reading(() => openRoadMap(path));
export const readHierarchyTask = ({ path }: { path: string }): FileRead => reading(() => readHierarchy(path));

function reading(read: () => { buffer: SharedArrayBuffer }): FileRead {
  try {
    return { buffer: read().buffer };
  } catch (error) {
    if (error instanceof RoadMapError) return { damage: error.message };
    throw error;
  }
}

const roadsOf = ({ map, graph, kind }: SharedRoads): VehicleGraph => vehicleGraphFromBuffer(graph, roadMapFromBuffer(map), kind);

/** The graph of a vehicle: where it may go, and what it costs. */
export function makeGraphTask({ map, vehicle }: { map: SharedArrayBuffer; vehicle: Vehicle }): SharedArrayBuffer {
  return vehicleGraph(roadMapFromBuffer(map), vehicle).buffer;
}

export interface PlacesTask extends SharedRoads {
  points: readonly (readonly [longitude: number, latitude: number])[];
  metresMax: number;
}

export function findPlacesTask({ points, metresMax, ...shared }: PlacesTask): (Place | null)[] {
  const graph = roadsOf(shared);
  return points.map(([longitude, latitude]) => findPlace(graph, longitude, latitude, { metresMax }));
}

export interface LinesTask extends SharedRoads {
  /** Null: by a plain search. */
  hierarchy: SharedArrayBuffer | null;
  legs: readonly { from: Place; to: Place }[];
}

/** The lines along the roads. Null where there is no way. */
export function drawLinesTask({ hierarchy, legs, ...shared }: LinesTask): (LineString | null)[] {
  const graph = roadsOf(shared);
  const search = hierarchy === null ? new JourneySearch(graph) : null;
  return legs.map(({ from, to }) => {
    // The search knows ways along one edge as well, which the hierarchy does not.
    const journey = search || from.edge === to.edge ? (search ?? new JourneySearch(graph)).journey(from, to) : byHierarchy(graph, hierarchy!, from, to);
    return journey && journeyLine(graph, { from, to, ...journey });
  });
}

function byHierarchy(graph: VehicleGraph, hierarchy: SharedArrayBuffer, from: Place, to: Place): { firstDirected: number; nodes: number[] } | null {
  const way = fastestWay(graph, hierarchyFromBuffer(hierarchy), { source: from.sources, target: to.targets });
  if (way === null) return null;
  const nodes = [from.sources[way.source].node, ...Array.from(way.arcs, (arc) => graph.head[arc])];
  return { firstDirected: firstDirectedOf(graph, from, way.source), nodes };
}

/** The sources of a place are the arcs of its directions, one direction after the other. */
function firstDirectedOf({ roads, firstArc }: VehicleGraph, { directions }: Place, source: number): number {
  let end = 0;
  for (const { directed } of directions) {
    const { plain } = nodesOf(roads, directed);
    end += firstArc[plain + 1] - firstArc[plain];
    if (source < end) return directed;
  }
  throw new Error('a way begins nowhere');
}

export interface LegsTask {
  hierarchy: SharedArrayBuffer;
  /** Leg i leads from place i of these to place i of those. Legs with the same source should stand together. */
  from: Places;
  to: Places;
  /** Of the leg before: the same source. */
  isSameSource: Uint8Array;
}

/** Milliseconds and centimetres of single legs; Infinity where there is no way over a node. */
export function fillPlaceLegsTask({ hierarchy: buffer, from, to, isSameSource }: LegsTask): { milliseconds: Float64Array; centimetres: Float64Array } {
  const hierarchy = hierarchyFromBuffer(buffer);
  const [forward, backward] = [new UpwardSearch(hierarchy), new UpwardSearch(hierarchy)];
  const found = { milliseconds: new Float64Array(from.count).fill(Infinity), centimetres: new Float64Array(from.count) };
  for (let leg = 0; leg < from.count; leg++) {
    if (isSameSource[leg] === 0) {
      forward.beginAt(from, leg);
      forward.forwards();
    }
    backward.beginAt(to, leg);
    backward.backwards();
    const meeting = meet(forward, backward);
    if (meeting === null) continue;
    found.milliseconds[leg] = meeting.milliseconds;
    found.centimetres[leg] = meeting.centimetres;
  }
  return found;
}
