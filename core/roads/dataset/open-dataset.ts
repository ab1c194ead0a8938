import { existsSync } from 'node:fs';
import { contractInThread, runRoadTask, travelRectangleInThread, type ThreadOptions } from '../road-threads.ts';
import { hierarchyFromBuffer, type Hierarchy } from '../hierarchy/hierarchy.ts';
import type { TravelRectangle } from '../hierarchy/many-to-many.ts';
import { placesOf } from '../hierarchy/places.ts';
import type { LineString } from '../map/journey-line.ts';
import { directWays, travelAlongEdge, type Place } from '../map/places.ts';
import { RoadMapError, roadMapFromBuffer, type RoadMap } from '../map/road-map.ts';
import { vehicleGraphFromBuffer, vehicleKey, type VehicleGraph } from '../map/vehicle-graph.ts';
import type { Vehicle } from '../map/vehicle.ts';
import { UNREACHABLE, wholeMetres, wholeSeconds } from '../travel-matrix.ts';
import type { TravelRow } from '../reach.ts';
import { filesIn } from './build-dataset.ts';
import type { FileRead } from './dataset-thread.ts';

export type { LineString, Place, Vehicle };

/** The roads of a region as one vehicle may use them. Places of one vehicle mean nothing for another. */
export interface VehicleRoads {
  /** Of memory that all threads share: its graph and its hierarchy. The map, which all vehicles share, comes on top once. */
  bytes: number;
  /** Null for a point that is farther than `metresMax` from any road. */
  find(points: readonly (readonly [longitude: number, latitude: number])[], metresMax: number): Promise<(Place | null)[]>;
  /** Travel from all to all; null when cancelled. A place that is null is reached by nobody. */
  rectangle(sources: readonly (Place | null)[], targets: readonly (Place | null)[], options?: ThreadOptions): Promise<TravelRectangle | null>;
  /** Travel of single legs, in their order. */
  legs(pairs: readonly (readonly [from: Place | null, to: Place | null])[]): Promise<TravelRow>;
  /** The lines of legs along the roads; null where there is no way. */
  lines(pairs: readonly (readonly [from: Place | null, to: Place | null])[]): Promise<(LineString | null)[]>;
}

export interface RoadDataset {
  map: RoadMap;
  /** Vehicles with the same key use the same roads. */
  keyOf(vehicle: Vehicle): string;
  for(vehicle: Vehicle): Promise<VehicleRoads>;
}

/** Opens the dataset in a directory. Throws RoadMapError for files that are damaged or of another version. */
export async function openDataset(directory: string): Promise<RoadDataset> {
  const files = filesIn(directory);
  const map = roadMapFromBuffer(await readInThread('readMapTask', files.map));
  const open = new Map<string, Promise<VehicleRoads>>();
  const openFor = async (vehicle: Vehicle, key: string): Promise<VehicleRoads> => {
    const graph = vehicleGraphFromBuffer(await runRoadTask(threadFile, 'makeGraphTask', { map: map.buffer, vehicle }), map, vehicle.kind);
    const stored = existsSync(files.hierarchy(key)) ? hierarchyFromBuffer(await readInThread('readHierarchyTask', files.hierarchy(key))) : null;
    const hierarchy = stored ?? (await contractInThread(graph));
    if (hierarchy === null) throw new Error('contracting was cancelled');
    return roadsFor(map, graph, hierarchy);
  };
  return {
    map,
    keyOf: (vehicle) => vehicleKey(map, vehicle),
    for(vehicle) {
      const key = vehicleKey(map, vehicle);
      const roads = open.get(key) ?? openFor(vehicle, key);
      // The latest used last.
      open.delete(key);
      open.set(key, roads);
      roads.catch(() => { if (open.get(key) === roads) open.delete(key); });
      for (const oldest of open.keys()) if (open.size > KEYS_MAX) open.delete(oldest);
      return roads;
    },
  };
}

/** A file of tens of megabytes and its checksum would hold the event loop. */
async function readInThread(task: 'readMapTask' | 'readHierarchyTask', path: string): Promise<SharedArrayBuffer> {
  const { buffer, damage } = await runRoadTask<FileRead>(threadFile, task, { path });
  if (damage !== undefined) throw new RoadMapError(damage);
  return buffer;
}

/** Of so many kinds of vehicles graph and hierarchy are kept; whoever has another one goes on with it. */
const KEYS_MAX = 16;

const threadFile = new URL('./dataset-thread.ts', import.meta.url).href;
/** Each task is short enough that nobody waits long behind it. */
const POINTS_PER_TASK = 200;
const LEGS_PER_TASK = 1_000;

function roadsFor(map: RoadMap, graph: VehicleGraph, hierarchy: Hierarchy): VehicleRoads {
  const shared = { map: map.buffer, graph: graph.buffer, kind: graph.kind };
  const sourcesOf = (places: readonly (Place | null)[]) => placesOf(places.map((place) => place?.sources ?? []));
  const targetsOf = (places: readonly (Place | null)[]) => placesOf(places.map((place) => place?.targets ?? []));
  return {
    bytes: graph.buffer.byteLength + hierarchy.byteLength,
    async find(points, metresMax) {
      const parts = await Promise.all(slices(points, POINTS_PER_TASK).map((part) => runRoadTask<(Place | null)[]>(threadFile, 'findPlacesTask', { ...shared, points: part, metresMax })));
      return parts.flat();
    },
    rectangle: (sources, targets, options) => travelRectangleInThread(hierarchy, { sources: sourcesOf(sources), targets: targetsOf(targets), direct: directBetween(sources, targets) }, options),
    async legs(pairs) {
      const row: TravelRow = { seconds: new Int32Array(pairs.length), metres: new Int32Array(pairs.length) };
      const order = [...pairs.keys()].sort((a, b) => nodeOf(pairs[a][0]) - nodeOf(pairs[b][0]));
      await Promise.all(slices(order, LEGS_PER_TASK).map(async (part) => {
        const isSameSource = Uint8Array.from(part, (pair, nth) => (nth > 0 && pairs[part[nth - 1]][0] === pairs[pair][0] ? 1 : 0));
        const found = await runRoadTask<{ milliseconds: Float64Array; centimetres: Float64Array }>(threadFile, 'fillPlaceLegsTask', {
          hierarchy: hierarchy.buffer, from: sourcesOf(part.map((pair) => pairs[pair][0])), to: targetsOf(part.map((pair) => pairs[pair][1])), isSameSource,
        });
        part.forEach((pair, nth) => {
          const [from, to] = pairs[pair];
          const along = from && to && travelAlongEdge(from, to);
          let [milliseconds, centimetres] = [found.milliseconds[nth], found.centimetres[nth]];
          if (along && (along.milliseconds < milliseconds || (along.milliseconds === milliseconds && along.centimetres < centimetres))) [milliseconds, centimetres] = [along.milliseconds, along.centimetres];
          row.seconds[pair] = milliseconds === Infinity ? UNREACHABLE : wholeSeconds(milliseconds);
          row.metres[pair] = wholeMetres(row.seconds[pair], centimetres);
        });
      }));
      return row;
    },
    async lines(pairs) {
      const known = pairs.flatMap(([from, to], index) => (from && to ? [{ index, leg: { from, to } }] : []));
      const lines: (LineString | null)[] = pairs.map(() => null);
      await Promise.all(slices(known, LEGS_PER_TASK / 10).map(async (part) => {
        const drawn = await runRoadTask<(LineString | null)[]>(threadFile, 'drawLinesTask', { ...shared, hierarchy: hierarchy.buffer, legs: part.map(({ leg }) => leg) });
        part.forEach(({ index }, nth) => { lines[index] = drawn[nth]; });
      }));
      return lines;
    },
  };
}

/** `directWays` among places of which some are not there. */
function directBetween(sources: readonly (Place | null)[], targets: readonly (Place | null)[]) {
  const [froms, tos] = [sources, targets].map((places) => places.flatMap((place, index) => (place ? [{ place, index }] : [])));
  return directWays(froms.map(({ place }) => place), tos.map(({ place }) => place)).map((way) => ({ ...way, source: froms[way.source].index, target: tos[way.target].index }));
}

const nodeOf = (place: Place | null): number => place?.sources[0]?.node ?? -1;

const slices = <T>(all: readonly T[], size: number): T[][] => Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => all.slice(nth * size, (nth + 1) * size));
