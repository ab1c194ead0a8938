import type { Location } from '../contract/schemas.ts';
import type { EntityManager } from '../db/store.ts';
import { knownTravel } from '../networks/known-travel.ts';
import { findPlaces, type FoundPlace, type Wanted } from './find-places.ts';
import { readCapacity, type TimeSpan } from './read-capacity.ts';
import { openRooms, type Locks, type ShiftRoom } from './shift-room.ts';
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
  const travel = knownTravel(capacity.network);
  const rooms = await openRooms(capacity, travel, request);
  const { network } = capacity;
  await network.find([location]);
  const node = network.placeAt(location);
  const reach = await network.reach(node, [...new Set(rooms.flatMap(({ nodes }) => nodes))]);
  const wanted: Wanted = { place: { location, node, reach }, durationSeconds };
  const windows = request.windows.map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, asOfMs), endMs }));
  const isPreferred = ({ facts: { shifts: [{ vehicle, date }] } }: ShiftRoom) => prefer !== undefined && vehicle.id === prefer.vehicleId && date === prefer.date;
  const places = await findPlaces(rooms, wanted, windows, isPreferred);
  const judgements: Judgement[] = [];
  for (const [index, place] of places.entries()) {
    if (place !== null) judgements.push({ place, wanted });
    else if (request.windows[index].endMs <= asOfMs) judgements.push({ whyNot: { reason: 'window_outside_dates', detail: 'the window has passed' } });
    else if (!capacity.hasVehicles) judgements.push({ whyNot: { reason: 'no_eligible_vehicle', detail: 'the business has no vehicle' } });
    else judgements.push({ whyNot: await whyNot(rooms, wanted, windows[index]) });
  }
  return judgements;
}
