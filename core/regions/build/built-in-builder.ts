import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OsmFileError } from '../../osm/osm-file-error.ts';
import { buildRoadMap } from '../../roads/map/build-road-map.ts';
import { JourneySearch } from '../../roads/map/journey-search.ts';
import { findPlace } from '../../roads/map/places.ts';
import { openRoadMap, RoadMapError } from '../../roads/map/road-map.ts';
import { vehicleGraph } from '../../roads/map/vehicle-graph.ts';
import { asDiskFull, unavailableMap, unusableMap } from '../install-failure.ts';
import type { EngineBuilder } from './engine-builder.ts';

const mebibyte = 1024 * 1024;
/** As far as a stop may be from its road. */
const metresMax = 1_000;

/** The file of the built-in engine in the directory of a dataset. */
export const roadMapFile = (directory: string): string => join(directory, 'roads.map');

/** The built-in engine: `engine_b`. */
export const builtInBuilder: EngineBuilder = {
  format: () => 'roads 1',
  needs: (clipBytes) => ({ memoryBytes: 128 * mebibyte + 80 * clipBytes, diskBytes: 8 * mebibyte + 8 * clipBytes }),
  async build(pbf, directory, { onProgress }) {
    mkdirSync(directory);
    try {
      const steps = ['reading', 'cutting', 'car', 'truck', 'writing'];
      const { bytes, edges, graphs } = buildRoadMap(pbf, roadMapFile(directory), {}, (phase, fraction) => onProgress((steps.indexOf(phase) + fraction) / steps.length, `building the roads: ${phase}`));
      return { nodes: graphs.car?.nodes ?? 0, edges, bytes };
    } catch (error) {
      if (error instanceof OsmFileError) throw unusableMap(error.message.includes('no road') ? 'There are no roads within the polygon of the region. Check the polygon, and which map the region is installed from.' : `The map can not be used: ${error.message}.`, error);
      throw asDiskFull(error, directory);
    }
  },
  async open(directory) {
    try {
      const graph = vehicleGraph(openRoadMap(roadMapFile(directory)), { kind: 'car' });
      const search = new JourneySearch(graph);
      return {
        async legs(points) {
          const places = points.map(({ longitude, latitude }) => findPlace(graph, longitude, latitude, { metresMax }));
          return places.slice(1).map((to, index) => {
            const from = places[index];
            const journey = from && to && search.journey(from, to);
            return journey ? { seconds: Math.ceil(journey.milliseconds / 1_000), metres: Math.round(journey.centimetres / 100) } : null;
          });
        },
        close: async () => {},
      };
    } catch (error) {
      throw error instanceof RoadMapError ? unavailableMap(`The roads can not be opened: ${error.message}.`, error) : error;
    }
  },
};
