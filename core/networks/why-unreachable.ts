import type { Location } from '../contract/schemas.ts';
import { UNREACHABLE } from '../roads/travel-matrix.ts';
import type { RoadNetwork, VehicleNetwork } from './road-network.ts';
import { aCar, type Sized } from './road-user.ts';

/** A point that none of some vehicles reaches. */
export interface Goal {
  location: Location;
  visitors: readonly Visitor[];
}

/** A vehicle that was to go to a point, and where it comes from and goes back to. */
export interface Visitor {
  vehicle: Sized;
  home: Location;
}

/** Why none of the vehicles gets to each point and back; null where the roads know no more than that. */
export async function whyUnreachable(network: RoadNetwork, goals: readonly Goal[]): Promise<(string | null)[]> {
  const car = network.for(aCar);
  await car.find(goals.flatMap(({ location, visitors }) => [location, ...visitors.map(({ home }) => home)]));
  const limited = goals.map(({ visitors }) => visitors.filter(({ vehicle }) => network.for(vehicle).numbering !== car.numbering));
  const asked = goals.flatMap(({ location }, nth) => (car.whyNowhere(location) === null ? [{ nth, homes: new Set(limited[nth].map(({ home }) => car.placeAt(home))) }] : []));
  const reached = await reachedAndLeft(car, asked.flatMap(({ nth, homes }) => [...homes].map((home) => ({ nth, home, place: car.placeAt(goals[nth].location) }))));
  return goals.map(({ location }, nth) => car.whyNowhere(location) ?? (reached.has(nth) ? `no road leads to it and back that ${sizeInWords(limited[nth])} may use, although a car gets there` : null));
}

/** Of some trips those to a place from which there is a way back, by what they are for. */
async function reachedAndLeft(network: VehicleNetwork, trips: readonly { nth: number; home: number; place: number }[]): Promise<Set<number>> {
  if (trips.length === 0) return new Set();
  const { seconds } = await network.legs([...trips.map(({ home, place }) => [home, place] as const), ...trips.map(({ home, place }) => [place, home] as const)]);
  return new Set(trips.flatMap(({ nth }, trip) => (Math.max(seconds[trip], seconds[trips.length + trip]) < UNREACHABLE ? [nth] : [])));
}

/** "a vehicle of 3.8 m and 12000 kg", "vehicles of such heights and weights". */
function sizeInWords(visitors: readonly Visitor[]): string {
  const sizes = new Set(visitors.map(({ vehicle: { heightMeters, weightKg } }) => [...(heightMeters == null ? [] : [`${heightMeters} m`]), ...(weightKg == null ? [] : [`${weightKg} kg`])].join(' and ')));
  const [size] = sizes;
  return sizes.size === 1 && size !== '' ? `a vehicle of ${size}` : 'vehicles of such heights and weights';
}
