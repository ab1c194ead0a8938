import type { Location } from '../contract/schemas.ts';
import type { Reach, TravelRow } from '../roads/reach.ts';
import type { TravelMatrix } from '../roads/travel-matrix.ts';
import type { Sized } from './road-user.ts';

/** Along the roads, in degrees. */
export type Line = readonly (readonly [longitude: number, latitude: number])[];

/** What a business routes on. */
export interface RoadNetwork {
  /** Changes with every change of the roads: what a travel time depends on besides its places and its vehicle. */
  version: string;
  /** Who must be named where the roads are shown; null where they are nobody's. */
  attribution: string | null;
  /** The roads as a vehicle may use them. Vehicles that the roads treat alike get the same ones. */
  for(vehicle: Sized): VehicleNetwork;
}

/** The roads of a business, for vehicles that may use the same of them at the same speeds. */
export interface VehicleNetwork {
  /** What the numbers of places mean: they are those of another network only where this is the same. Another one when the roads are opened anew. */
  numbering: string;
  /** Finds points on the roads. `placeAt` knows what has been found once, and nothing else. */
  find(locations: Iterable<Location>): Promise<void>;
  /** The number of the place that stands for a point: a small integer, the same one as long as `numbering` is. */
  placeAt(location: Location): number;
  /** Why no road leads to a point that has been found; null where the roads reach it. */
  whyNowhere(location: Location): string | null;
  /** Travel between places; null when cancelled. */
  matrix(places: number[], cancel?: Int32Array): Promise<TravelMatrix | null>;
  /** Travel from a place to others and back, by the numbers of the places. What was not asked for says nothing. */
  reach(place: number, others: readonly number[]): Promise<Reach>;
  /** Travel of single legs, in their order. */
  legs(pairs: readonly (readonly [from: number, to: number])[]): Promise<TravelRow>;
  /** The lines of single legs; null where there is no way. */
  lines(pairs: readonly (readonly [from: number, to: number])[]): Promise<(Line | null)[]>;
}
