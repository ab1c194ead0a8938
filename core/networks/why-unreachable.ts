import type { Location } from '../contract/schemas.ts';
import { isReachable, knownTravel } from './known-travel.ts';
import type { RoadNetwork, VehicleNetwork } from './road-network.ts';
import { aCar, type Sized } from './road-user.ts';

/** A vehicle that was to reach a point, and where it comes from and goes back to. */
export interface Visitor {
  vehicle: Sized;
  home: Location;
}

/** Why none of some vehicles gets to a point and back; null where the roads know no more than that. */
export async function whyUnreachable(network: RoadNetwork, location: Location, visitors: readonly Visitor[]): Promise<string | null> {
  const car = network.for(aCar);
  await car.find([location, ...visitors.map(({ home }) => home)]);
  const nowhere = car.whyNowhere(location);
  if (nowhere !== null) return nowhere;
  const limited = visitors.filter(({ vehicle }) => network.for(vehicle).numbering !== car.numbering);
  for (const { home } of limited) {
    if (await isThereAndBack(car, home, location)) return `no road leads to it and back that ${sizeInWords(limited)} may use, although a car gets there`;
  }
  return null;
}

async function isThereAndBack(network: VehicleNetwork, home: Location, location: Location): Promise<boolean> {
  const [from, to] = [network.placeAt(home), network.placeAt(location)];
  const travel = knownTravel(network);
  await travel.learn([[from, to], [to, from]]);
  return isReachable(travel.leg(from, to)) && isReachable(travel.leg(to, from));
}

/** "a vehicle of 3.8 m and 12000 kg", "vehicles of such heights and weights". */
function sizeInWords(visitors: readonly Visitor[]): string {
  const sizes = new Set(visitors.map(({ vehicle: { heightMeters, weightKg } }) => [...(heightMeters == null ? [] : [`${heightMeters} m`]), ...(weightKg == null ? [] : [`${weightKg} kg`])].join(' and ')));
  const [size] = sizes;
  return sizes.size === 1 && size !== '' ? `a vehicle of ${size}` : 'vehicles of such heights and weights';
}
