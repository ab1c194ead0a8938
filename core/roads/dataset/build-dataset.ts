import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '../hierarchy/contract.ts';
import { buildRoadMap, type RoadMapOptions } from '../map/build-road-map.ts';
import { openRoadMap } from '../map/road-map.ts';
import { vehicleGraph } from '../map/vehicle-graph.ts';
import { VEHICLE_KINDS, type VehicleKind } from '../map/vehicle.ts';
import { writeHierarchy } from './hierarchy-file.ts';

/** Changes with the form of any of the files. */
export const DATASET_FORMAT = 'roads 1';

/**
 * What lies in the directory of a dataset: the road map, and for each kind of vehicle without limits the hierarchy of its roads. Vehicles that
 * limits keep from some roads have theirs made when they are first asked for.
 */
export const filesIn = (directory: string) => ({ map: join(directory, 'roads.map'), hierarchy: (kind: VehicleKind) => join(directory, `${kind}.hierarchy`) });

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
export function buildDataset(pbf: string, directory: string, onProgress: (fraction: number, message: string) => void = () => {}, options: RoadMapOptions = {}): DatasetSummary {
  const files = filesIn(directory);
  mkdirSync(directory, { recursive: true });
  let before = 0;
  const { graphs } = buildRoadMap(pbf, files.map, options, (phase, fraction) => {
    onProgress(before + shares[phase] * fraction, phaseNames[phase]);
    if (fraction === 1) before += shares[phase];
  });
  const map = openRoadMap(files.map);
  const kinds = VEHICLE_KINDS.filter((kind) => map.graphs[kind] !== null);
  for (const [nth, kind] of kinds.entries()) {
    onProgress(mapShare + (1 - mapShare) * nth / kinds.length, `sorting the roads for ${kind}s by importance`);
    writeHierarchy(contract(vehicleGraph(map, { kind }))!, files.hierarchy(kind));
  }
  onProgress(1, 'done');
  const bytes = [files.map, ...kinds.map(files.hierarchy)].reduce((sum, file) => sum + statSync(file).size, 0);
  const { nodes, arcs } = graphs.car ?? graphs.truck!;
  return { nodes, edges: arcs, bytes };
}

const phaseNames = { reading: 'reading the map', cutting: 'cutting roads at junctions', car: 'turns of cars', truck: 'turns of trucks', writing: 'writing the roads' } as const;
