import type { Location } from '../contract/schemas.ts';
import type { EntityManager } from '../db/store.ts';
import { areaOf, type Area, type AreaGeometry } from '../osm/area.ts';
import { UNITS_PER_DEGREE } from '../osm/elements.ts';
import type { Engine } from '../regions/entity.ts';
import type { Reach, TravelRow } from '../roads/reach.ts';
import { UNREACHABLE } from '../roads/travel-matrix.ts';
import { roadMetresMax, type DatasetRoads, type Spot } from './dataset-roads.ts';
import { placesMax } from './known-travel.ts';
import { recentlyUsed, type RecentlyUsed } from './recently-used.ts';
import { mapsFor, type RegionMaps } from './region-maps.ts';
import { remembering } from './remembering.ts';
import type { Line, RoadNetwork, VehicleNetwork } from './road-network.ts';
import { aCar, roadUserOf, sizeKey, type RoadUser } from './road-user.ts';

/** A region that is ready, and what is installed for it. */
interface ReadyRegion {
  id: string;
  name: string;
  version: string;
  engine: Engine;
  area: Area;
  /** Of its bounds, in units of its own: only compared. */
  size: number;
}

/**
 * The ready regions of a business as one network: the smallest that holds all places of the business, or where there is none each place
 * in the largest that holds it, and no way between two of these. Null where no region is ready.
 */
export async function regionNetwork(em: EntityManager, businessId: string): Promise<RoadNetwork | null> {
  const regions = await readyRegions(em, businessId);
  if (regions.length === 0) return null;
  const chosen = regions.length === 1 ? regions : await choose(em, businessId, regions);
  const maps = mapsFor(em);
  const opened = await Promise.all(chosen.map(async (region) => ({ region, roads: await maps.open(region) })));
  const version = `region:${chosen.map((region) => region.version).join('+')}`;
  const networks = networksOf(maps);
  const network = networks.get(version);
  // A dataset that was closed meanwhile has been opened anew: what was found in it before means nothing.
  if (network && network.homes.every(({ roads }, nth) => roads === opened[nth].roads)) return network;
  const made = { homes: opened, version, attribution: '© OpenStreetMap contributors', for: forVehicles(version, opened) };
  networks.set(version, made);
  return made;
}

interface Home {
  region: ReadyRegion;
  roads: DatasetRoads;
}

type Networks = RecentlyUsed<string, RoadNetwork & { homes: Home[] }>;

const networksByMaps = new WeakMap<RegionMaps, Networks>();

function networksOf(maps: RegionMaps): Networks {
  const networks: Networks = networksByMaps.get(maps) ?? recentlyUsed(8);
  networksByMaps.set(maps, networks);
  return networks;
}

let numberings = 0;

/** In one statement: between two, another dataset may take the place of the one that a region was read with. */
async function readyRegions(em: EntityManager, businessId: string): Promise<ReadyRegion[]> {
  const rows = await em.execute<{ id: string; name: string; geometry: AreaGeometry; version: string; engine: Engine; geometry_hash: string }[]>(
    `select r.id, r.name, r.geometry, d.version, d.engine, d.geometry_hash
     from regions r join region_datasets d on d.business_id = r.business_id and d.version = r.dataset_version
     where r.business_id = ? and r.deleted_at is null and d.state = 'ready'`,
    [businessId],
  );
  return rows.map(({ id, name, version, engine, geometry, geometry_hash: hash }): ReadyRegion => {
    const area = knownArea(`${version} ${hash}`, geometry);
    return { id, name, version, engine, area, size: sizeOf(area) };
  }).sort((a, b) => a.size - b.size || (a.id < b.id ? -1 : 1));
}

const areas = recentlyUsed<string, Area>(64);

function knownArea(key: string, geometry: AreaGeometry): Area {
  const known = areas.get(key) ?? areaOf(geometry);
  areas.set(key, known);
  return known;
}

const sizeOf = ({ bounds: { westE7, eastE7, southE7, northE7 } }: Area): number => (eastE7 - westE7) * (northE7 - southE7);

const holds = ({ area }: ReadyRegion, { longitude, latitude }: Location): boolean => area.contains(Math.round(longitude * UNITS_PER_DEGREE), Math.round(latitude * UNITS_PER_DEGREE));

/** By all that the business has to drive to, and not by what one question is about: the same roads for a plan and for its publication. */
async function choose(em: EntityManager, businessId: string, ascending: ReadyRegion[]): Promise<ReadyRegion[]> {
  const rows = await em.execute<{ location: Location }[]>(
    `select location from warehouses where business_id = ? and deleted_at is null
     union all select location from orders where business_id = ? and deleted_at is null and status not in ('completed', 'unable_to_complete')`,
    [businessId, businessId],
  );
  const smallest = ascending.find((region) => rows.every(({ location }) => holds(region, location)));
  return smallest ? [smallest] : ascending.toReversed();
}

interface FoundPlace {
  home: number;
  spot: Spot;
}

/** Null where no road is near; a text where one is, and closed to the vehicle. */
function placeOf({ home, spot, carSpot }: { home: number; spot: Spot | null; carSpot: Spot | null }): FoundPlace | string | null {
  if (carSpot !== null && (spot === null || spot.metres > carSpot.metres + walkMetresMax)) return tooFarToWalk;
  return spot && { home, spot };
}

/** Kinds of vehicles whose places are remembered. */
const kindsMax = 100;

function forVehicles(version: string, homes: readonly Home[]): RoadNetwork['for'] {
  const keys = recentlyUsed<string, string>(1_000);
  const networks = recentlyUsed<string, VehicleNetwork>(kindsMax);
  return (vehicle) => {
    const user = roadUserOf(vehicle);
    const key = keys.get(sizeKey(user)) ?? homes.map(({ roads }) => roads.keyOf(user)).join('+');
    keys.set(sizeKey(user), key);
    const network = networks.get(key) ?? networkOver(version, homes, user);
    networks.set(key, network);
    return network;
  };
}

/** As far as a vehicle may stop from where a car would: what is closed to it, nobody carries the rest of the way. */
const walkMetresMax = 100;

const tooFarToWalk = `the roads within ${walkMetresMax} m of it are closed to vehicles of such a height or weight`;

function networkOver(version: string, homes: readonly Home[], user: RoadUser): VehicleNetwork {
  const own = homes.map(({ roads }) => roads.for(user));
  const cars = homes.map(({ roads }) => (roads.keyOf(user) === roads.keyOf(roadUserOf(aCar)) ? null : roads.for(roadUserOf(aCar))));
  const numbers = new Map<string, number>();
  /** By number; a text where no road leads to the place says why. */
  const places: (FoundPlace | string)[] = [];
  let finding: Promise<void> = Promise.resolve();
  const keyOf = ({ longitude, latitude }: Location) => `${Math.round(longitude * UNITS_PER_DEGREE)} ${Math.round(latitude * UNITS_PER_DEGREE)}`;
  const placeAt = (location: Location): number => {
    const number = numbers.get(keyOf(location));
    if (number === undefined) throw new Error('a point has not been looked for on the roads');
    return number;
  };

  async function findNew(locations: Map<string, Location>): Promise<void> {
    const unknown = [...locations].filter(([key]) => !numbers.has(key));
    if (places.length + unknown.length > placesMax) throw new Error('too many places');
    const found = new Map<string, FoundPlace | string>(unknown.map(([key]) => [key, 'it lies outside of every region that is installed']));
    await Promise.all(homes.map(async ({ region }, home) => {
      const within = unknown.filter(([, location]) => homes.findIndex((each) => holds(each.region, location)) === home);
      if (within.length === 0) return;
      const points = within.map(([, location]) => location);
      const [spots, carSpots] = await Promise.all([own[home].locate(points), cars[home]?.locate(points)]);
      within.forEach(([key], nth) => found.set(key, placeOf({ home, spot: spots[nth], carSpot: carSpots?.[nth] ?? null }) ?? `no road of the region ${region.name} is within ${roadMetresMax} m of it`));
    }));
    for (const [key, place] of found) {
      numbers.set(key, places.length);
      places.push(place);
    }
  }

  /** The places of each home among some, by their index there. */
  const byHome = (numbersOf: readonly number[]): Map<number, number[]> => {
    const indices = new Map<number, number[]>();
    numbersOf.forEach((number, index) => {
      const place = places[number];
      if (typeof place === 'string') return;
      if (!indices.has(place.home)) indices.set(place.home, []);
      indices.get(place.home)!.push(index);
    });
    return indices;
  };
  const spotOf = (number: number): Spot => (places[number] as FoundPlace).spot;

  const table = async (from: readonly number[], to: readonly number[], cancel?: Int32Array): Promise<TravelRow | null> => {
    const shared = () => new Int32Array(new SharedArrayBuffer(4 * from.length * to.length)).fill(UNREACHABLE);
    const row: TravelRow = { seconds: shared(), metres: shared() };
    const [rows, columns] = [byHome(from), from === to ? null : byHome(to)];
    for (const [home, sources] of rows) {
      const targets = columns === null ? sources : (columns.get(home) ?? []);
      if (targets.length === 0) continue;
      const sourceSpots = sources.map((index) => spotOf(from[index]));
      const part = await own[home].rectangle(sourceSpots, columns === null ? sourceSpots : targets.map((index) => spotOf(to[index])), cancel);
      if (part === null) return null;
      sources.forEach((source, nth) => targets.forEach((target, at) => {
        row.seconds[source * to.length + target] = part.seconds[nth * targets.length + at];
        row.metres[source * to.length + target] = part.metres[nth * targets.length + at];
      }));
    }
    // Whoever is there need not drive, road or no road.
    from.forEach((source, nth) => {
      const at = from === to ? nth : to.indexOf(source);
      if (at !== -1) row.seconds[nth * to.length + at] = row.metres[nth * to.length + at] = 0;
    });
    return row;
  };

  /** For matrices only: reaches and single legs are remembered by themselves. */
  const remembered = remembering(table);
  const reaches = recentlyUsed<number, GrowingReach>(2_000);

  return {
    numbering: `${version}#${++numberings}`,
    find(locations) {
      const wanted = new Map([...locations].map((location) => [keyOf(location), location]));
      if (wanted.keys().every((key) => numbers.has(key))) return Promise.resolve();
      const found = finding.then(() => findNew(wanted));
      finding = found.catch(() => {});
      return found;
    },
    placeAt,
    whyNowhere(location) {
      const place = places[placeAt(location)];
      return typeof place === 'string' ? place : null;
    },
    async matrix(numbersOf, cancel) {
      const row = await remembered(numbersOf, numbersOf, cancel);
      return row && { size: numbersOf.length, ...row };
    },
    async reach(place, others) {
      const known = reaches.get(place) ?? new GrowingReach();
      reaches.set(place, known);
      const missing = [...new Set(others)].filter((other) => !known.knows(other));
      if (missing.length > 0) {
        const [there, back] = [await table([place], missing), await table(missing, [place])];
        known.learn(missing, there!, back!);
      }
      return known;
    },
    async legs(pairs) {
      const row: TravelRow = { seconds: new Int32Array(pairs.length).fill(UNREACHABLE), metres: new Int32Array(pairs.length).fill(UNREACHABLE) };
      await Promise.all([...groupedByHome(pairs, places)].map(async ([home, indices]) => {
        const { seconds, metres } = await own[home].legs(indices.map((index) => [spotOf(pairs[index][0]), spotOf(pairs[index][1])] as const));
        indices.forEach((index, nth) => {
          row.seconds[index] = seconds[nth];
          row.metres[index] = metres[nth];
        });
      }));
      pairs.forEach(([from, to], index) => { if (from === to) row.seconds[index] = row.metres[index] = 0; });
      return row;
    },
    async lines(pairs) {
      const lines: (Line | null)[] = pairs.map(() => null);
      await Promise.all([...groupedByHome(pairs, places)].map(async ([home, indices]) => {
        const drawn = await own[home].lines(indices.map((index) => [spotOf(pairs[index][0]), spotOf(pairs[index][1])] as const));
        indices.forEach((index, nth) => { lines[index] = drawn[nth]; });
      }));
      return lines;
    },
  };
}

/** Pairs whose ends lie in one home, by that. */
function groupedByHome(pairs: readonly (readonly [number, number])[], places: readonly (FoundPlace | string)[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  pairs.forEach(([from, to], index) => {
    const [a, b] = [places[from], places[to]];
    if (typeof a === 'string' || typeof b === 'string' || a.home !== b.home) return;
    if (!groups.has(a.home)) groups.set(a.home, []);
    groups.get(a.home)!.push(index);
  });
  return groups;
}

/** Travel from one place to others and back, as far as it was asked for. */
class GrowingReach implements Reach {
  there: TravelRow = { seconds: new Int32Array(0), metres: new Int32Array(0) };
  back: TravelRow = { seconds: new Int32Array(0), metres: new Int32Array(0) };

  knows(place: number): boolean {
    return place < this.there.seconds.length && this.there.seconds[place] !== unknown;
  }

  learn(places: readonly number[], there: TravelRow, back: TravelRow): void {
    const length = Math.max(this.there.seconds.length, ...places.map((place) => 2 * place + 1));
    for (const [own, learned] of [[this.there, there], [this.back, back]] as const) {
      for (const key of ['seconds', 'metres'] as const) {
        if (own[key].length < length) {
          const longer = new Int32Array(length).fill(unknown);
          longer.set(own[key]);
          own[key] = longer;
        }
        places.forEach((place, nth) => { own[key][place] = learned[key][nth]; });
      }
    }
  }
}

const unknown = -1;
