import type { RoadClass } from '../../osm/drivable.ts';
import type { Tags } from '../../osm/elements.ts';
import type { VehicleKind } from './vehicle.ts';

/**
 * Speeds in km/h. Those without a sign, the caps by surface and the share of a signed limit that is really driven are those of OSRM's car
 * profile (profiles/car.lua, BSD-2), which were fitted to real journeys; those of trucks are about a tenth lower.
 */
const BY_CLASS: Record<RoadClass, [car: number, truck: number]> = {
  motorway: [90, 80], motorway_link: [45, 40], trunk: [85, 75], trunk_link: [40, 36], primary: [65, 58], primary_link: [30, 27],
  secondary: [55, 50], secondary_link: [25, 23], tertiary: [40, 36], tertiary_link: [20, 18],
  unclassified: [25, 22], residential: [25, 22], living_street: [10, 8], road: [25, 22], service: [15, 12], track: [15, 10],
};
const BY_SERVICE: Record<string, [car: number, truck: number]> = { alley: [8, 6], driveway: [8, 6], parking_aisle: [8, 6], 'drive-through': [8, 6] };
const PEDESTRIAN: [car: number, truck: number] = [8, 6];

const SHARE_OF_LIMIT = 0.8;
const FASTEST: Record<VehicleKind, number> = { car: 140, truck: 85 };
const SLOWEST = 3;

const BY_SURFACE: Record<string, number> = {
  cement: 80, compacted: 80, fine_gravel: 80, paving_stones: 60, metal: 60, bricks: 60, grass: 40, wood: 40, sett: 40, grass_paver: 40, gravel: 40, unpaved: 40,
  ground: 40, dirt: 40, pebblestone: 40, tartan: 40, cobblestone: 30, 'cobblestone:flattened': 30, unhewn_cobblestone: 20, clay: 30, earth: 20, stone: 20, rocky: 20, sand: 20, mud: 20,
};
const BY_TRACKTYPE: Record<string, number> = { grade1: 60, grade2: 40, grade3: 30, grade4: 25, grade5: 20 };
const BY_SMOOTHNESS: Record<string, number> = { intermediate: 80, bad: 40, very_bad: 20, horrible: 10, very_horrible: 5 };

/** How fast a road is really driven in one direction. */
export function speedOn(tags: Tags, roadClass: RoadClass | 'pedestrian', kind: VehicleKind, direction: 'forward' | 'backward'): number {
  const column = kind === 'car' ? 0 : 1;
  const limit = limitOn(tags, kind, direction);
  let speed = (roadClass === 'pedestrian' ? PEDESTRIAN : BY_CLASS[roadClass])[column];
  if (limit !== null) speed = limit * SHARE_OF_LIMIT;
  if (roadClass === 'service') speed = Math.min(speed, entry(BY_SERVICE, tags.get('service'))?.[column] ?? Infinity);
  if (roadClass === 'pedestrian') speed = Math.min(speed, PEDESTRIAN[column]);
  const caps = [entry(BY_SURFACE, tags.get('surface')), entry(BY_TRACKTYPE, tags.get('tracktype')), entry(BY_SMOOTHNESS, tags.get('smoothness'))];
  for (const cap of caps) if (cap !== undefined) speed = Math.min(speed, cap);
  return Math.max(SLOWEST, Math.min(FASTEST[kind], speed));
}

function limitOn(tags: Tags, kind: VehicleKind, direction: string): number | null {
  const of = (key: string) => {
    const text = tags.get(key);
    return text === undefined ? null : parseSpeed(text);
  };
  const general = of(`maxspeed:${direction}`) ?? of('maxspeed') ?? of('source:maxspeed') ?? of('maxspeed:type') ?? of('zone:maxspeed');
  if (kind === 'car') return general;
  const forTrucks = of(`maxspeed:hgv:${direction}`) ?? of('maxspeed:hgv');
  return forTrucks === null ? general : Math.min(forTrucks, general ?? Infinity);
}

const UNITS: Record<string, number> = { '': 1, 'km/h': 1, kmh: 1, kph: 1, mph: 1.609344, knots: 1.852 };

/** Limits by kind of road, where a country does not differ. After OSRM's table, with https://wiki.openstreetmap.org/wiki/Speed_limits. */
const ZONES: Record<string, number> = { urban: 50, rural: 90, trunk: 110, motorway: 130, living_street: 10, bicycle_road: 30, pedestrian_zone: 10, school: 20, walk: 5 };
const COUNTRY_ZONES: Record<string, number> = {
  'at:rural': 100, 'at:trunk': 100, 'be-vlg:rural': 70, 'be:motorway': 120, 'bg:motorway': 140, 'by:urban': 60, 'by:motorway': 110, 'ca-on:rural': 80, 'ch:rural': 80, 'ch:trunk': 100, 'ch:motorway': 120,
  'cz:trunk': 110, 'de:rural': 100, 'de:motorway': 140, 'de:living_street': 7, 'dk:rural': 80, 'es:trunk': 100, 'es:motorway': 120, 'fi:rural': 80, 'fi:trunk': 100, 'fi:motorway': 120, 'fr:rural': 80,
  'gb:nsl_restricted': 48, 'gb:nsl_single': 97, 'gb:nsl_dual': 113, 'gb:motorway': 113, 'ie:rural': 80, 'ie:national': 100, 'ie:motorway': 120, 'it:motorway': 130, 'nl:rural': 80, 'nl:trunk': 100, 'nl:motorway': 130,
  'no:rural': 80, 'no:motorway': 110, 'ph:urban': 30, 'ph:rural': 80, 'ph:motorway': 100, 'pl:rural': 90, 'pl:trunk': 100, 'pl:motorway': 140, 'pt:motorway': 120, 'ro:trunk': 100, 'ru:urban': 60, 'ru:living_street': 20, 'ru:motorway': 110,
  'se:rural': 70, 'tr:motorway': 130, 'ua:urban': 50, 'ua:motorway': 130, 'uz:urban': 70, 'uz:motorway': 110, 'za:urban': 60, 'za:rural': 100,
};
const WITHOUT_LIMIT = 140;

/** A signed limit in km/h: "50", "30 mph", "none", "walk", "RU:urban", "DE:zone:30"; of several the least. Null where it is not understood. */
export function parseSpeed(text: string): number | null {
  if (text.length > 100) return null;
  const value = text.trim().toLowerCase();
  if (value.includes(';')) {
    const speeds = value.split(';').map(parseSpeed).filter((speed) => speed !== null);
    return speeds.length > 0 ? Math.min(...speeds) : null;
  }
  const amount = /^(\d+(?:[.,]\d+)?)\s*(km\/h|kmh|kph|mph|knots|)$/.exec(value);
  if (amount) return positive(Number(amount[1].replace(',', '.')) * UNITS[amount[2]]);
  if (value === 'none') return WITHOUT_LIMIT;
  const zone = /^(?:[a-z]{2}(?:-[a-z0-9]+)?:)?zone:?(\d+)$/.exec(value);
  if (zone) return positive(Number(zone[1]));
  const kind = value.slice(value.lastIndexOf(':') + 1);
  return entry(COUNTRY_ZONES, value) ?? entry(ZONES, kind) ?? null;
}

function positive(speed: number): number | null {
  return speed > 0 ? speed : null;
}

function entry<T>(table: Record<string, T>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
