import { statSync } from 'node:fs';
import { isRoad } from './drivable.ts';
import type { OsmHeader } from './elements.ts';
import { OsmFileError } from './osm-file-error.ts';
import { readOsm } from './read-osm.ts';
import type { ReadOptions } from './read-osm.ts';

export interface OsmInspection {
  bytes: number;
  header: OsmHeader;
  nodes: number;
  ways: number;
  relations: number;
  /** Ways that are roads by their class. */
  roads: number;
}

/**
 * Reads a whole file and says what is in it. Throws OsmFileError where it is not sound or holds no road. A file that was cut off exactly
 * between two blocks passes: only its length or checksum tells.
 */
export function inspectOsm(path: string, options: ReadOptions = {}): OsmInspection {
  const counts = { nodes: 0, ways: 0, relations: 0, roads: 0 };
  const header = readOsm(path, {
    node: () => void counts.nodes++,
    way: (way) => {
      counts.ways++;
      if (isRoad(way)) counts.roads++;
    },
    relation: () => void counts.relations++,
  }, options);
  if (counts.roads === 0) throw new OsmFileError('corrupt', `the file holds no road: ${counts.nodes} nodes, ${counts.ways} ways and none that a vehicle could use`);
  return { bytes: statSync(path).size, header, ...counts };
}
