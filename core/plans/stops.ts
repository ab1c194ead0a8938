import type { Location } from '../contract/schemas.ts';
import type { Plan } from './entity.ts';
import type { Stop } from './schema.ts';
import { parseInstant } from '../time/instants.ts';

/** Instants in a stored stop are the text of the wire; they were written by us, so they parse. */
export const ms = (instant: string): number => parseInstant(instant)!;

export const orderIdsOf = (plan: Pick<Plan, 'stops'>): string[] => plan.stops.flatMap((stop) => (stop.order_id === undefined ? [] : [stop.order_id]));

/** Everybody who drives in a plan, as it is drafted and as it is published. */
export const driversIn = (plan: Pick<Plan, 'stops' | 'published'> | null | undefined): string[] => [...(plan?.stops ?? []), ...(plan?.published?.stops ?? [])].flatMap((stop) => stop.driver_id ?? []);

/** The points that a plan made under way goes on from. */
export const originPlaces = (plan: Pick<Plan, 'origin'> | null): Location[] => (plan?.origin ? [plan.origin.location, ...(plan.origin.resume ? [plan.origin.resume.location] : [])] : []);

/** Every leg that a plan drives, from the warehouse and back to it. */
export function legsOf({ origin, stops }: Pick<Plan, 'origin' | 'stops'>, warehouse: Location): [from: Location, to: Location][] {
  if (stops.length === 0) return [];
  const places = [origin?.location ?? warehouse, ...stops.map((stop) => stop.location), warehouse];
  const legs = places.slice(1).map((to, index): [Location, Location] => [places[index], to]);
  return origin?.resume ? [...legs, [origin.resume.location, places[origin.behind + 1]]] : legs;
}

export interface DriverSpan {
  driverId: string;
  startMs: number;
  endMs: number;
}

/**
 * Who is at work when in a plan. At a handover both drivers are there: the one who leaves until the break ends, the one who takes
 * over from its start. `replacementOf` tells the replacement driver of a break. A draft can contradict itself, with work before its
 * start or after its end; whoever drives it is at work from the first to the last of all that.
 */
export function driverSpans(plan: Pick<Plan, 'driverId' | 'startAt' | 'endAt' | 'stops'>, replacementOf: (orderId: string) => string | null): DriverSpan[] {
  if (!plan.startAt || !plan.endAt) return [];
  const spans: DriverSpan[] = [];
  let driverId = plan.driverId ?? null;
  let startMs = Math.min(plan.startAt.getTime(), ...plan.stops.map((stop) => ms(stop.start_at)));
  const lastMs = Math.max(plan.endAt.getTime(), ...plan.stops.map((stop) => ms(stop.end_at)));
  for (const stop of plan.stops) {
    const replacement = handoverAt(stop, replacementOf);
    if (replacement === null) continue;
    if (driverId !== null) spans.push({ driverId, startMs, endMs: ms(stop.end_at) });
    driverId = replacement;
    startMs = ms(stop.start_at);
  }
  if (driverId !== null) spans.push({ driverId, startMs, endMs: lastMs });
  return spans;
}

/** Who drives on after this stop, where that is somebody else. */
export function handoverAt(stop: Stop, replacementOf: (orderId: string) => string | null): string | null {
  return stop.kind === 'break' && stop.order_id !== undefined ? replacementOf(stop.order_id) : null;
}
