import type { Location } from '../contract/schemas.ts';
import type { EntityManager } from '../db/store.ts';
import type { RoadNetwork } from '../networks/road-network.ts';
import { whyUnreachable } from '../networks/why-unreachable.ts';
import type { Reach } from '../roads/reach.ts';
import { findPlaces, type FoundPlace, type Wanted } from './find-places.ts';
import { readCapacity, type TimeSpan } from './read-capacity.ts';
import { openRooms, type Locks, type NewPlaces, type ShiftRoom } from './shift-room.ts';
import { whyNot, type WhyNot } from './why-not.ts';

export interface Request extends Locks {
  location: Location;
  durationSeconds: number;
  windows: readonly TimeSpan[];
  /** What counts as now: nothing is begun before. */
  asOfMs: number;
  /** The epoch that is known to be committed, for whoever holds the lock of the business. */
  epoch?: number;
  /** The shift to be tried first, whatever it costs. */
  prefer?: { vehicleId: string; date: string };
}

export type Judgement = { place: FoundPlace; wanted: Wanted } | { whyNot: WhyNot };

/** For each window where the order fits among the current plans, or why it does not. */
export async function judgeWindows(em: EntityManager, businessId: string, request: Request): Promise<Judgement[]> {
  const { location, durationSeconds, asOfMs, prefer } = request;
  const capacity = await readCapacity(em, businessId, request);
  const rooms = await openRooms(capacity, request);
  const wanted: Wanted = { places: await newPlaces(rooms, location), durationSeconds };
  const windows = request.windows.map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, asOfMs), endMs }));
  const isPreferred = ({ facts: { shifts: [{ vehicle, date }] } }: ShiftRoom) => prefer !== undefined && vehicle.id === prefer.vehicleId && date === prefer.date;
  const places = await findPlaces(rooms, wanted, windows, isPreferred);
  const judgements: Judgement[] = [];
  for (const [index, place] of places.entries()) {
    if (place !== null) judgements.push({ place, wanted });
    else if (request.windows[index].endMs <= asOfMs) judgements.push({ whyNot: { reason: 'window_outside_dates', detail: 'the window has passed' } });
    else if (!capacity.hasVehicles) judgements.push({ whyNot: { reason: 'no_eligible_vehicle', detail: 'the business has no vehicle' } });
    else judgements.push({ whyNot: await inWords(await whyNot(rooms, wanted, windows[index]), { network: capacity.network, rooms, location }) });
  }
  return judgements;
}

/** Where the place lies on the roads of each kind of vehicle, and the way from there to every stop of these and back. */
async function newPlaces(rooms: readonly ShiftRoom[], location: Location): Promise<NewPlaces> {
  const places = new Map<string, { node: number; reach: Reach }>();
  for (const [numbering, alike] of Map.groupBy(rooms, ({ network }) => network.numbering)) {
    const [{ network }] = alike;
    await network.find([location]);
    const node = network.placeAt(location);
    places.set(numbering, { node, reach: await network.reach(node, [...new Set(alike.flatMap(({ nodes }) => nodes))]) });
  }
  return places;
}

/** What the roads know is better than that no road leads there. */
async function inWords(why: WhyNot, { network, rooms, location }: { network: RoadNetwork; rooms: readonly ShiftRoom[]; location: Location }): Promise<WhyNot> {
  if (why.reason !== 'unreachable') return why;
  const visitors = new Map(rooms.map(({ facts: { shifts: [{ vehicle, warehouse }] } }) => [vehicle.id, { vehicle, home: warehouse.location }]));
  const [words] = await whyUnreachable(network, [{ location, visitors: [...visitors.values()] }]);
  return { ...why, detail: words ?? why.detail };
}
