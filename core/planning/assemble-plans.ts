import type { TravelTable } from '../networks/travel-table.ts';
import type { Plan, PlanOrigin } from '../plans/entity.ts';
import type { ReturnLeg, Stop } from '../plans/schema.ts';
import { ms } from '../plans/stops.ts';
import { NONE, type Solution } from '../solver/problem.ts';
import { timePlan } from '../solver/timing-plan.ts';
import type { RouteTiming, Visit } from '../solver/timing.ts';
import { formatInstant } from '../time/instants.ts';
import type { PlannedShift, PlanningProblem } from './build-problem.ts';
import type { ShiftFacts } from './facts.ts';

/** What a plan of a vehicle's shift will say. */
export interface PlanDraft {
  shift: ShiftFacts;
  driverId: string | null;
  startAt: Date | null;
  endAt: Date | null;
  stops: Stop[];
  returnLeg: ReturnLeg | null;
  origin: PlanOrigin | null;
  /** What is against the rules in it and stays, because an administrator wanted it so. */
  warnings: string[];
}

/** Writes a solution down as plans: one for each shift of the problem, empty ones too. */
export function assemblePlans(planning: PlanningProblem, solution: Solution, table: TravelTable): PlanDraft[] {
  const timings = timePlan(planning.problem, solution.routes);
  if (timings === null) throw new Error('the solver returned a plan that can not be driven');
  return timings.map((timing, shift) => assemblePlan(planning, shift, { timing, table }));
}

function assemblePlan(planning: PlanningProblem, shift: number, { timing, table }: { timing: RouteTiming; table: TravelTable }): PlanDraft {
  const { facts, start } = planning.shifts[shift];
  const { originMs, orders, driverIds } = planning;
  const at = (seconds: number): string => formatInstant(originMs + seconds * 1_000);
  const handovers = new Map(timing.handovers.map((handover) => [handover.task, handover.to]));
  let driverId = planning.problem.shifts[shift].driver;
  const ahead = timing.visits.map((visit, index): Stop => {
    const stop = stopOf(visit, index);
    driverId = handovers.get(visit.task) ?? driverId;
    return stop;
  });

  function stopOf(visit: Visit, index: number): Stop {
    const order = visit.task === NONE ? null : orders[visit.task];
    return {
      sequence: start.behind.length + index + 1,
      kind: order === null ? 'warehouse' : order.type,
      ...(order === null ? {} : { order_id: order.id }),
      location: order === null ? facts.warehouse.location : order.location,
      arrival_at: at(visit.arrival), start_at: at(visit.start), end_at: at(visit.end), departure_at: at(visit.departure),
      wait_seconds: visit.waitSeconds, travel_seconds: visit.travelSeconds, travel_meters: visit.travelMetres,
      driver_id: driverId === NONE ? null : driverIds[driverId],
    };
  }

  const stops = [...start.behind, ...ahead];
  if (stops.length === 0) return { shift: facts, driverId: facts.vehicle.driverId ?? null, startAt: null, endAt: null, stops, returnLeg: null, origin: null, warnings: [] };
  const leg = ahead.length > 0 ? timing.returnLeg : wayHome(planning, { facts, start }, table);
  const leavesMs = originMs + (ahead.length > 0 ? timing.departure : leg.departure) * 1_000;
  const departure = start.behind.length > 0 ? departureOf(facts.plan!) : { driverId: facts.vehicle.driverId ?? null, startAt: new Date(leavesMs) };
  return {
    shift: facts,
    ...departure,
    endAt: new Date(originMs + leg.arrival * 1_000),
    stops,
    returnLeg: { departure_at: at(leg.departure), arrival_at: at(leg.arrival), travel_seconds: leg.seconds, travel_meters: leg.metres, location: facts.warehouse.location },
    origin: originOf(facts, start, leavesMs),
    warnings: [],
  };
}

/** Who left when, where work has begun: as drivers had it. */
const departureOf = ({ published, startAt, driverId }: Plan): Pick<PlanDraft, 'startAt' | 'driverId'> =>
  published?.start_at ? { startAt: new Date(ms(published.start_at)), driverId: published.driver_id } : { startAt: startAt ?? null, driverId: driverId ?? null };

function originOf({ warehouse }: ShiftFacts, { location, behind }: PlannedShift['start'], leavesMs: number): PlanOrigin | null {
  if (behind.length > 0) return { location: warehouse.location, behind: behind.length, resume: { location, atMs: leavesMs } };
  return location === warehouse.location ? null : { location, behind: 0, resume: null };
}

/** From the last thing done straight back, where nothing else is left to do. */
function wayHome(planning: PlanningProblem, { facts, start }: PlannedShift, table: TravelTable) {
  const travel = table.travel(facts.vehicle, table.placeOf(start.location), table.placeOf(facts.warehouse.location)) ?? { seconds: 0, metres: 0 };
  const departure = Math.ceil((start.intervals[0].startMs - planning.originMs) / 1_000);
  return { departure, arrival: departure + travel.seconds, ...travel };
}

/** Does the draft say the same as the plan that stands? */
export function isUnchanged(draft: PlanDraft, plan: Plan | null): boolean {
  if (plan === null) return draft.stops.length === 0;
  const said = (of: Pick<Plan, 'driverId' | 'startAt' | 'endAt' | 'stops' | 'returnLeg'>) => JSON.stringify([of.driverId ?? null, of.startAt?.getTime() ?? null, of.endAt?.getTime() ?? null, of.stops.map(stopText), of.returnLeg && legText(of.returnLeg)]);
  return said(draft) === said(plan);
}

const stopText = (stop: Stop) => [stop.sequence, stop.kind, stop.order_id ?? null, stop.location.latitude, stop.location.longitude, stop.arrival_at, stop.start_at, stop.end_at, stop.departure_at, stop.wait_seconds, stop.travel_seconds, stop.travel_meters, stop.driver_id];
const legText = (leg: ReturnLeg) => [leg.departure_at, leg.arrival_at, leg.travel_seconds, leg.travel_meters, leg.location.latitude, leg.location.longitude];
