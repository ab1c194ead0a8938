import type { Location } from '../contract/schemas.ts';
import type { VehicleNetwork } from './road-network.ts';

/** Points by number, for several kinds of vehicles at once: what is one place to all of them has one number. */
export interface NumberedPlaces {
  placeOf(location: Location): number;
  /** By that number, what the place is called on the nth of the networks. */
  numbersOn(nth: number): number[];
}

/** Finds the points on the roads of all networks. */
export async function numberPlaces(networks: readonly VehicleNetwork[], locations: Iterable<Location>): Promise<NumberedPlaces> {
  const all = [...locations];
  await Promise.all(networks.map((network) => network.find(all)));
  const numbers = new Map<string, number>();
  const columns: number[][] = networks.map(() => []);
  const namesOf = (location: Location) => networks.map((network) => network.placeAt(location));
  for (const location of all) {
    const names = namesOf(location);
    if (numbers.has(names.join())) continue;
    numbers.set(names.join(), numbers.size);
    names.forEach((name, nth) => columns[nth].push(name));
  }
  return {
    placeOf(location) {
      const place = numbers.get(namesOf(location).join());
      if (place === undefined) throw new Error('a point is not in the travel table');
      return place;
    },
    numbersOn: (nth) => columns[nth],
  };
}
