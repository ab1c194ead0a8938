import type { Location } from '../contract/schemas.ts';
import { isReachable, knownTravel } from './known-travel.ts';
import { numberPlaces } from './number-places.ts';
import type { RoadNetwork } from './road-network.ts';
import type { Sized } from './road-user.ts';
import { roadsOf } from './roads-of.ts';
import type { Travels } from './travel-table.ts';

/** A vehicle, and what it drives. */
export interface DrivenLegs {
  vehicle: Sized;
  legs: readonly (readonly [from: Location, to: Location])[];
}

/** A travel table of these legs only: for plans that stand, of which a matrix would be nearly all waste. `others` are points without legs. */
export async function legTable(network: RoadNetwork, drives: readonly DrivenLegs[], others: readonly Location[] = []): Promise<Travels> {
  const roads = roadsOf(network, drives.map(({ vehicle }) => vehicle));
  const places = await numberPlaces(roads.networks, [...drives.flatMap(({ legs }) => legs.flat()), ...others]);
  const known = roads.networks.map(knownTravel);
  await Promise.all(roads.networks.map((own, nth) => known[nth].learn(
    drives.filter(({ vehicle }) => roads.indexOf(vehicle) === nth).flatMap(({ legs }) => legs.map(([from, to]) => [own.placeAt(from), own.placeAt(to)] as const)),
  )));
  return {
    placeOf: places.placeOf,
    travel(vehicle, from, to) {
      const nth = roads.indexOf(vehicle);
      const leg = known[nth].leg(places.numbersOn(nth)[from], places.numbersOn(nth)[to]);
      return isReachable(leg) ? leg : null;
    },
  };
}
