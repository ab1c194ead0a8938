import { unavailable } from '../contract/errors.ts';
import type { Location } from '../contract/schemas.ts';
import { UNREACHABLE, type TravelMatrix } from '../roads/travel-matrix.ts';
import { numberPlaces } from './number-places.ts';
import type { RoadNetwork, VehicleNetwork } from './road-network.ts';
import type { Sized } from './road-user.ts';
import { roadsOf } from './roads-of.ts';

/** Travel of some vehicles between places by number. */
export interface Travels {
  placeOf(location: Location): number;
  /** Null where no road leads that the vehicle may use. */
  travel(vehicle: Sized, from: number, to: number): { seconds: number; metres: number } | null;
}

/** All of it: a matrix for each kind of roads that the vehicles use. Points that stand on the same place of all these are one. */
export interface TravelTable extends Travels {
  matrices: TravelMatrix[];
  /** Which of the matrices has the travel of a vehicle. */
  matrixOf(vehicle: Sized): number;
}

/** Who drives, and where. */
export interface Drives {
  vehicles: Iterable<Sized>;
  locations: Iterable<Location>;
}

/** Computes the travel of all these vehicles between all these points. Null when cancelled. */
export async function travelTable(network: RoadNetwork, { vehicles, locations }: Drives, cancel?: Int32Array): Promise<TravelTable | null> {
  const roads = roadsOf(network, vehicles);
  const places = await numberPlaces(roads.networks, locations);
  const matrices: TravelMatrix[] = [];
  for (const [nth, each] of roads.networks.entries()) {
    const matrix = await matrixBetween(each, places.numbersOn(nth), cancel);
    if (matrix === null) return null;
    matrices.push(matrix);
  }
  return {
    matrices,
    matrixOf: roads.indexOf,
    placeOf: places.placeOf,
    travel(vehicle, from, to) {
      const { size, seconds, metres } = matrices[roads.indexOf(vehicle)];
      const cell = from * size + to;
      return seconds[cell] >= UNREACHABLE ? null : { seconds: seconds[cell], metres: metres[cell] };
    },
  };
}

/** The same, where nobody can cancel. */
export async function travelBetween(network: RoadNetwork, drives: Drives): Promise<TravelTable> {
  const table = await travelTable(network, drives);
  if (table === null) throw unavailable('the travel times could not be computed');
  return table;
}

/** What is one place to these roads may be several to others: it is asked for once, and written several times. */
async function matrixBetween(network: VehicleNetwork, numbers: number[], cancel?: Int32Array): Promise<TravelMatrix | null> {
  const rowOf = new Map([...new Set(numbers)].map((number, row) => [number, row]));
  const found = await network.matrix([...rowOf.keys()], cancel);
  if (found === null || rowOf.size === numbers.length) return found;
  const size = numbers.length;
  const rows = numbers.map((number) => rowOf.get(number)!);
  const shared = () => new Int32Array(new SharedArrayBuffer(4 * size * size));
  const matrix = { size, seconds: shared(), metres: shared() };
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) {
      matrix.seconds[from * size + to] = found.seconds[rows[from] * rowOf.size + rows[to]];
      matrix.metres[from * size + to] = found.metres[rows[from] * rowOf.size + rows[to]];
    }
  }
  return matrix;
}
