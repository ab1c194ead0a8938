import type { Location } from '../contract/schemas.ts';
import { originPlaces } from './revise-plan.ts';
import type { PlanningFacts } from './facts.ts';

/** Every point that a run of planning drives to or from. */
export function* placesOf({ shifts, unplanned, planned, drivers }: PlanningFacts, horizonMs: { startMs: number; endMs: number }): Generator<Location> {
  for (const { warehouse, plan, vehicle } of shifts) {
    yield warehouse.location;
    for (const stop of plan?.stops ?? []) yield stop.location;
    yield* originPlaces(plan);
    const driver = vehicle.driverId ? drivers.get(vehicle.driverId) : undefined;
    if (driver?.location) yield driver.location;
  }
  for (const order of planned.values()) yield order.location;
  for (const order of unplanned) {
    if (order.windowStart.getTime() < horizonMs.endMs && order.windowEnd.getTime() > horizonMs.startMs) yield order.location;
  }
}
