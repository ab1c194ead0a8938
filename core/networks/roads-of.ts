import type { RoadNetwork, VehicleNetwork } from './road-network.ts';
import { aCar, roadUserOf, sizeKey, type Sized } from './road-user.ts';

/** The roads that some vehicles use, each once. */
export interface RoadsOf {
  /** At least one. */
  networks: VehicleNetwork[];
  /** Which of them a vehicle uses. Any of that size will do. */
  indexOf(vehicle: Sized): number;
}

export function roadsOf(network: RoadNetwork, vehicles: Iterable<Sized>): RoadsOf {
  const networks: VehicleNetwork[] = [];
  const indices = new Map<string, number>();
  const keyOf = (vehicle: Sized) => sizeKey(roadUserOf(vehicle));
  const note = (vehicle: Sized) => {
    if (indices.has(keyOf(vehicle))) return;
    const own = network.for(vehicle);
    const known = networks.findIndex(({ numbering }) => numbering === own.numbering);
    indices.set(keyOf(vehicle), known >= 0 ? known : networks.push(own) - 1);
  };
  for (const vehicle of vehicles) note(vehicle);
  if (networks.length === 0) note(aCar);
  return {
    networks,
    indexOf(vehicle) {
      const index = indices.get(keyOf(vehicle));
      if (index === undefined) throw new Error('a vehicle is not among those whose roads were asked for');
      return index;
    },
  };
}
