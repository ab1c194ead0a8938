import { OsmFileError } from '../../osm/osm-file-error.ts';
import { buildDataset, DATASET_FORMAT } from '../../roads/dataset/build-dataset.ts';
import { openDataset } from '../../roads/dataset/open-dataset.ts';
import { RoadMapError } from '../../roads/map/road-map.ts';
import { destroyRoadThreads } from '../../roads/road-threads.ts';
import { UNREACHABLE } from '../../roads/travel-matrix.ts';
import { asDiskFull, unavailableMap, unusableMap } from '../install-failure.ts';
import type { EngineBuilder } from './engine-builder.ts';

const mebibyte = 1024 * 1024;
/** As far as a stop may be from its road. */
const metresMax = 1_000;

/** The built-in engine: `engine_b`. */
export const builtInBuilder: EngineBuilder = {
  format: () => DATASET_FORMAT,
  needs: (clipBytes) => ({ memoryBytes: 128 * mebibyte + 80 * clipBytes, diskBytes: 8 * mebibyte + 48 * clipBytes }),
  async build(pbf, directory, { users, onProgress }) {
    try {
      return buildDataset(pbf, directory, onProgress, { vehicles: users });
    } catch (error) {
      if (error instanceof OsmFileError) throw unusableMap(error.message.includes('no road') ? 'There are no roads within the polygon of the region. Check the polygon, and which map the region is installed from.' : `The map can not be used: ${error.message}.`, error);
      throw asDiskFull(error, directory);
    }
  },
  async open(directory) {
    try {
      const dataset = await openDataset(directory);
      // What is damaged shall show now.
      await dataset.for({ kind: 'car' });
      return {
        async legs({ user, points }) {
          const roads = await dataset.for(user);
          const places = await roads.find(points.map(({ longitude, latitude }) => [longitude, latitude] as const), metresMax);
          const { seconds, metres } = await roads.legs(places.slice(1).map((to, index) => [places[index], to] as const));
          return places.slice(1).map((_to, leg) => (seconds[leg] < UNREACHABLE ? { seconds: seconds[leg], metres: metres[leg] } : null));
        },
        close: () => destroyRoadThreads(),
      };
    } catch (error) {
      throw error instanceof RoadMapError ? unavailableMap(`The roads can not be opened: ${error.message}.`, error) : error;
    }
  },
};
