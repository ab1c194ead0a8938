import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '../hierarchy/contract.ts';
import { buildRoadMap, type RoadMapOptions } from '../map/build-road-map.ts';
import { openRoadMap, type RoadMap } from '../map/road-map.ts';
import { vehicleGraph, vehicleKey } from '../map/vehicle-graph.ts';
import { VEHICLE_KINDS, type Vehicle } from '../map/vehicle.ts';
import { writeHierarchy } from './hierarchy-file.ts';

/** Changes with the form of any of the files. */
export const DATASET_FORMAT = 'roads 1';

/**
 * What lies in the directory of a dataset: the road map, and for each kind of vehicle, and for some that limits keep from some roads, the hierarchy
 * of its roads, by `vehicleKey`. Others have theirs made when they are first asked for.
 */
export const filesIn = (directory: string) => ({ map: join(directory, 'roads.map'), hierarchy: (key: string) => join(directory, `${fileNameOf(key)}.hierarchy`) });

/** A key may be longer than a name can be. */
const fileNameOf = (key: string): string => (key.includes('-') ? `${key.split('-')[0]}-${createHash('sha256').update(key).digest('hex').slice(0, 16)}` : key);

export interface DatasetOptions extends RoadMapOptions {
  /** Who will drive here. The roads of the most frequent that limits apply to are made ready too. */
  vehicles?: readonly Vehicle[];
}

/** Each takes as long as that of a kind. */
const LIMITED_MAX = 4;

export interface DatasetSummary {
  /** Of the graph for cars: edges by direction, and turns between them. */
  nodes: number;
  edges: number;
  bytes: number;
}

/** How much of the time each phase takes, roughly, as measured on the extracts of a few megabytes. */
const shares = { reading: 0.12, cutting: 0.03, car: 0.1, truck: 0.1, writing: 0.05 } as const;
const mapShare = Object.values(shares).reduce((sum, share) => sum + share, 0);

/** Builds a dataset from an .osm.pbf file into a directory that does not exist yet. Computes without pause: call it in a process of its own. Throws OsmFileError. */
export function buildDataset(pbf: string, directory: string, onProgress: (fraction: number, message: string) => void = () => {}, { vehicles = [], ...options }: DatasetOptions = {}): DatasetSummary {
  const files = filesIn(directory);
  mkdirSync(directory, { recursive: true });
  let before = 0;
  const { graphs } = buildRoadMap(pbf, files.map, options, (phase, fraction) => {
    onProgress(before + shares[phase] * fraction, phaseNames[phase]);
    if (fraction === 1) before += shares[phase];
  });
  const map = openRoadMap(files.map);
  const ready = [...VEHICLE_KINDS.map((kind) => ({ kind })), ...limitedVehicles(map, vehicles)].filter(({ kind }) => map.graphs[kind] !== null);
  for (const [nth, vehicle] of ready.entries()) {
    onProgress(mapShare + (1 - mapShare) * nth / ready.length, `sorting the roads for ${vehicle.kind}s by importance`);
    writeHierarchy(contract(vehicleGraph(map, vehicle))!, files.hierarchy(vehicleKey(map, vehicle)));
  }
  onProgress(1, 'done');
  const bytes = [files.map, ...ready.map((vehicle) => files.hierarchy(vehicleKey(map, vehicle)))].reduce((sum, file) => sum + statSync(file).size, 0);
  const { nodes, arcs } = graphs.car ?? graphs.truck!;
  return { nodes, edges: arcs, bytes };
}

const phaseNames = { reading: 'reading the map', cutting: 'cutting roads at junctions', car: 'turns of cars', truck: 'turns of trucks', writing: 'writing the roads' } as const;

/** One of each sort to which limits apply, those with the most vehicles first. */
function limitedVehicles(map: RoadMap, vehicles: readonly Vehicle[]): Vehicle[] {
  const sorts = [...Map.groupBy(vehicles, (vehicle) => vehicleKey(map, vehicle))].filter(([key, [{ kind }]]) => key !== kind);
  return sorts.sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1)).slice(0, LIMITED_MAX).map(([, [vehicle]]) => vehicle);
}
