import { statSync } from 'node:fs';
import type { Location } from '../../contract/schemas.ts';
import { areaOf, type Area } from '../../osm/area.ts';
import { clipOsm } from '../../osm/clip-osm.ts';
import { roadClassOf } from '../../osm/drivable.ts';
import { UNITS_PER_DEGREE } from '../../osm/elements.ts';
import { inspectOsm } from '../../osm/inspect-osm.ts';
import { OsmFileError } from '../../osm/osm-file-error.ts';
import { readOsm } from '../../osm/read-osm.ts';
import { asDiskFull, unusableMap } from '../install-failure.ts';
import type { RegionGeometry } from '../polygon.ts';
import type { Clip } from './tasks.ts';

interface Telling {
  onProgress: (fraction: number, message: string) => void;
}

/** The part of a map in an area, and what is in it. Holds its process up: it does not wait for anything. */
export function clipMap({ source, target, geometry }: { source: string; target: string; geometry: RegionGeometry }, { onProgress }: Telling): Clip {
  const told = (from: number, to: number, message: string) => (fraction: number) => onProgress(from + (to - from) * fraction, message);
  const area = geometry as Parameters<typeof areaOf>[0];
  try {
    const { nodesInside } = clipOsm(source, target, area, { onProgress: told(0, 0.8, 'clipping the map to the area') });
    if (nodesInside === 0) throw unusableMap('The map and the region do not meet: nothing on the map lies within the polygon. Check the polygon, and which map the region is installed from.');
    const { header, nodes, roads } = inspectOsm(target, { onProgress: told(0.8, 0.9, 'looking at what is in the area') });
    const probes = probesIn(target, areaOf(area), told(0.9, 1, 'looking at what is in the area'));
    return { bytes: statSync(target).size, nodes, roads, mapDate: dateOf(header.replicationTimestamp), probes };
  } catch (error) {
    throw asFailure(error, target);
  }
}

function asFailure(error: unknown, target: string): unknown {
  if (!(error instanceof OsmFileError)) return asDiskFull(error, target);
  // The clip is ours, so that what is wrong with it is what is not in the area.
  if (error.message.includes('holds no road')) return unusableMap('There are no roads within the polygon of the region. Check the polygon, and which map the region is installed from.', error);
  return unusableMap(`The map can not be used: ${error.message}.`, error);
}

const dateOf = (seconds: number | null): string | null => (seconds === null ? null : new Date(seconds * 1_000).toISOString().slice(0, 10));

const probesMax = 60;
/** Dead ends behind gates are no sign of anything. */
const ordinary = new Set(['motorway', 'trunk', 'primary', 'secondary', 'tertiary', 'unclassified', 'residential', 'living_street']);

/** A node in the middle of every n-th road, so many that they cover the whole area; the same ones for the same map. */
function probesIn(path: string, area: Area, onProgress: (fraction: number) => void): Location[] {
  let ids: number[] = [];
  let step = 1;
  let count = 0;
  readOsm(path, {
    way: ({ refs, tags }) => {
      if (!ordinary.has(roadClassOf(tags) ?? '') || (tags.get('access') ?? 'yes') !== 'yes' || refs.length < 2) return;
      if (count++ % step !== 0) return;
      ids.push(refs[refs.length >> 1]);
      if (ids.length <= 8 * probesMax) return;
      ids = ids.filter((_id, index) => index % 2 === 0);
      step *= 2;
    },
  }, { onProgress: (fraction) => onProgress(fraction / 2) });
  const places = new Map<number, Location>(ids.map((id) => [id, { latitude: NaN, longitude: NaN }]));
  readOsm(path, {
    node: ({ id, longitudeE7, latitudeE7 }) => {
      const place = places.get(id);
      if (place && area.contains(longitudeE7, latitudeE7)) Object.assign(place, { latitude: latitudeE7 / UNITS_PER_DEGREE, longitude: longitudeE7 / UNITS_PER_DEGREE });
    },
  }, { onProgress: (fraction) => onProgress(0.5 + fraction / 2) });
  const inside = [...places.values()].filter(({ latitude }) => !Number.isNaN(latitude));
  const every = Math.max(1, Math.ceil(inside.length / probesMax));
  return inside.filter((_place, index) => index % every === 0);
}
