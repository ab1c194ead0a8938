import { findReason } from '../oracle/explain-unserved.ts';
import type { Reason } from '../oracle/explanation.ts';
import { draftOf } from '../oracle/insertion.ts';
import type { Wanted } from './find-places.ts';
import { pausing } from './pausing.ts';
import type { TimeSpan } from './read-capacity.ts';
import { ask, enter, type ShiftRoom } from './shift-room.ts';

export interface WhyNot {
  reason: Reason;
  detail: string;
}

/** From what excludes the order whatever else is planned to what only the other orders exclude. */
const ranks: Reason[] = ['window_outside_dates', 'no_eligible_vehicle', 'outside_working_hours', 'unreachable', 'window_too_tight', 'locked_conflict', 'capacity'];

/**
 * Why an order that no shift has a place for does not fit: the reason of the shift that comes closest to serving it, as the oracle of
 * planning finds it.
 */
export async function whyNot(rooms: readonly ShiftRoom[], wanted: Wanted, window: TimeSpan): Promise<WhyNot> {
  let closest: WhyNot = { reason: 'outside_working_hours', detail: 'no vehicle works long enough within the window' };
  for (const room of rooms) {
    const found = whyNotHere(room, wanted, window);
    if (ranks.indexOf(found.reason) > ranks.indexOf(closest.reason)) closest = found;
    if (closest.reason === 'capacity') break;
    await pausing();
  }
  return closest;
}

function whyNotHere(room: ShiftRoom, wanted: Wanted, window: TimeSpan): WhyNot {
  enter(room, wanted.places);
  ask(room, { ...window, durationSeconds: wanted.durationSeconds });
  const { planning, route, newTask, isOpen } = room;
  if (!isOpen) return whyNotInFrozen(room, window, wanted.durationSeconds);
  const { problem, orders } = planning;
  const isFixed = (task: number) => room.request.schedule_lock || orders[task].selectedStartAt != null;
  const { windowStart, windowEnd } = problem.tasks[newTask];
  const { reason, detail } = findReason({ plan: draftOf(problem, [route]), locked: draftOf(problem, [route.filter(isFixed)]) }, newTask, { horizon: [{ start: windowStart, end: windowEnd }] });
  return { reason, detail };
}

/** A shift whose stops do not hold together any more takes no more, as in planning. */
function whyNotInFrozen({ facts: { shifts: [{ intervals }] } }: ShiftRoom, { startMs, endMs }: TimeSpan, durationSeconds: number): WhyNot {
  const isAtWork = intervals.some((interval) => Math.min(interval.endMs, endMs) - Math.max(interval.startMs, startMs) >= durationSeconds * 1_000);
  if (!isAtWork) return { reason: 'outside_working_hours', detail: 'no vehicle works long enough within the window' };
  return { reason: 'locked_conflict', detail: 'what is planned for the vehicle does not fit together any more, so nothing is added to it' };
}
