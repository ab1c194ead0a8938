import type { Location } from '../../contract/schemas.ts';
import type { RoadUser } from '../../networks/road-user.ts';
import type { DatasetFacts } from '../entity.ts';

export interface BuildOptions {
  /** More than that ends the build. */
  memoryLimitBytes: number;
  /** Who will drive on these roads; what can be prepared for them is. */
  users: readonly RoadUser[];
  onProgress: (fraction: number, message: string) => void;
}

/** Points that a vehicle drives to one after the other. */
export interface Chain {
  user: RoadUser;
  points: readonly Location[];
}

export interface Leg {
  seconds: number;
  metres: number;
}

/** What the installation of a region asks of a routing engine. It is called in a process of its own, which may be killed at any time. */
export interface EngineBuilder {
  /** Changes with the form of what is built: what has another one is built again. */
  format(): string;
  /** What building from a clip of so many bytes is expected to take at most. */
  needs(clipBytes: number): { memoryBytes: number; diskBytes: number };
  /** Builds into a directory that does not exist yet. Throws InstallFailure where the map or the machine is the reason. */
  build(pbf: string, directory: string, options: BuildOptions): Promise<Omit<DatasetFacts, 'format'>>;
  /** Opens what was built. */
  open(directory: string): Promise<OpenDataset>;
}

export interface OpenDataset {
  /** Travel from each point to the next; null where there is no way that the vehicle may use, or no road near one of the two. */
  legs(chain: Chain): Promise<(Leg | null)[]>;
  close(): Promise<void>;
}
