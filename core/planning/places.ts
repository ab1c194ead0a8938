import type { Location } from '../contract/schemas.ts';
import { driversIn, originPlaces } from '../plans/stops.ts';
import type { WorkInterval } from '../time/shifts.ts';
import { overlapsAny, type PlanningFacts } from './facts.ts';

/** Every point that a run of planning drives to or from. */
export function* placesOf({ shifts, unplanned, planned, drivers }: PlanningFacts, horizon: WorkInterval[]): Generator<Location> {
  const driverIds = new Set<string | null | undefined>();
  for (const { warehouse, plan, vehicle } of shifts) {
    yield warehouse.location;
    for (const stop of [...(plan?.stops ?? []), ...(plan?.published?.stops ?? [])]) yield stop.location;
    yield* originPlaces(plan);
    for (const id of [vehicle.driverId, ...driversIn(plan)]) driverIds.add(id);
  }
  for (const order of planned.values()) {
    yield order.location;
    driverIds.add(order.replacementDriverId);
  }
  for (const id of driverIds) {
    const location = id ? drivers.get(id)?.location : null;
    if (location) yield location;
  }
  for (const order of unplanned) {
    if (overlapsAny(order, horizon)) yield order.location;
  }
}
