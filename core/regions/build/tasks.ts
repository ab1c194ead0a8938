import type { Location } from '../../contract/schemas.ts';
import type { RoadUser } from '../../networks/road-user.ts';
import type { DatasetFacts, Engine } from '../entity.ts';
import type { InstallFailure } from '../install-failure.ts';
import type { RegionGeometry } from '../polygon.ts';
import type { Chain, Leg } from './engine-builder.ts';

/** What a process of its own does for the installation of a region, and what comes of it. */
export interface MapTasks {
  /** Reads a whole map, and writes the part of it that lies in the area. */
  clip: { task: { source: string; target: string; geometry: RegionGeometry }; result: Clip };
  /** Builds the roads for an engine. */
  build: { task: { engine: Engine; pbf: string; directory: string; memoryLimitBytes: number; users: RoadUser[] }; result: Omit<DatasetFacts, 'format'> };
  /** Travels along chains on what was built. */
  travel: { task: { engine: Engine; directory: string; chains: Chain[] }; result: (Leg | null)[][] };
}

export type MapTask = keyof MapTasks;
export type ToChild = { [Task in MapTask]: { kind: Task } & MapTasks[Task]['task'] }[MapTask];

export interface Clip {
  bytes: number;
  nodes: number;
  /** Ways that are roads. */
  roads: number;
  /** Up to when edits are in the map, where it says so: a date. */
  mapDate: string | null;
  /** Places on roads of the area, from all over it. */
  probes: Location[];
}

export type FromChild =
  | { kind: 'progress'; fraction: number; message: string }
  | { kind: 'done'; result: unknown }
  | { kind: 'refused'; code: InstallFailure['code']; message: string }
  | { kind: 'broken'; message: string; stack: string };
