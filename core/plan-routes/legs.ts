import type { Location } from '../contract/schemas.ts';
import type { PlanOrigin } from '../plans/entity.ts';
import type { ReturnLeg, Stop } from '../plans/schema.ts';
import { formatInstant } from '../time/instants.ts';

/** What a vehicle drives: the draft of a plan, or what was published of it. */
export interface Drive {
  startAt: string | null;
  stops: readonly Stop[];
  returnLeg: ReturnLeg | null;
  origin: PlanOrigin | null;
}

export interface LegEnd {
  kind: Stop['kind'] | 'position';
  location: Location;
  sequence: number | null;
  orderId: string | null;
}

export interface Leg {
  from: LegEnd;
  to: LegEnd;
  departureAt: string | null;
  arrivalAt: string;
  travelSeconds: number;
  travelMetres: number;
}

/**
 * The legs of a drive in their order, with the times that the plan gives them. The warehouse is where it was for the plan. After the
 * stops that had happened when a plan was made under way, it goes on from where the vehicle was then: how it got there was never planned.
 */
export function legsInOrder({ startAt, stops, returnLeg, origin }: Drive): Leg[] {
  const home = returnLeg?.location ?? null;
  const start = origin?.location ?? home;
  if (start === null || stops.length === 0) return [];
  const ends: (LegEnd & Arrival)[] = stops.map((stop) => ({ ...endAt(stop), ...arrivalOf(stop) }));
  if (returnLeg) ends.push({ ...without(home!, 'warehouse'), ...arrivalOf(returnLeg) });
  const departures = [startAt, ...stops.slice(0, -1).map((stop) => stop.departure_at), returnLeg?.departure_at ?? null];
  return ends.map(({ arrivalAt, travelSeconds, travelMetres, ...to }, index) => {
    const leg = { from: index === 0 ? startAtPlace(start, home) : endAt(stops[index - 1]), to, departureAt: departures[index], arrivalAt, travelSeconds, travelMetres };
    return origin?.resume && index === origin.behind ? resumed(leg, origin.resume) : leg;
  });
}

type Arrival = Pick<Leg, 'arrivalAt' | 'travelSeconds' | 'travelMetres'>;

const arrivalOf = ({ arrival_at, travel_seconds, travel_meters }: Pick<ReturnLeg, 'arrival_at' | 'travel_seconds' | 'travel_meters'>): Arrival => ({ arrivalAt: arrival_at, travelSeconds: travel_seconds, travelMetres: travel_meters });

const endAt = ({ kind, location, sequence, order_id: orderId }: Stop): LegEnd => ({ kind, location, sequence, orderId: orderId ?? null });
const without = (location: Location, kind: 'warehouse' | 'position'): LegEnd => ({ kind, location, sequence: null, orderId: null });
const startAtPlace = (start: Location, home: Location | null): LegEnd => without(start, home === null || isSame(start, home) ? 'warehouse' : 'position');

/** At the stop that happened last, or wherever the vehicle was. */
function resumed(leg: Leg, { location, atMs }: NonNullable<PlanOrigin['resume']>): Leg {
  return { ...leg, from: isSame(location, leg.from.location) ? leg.from : without(location, 'position'), departureAt: formatInstant(atMs) };
}

const isSame = (one: Location, other: Location): boolean => one.latitude === other.latitude && one.longitude === other.longitude;
