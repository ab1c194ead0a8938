import type { Order } from '../orders/entity.ts';
import type { TravelTable } from '../networks/travel-table.ts';
import { driverSpans } from '../plans/stops.ts';
import { NONE, type FixedSpan, type Interval, type Problem, type Shift, type Solution, type Task } from '../solver/problem.ts';
import { timePlan } from '../solver/timing-plan.ts';
import type { WorkInterval } from '../time/shifts.ts';
import { gapPolicyOf } from '../time/working-hours.ts';
import { isHeld, lockedStart, overlapsAny, replacementIn, type PlanningFacts, type PlanningRequest, type ShiftFacts } from './facts.ts';
import { busyDrivers, shiftStart, startsWhenFree, type ShiftStart } from './shift-start.ts';

/** One shift of the problem, and what it is in the records. */
export interface PlannedShift {
  facts: ShiftFacts;
  start: ShiftStart;
}

/** A problem of the solver together with the records that its indices stand for. */
export interface PlanningProblem {
  problem: Problem;
  /** By task index. */
  orders: Order[];
  /** By shift index. */
  shifts: PlannedShift[];
  /** Shifts that this run leaves alone, because they are over or their plan does not hold together any more. */
  frozen: ShiftFacts[];
  /** Unplanned orders whose window lies outside of the dates. */
  outside: Order[];
  driverIds: string[];
  /** Epoch milliseconds of the problem's second 0. */
  originMs: number;
  /** The requested dates in problem seconds. */
  horizon: Interval[];
}

interface Frame {
  facts: PlanningFacts;
  request: PlanningRequest;
  table: TravelTable;
  /** The requested dates, the first of which is the origin of the problem's time. */
  horizon: WorkInterval[];
  /** Shifts that are left alone whatever fits into them. */
  leftAlone?: ReadonlySet<ShiftFacts>;
}

/** Windows are cut to half a year around the origin, so that a time and a leg always fit into 32 bits. */
const secondsMax = 180 * 86_400;

export function buildProblem({ facts, request, table, horizon, leftAlone = new Set() }: Frame): PlanningProblem {
  const originMs = horizon[0].startMs;
  const clamp = (seconds: number) => Math.max(-secondsMax, Math.min(secondsMax, seconds));
  const toSeconds = { up: (atMs: number) => clamp(Math.ceil((atMs - originMs) / 1_000)), down: (atMs: number) => clamp(Math.floor((atMs - originMs) / 1_000)) };
  const indexOfDriver = new Map<string, number>();
  const driverIndex = (id: string | null | undefined): number => {
    if (!id) return NONE;
    if (!indexOfDriver.has(id)) indexOfDriver.set(id, indexOfDriver.size);
    return indexOfDriver.get(id)!;
  };
  const spansOf = (plan: Parameters<typeof driverSpans>[0]): FixedSpan[] =>
    driverSpans(plan, replacementIn(facts.planned)).map((span) => ({ driver: driverIndex(span.driverId), start: toSeconds.down(span.startMs), end: toSeconds.up(span.endMs) }));

  const begun = facts.shifts.map((shift) => shiftStart(shift, facts));
  const busyUntil = busyDrivers(begun);
  const starts = startsWhenFree(begun, busyUntil);
  const open = facts.shifts.map((shift, index) => ({ facts: shift, start: starts[index] }));
  const outside = facts.unplanned.filter((order) => order.type === 'task' && !overlapsAny(order, horizon));
  const news = facts.unplanned.filter((order) => overlapsAny(order, horizon) && (order.type === 'task' || facts.shifts.some((shift) => shift.vehicle.id === order.selectedVehicleId)));
  const otherSpans = facts.otherPlans.flatMap(spansOf);

  const assemble = (shifts: PlannedShift[], frozen: ShiftFacts[]): PlanningProblem => {
    const ahead = shifts.flatMap(({ start }) => start.ahead.map((stop) => facts.planned.get(stop.order_id!)!));
    const orders = [...ahead, ...news];
    const taskOf = new Map(orders.map((order, index) => [order.id, index]));
    const shiftOf = new Map(shifts.flatMap(({ start }, index) => start.ahead.map((stop) => [stop.order_id!, index] as const)));
    const problem: Problem = {
      matrices: table.matrices,
      tasks: orders.map((order, index) => taskFor(order, shifts, index < ahead.length ? shiftOf.get(order.id)! : null)),
      shifts: shifts.map(({ facts: shift, start }): Shift => ({
        // The number of its first shift stands for the vehicle.
        vehicle: facts.shifts.findIndex(({ vehicle }) => vehicle.id === shift.vehicle.id),
        driver: driverIndex(start.driverId),
        startPlace: table.placeOf(start.location),
        endPlace: table.placeOf(shift.warehouse.location),
        warehouse: table.placeOf(shift.warehouse.location),
        matrix: table.matrixOf(shift.vehicle),
        intervals: start.intervals.map(({ startMs, endMs }) => ({ start: toSeconds.up(startMs), end: toSeconds.down(endMs) })),
        gap: gapPolicyOf(shift.vehicle.workingHours),
        sequence: start.ahead.map((stop) => taskOf.get(stop.order_id!)!),
      })),
      fixedSpans: [...otherSpans, ...frozen.flatMap((shift) => (shift.plan ? spansOf(shift.plan) : []))],
      restSeconds: facts.business.planning.min_rest_seconds ?? 0,
      objective: request.objectives[0] === 'travel' ? 'least_travel' : 'most_served',
      metric: facts.business.planning.travel_metric === 'distance' ? 'metres' : 'seconds',
    };
    return { problem, orders, shifts, frozen, outside, driverIds: [...indexOfDriver.keys()], originMs, horizon: horizon.map(({ startMs, endMs }) => ({ start: toSeconds.up(startMs), end: toSeconds.down(endMs) })) };
  };

  const taskFor = (order: Order, shifts: PlannedShift[], present: number | null): Task => {
    const scheduledMs = present === null ? null : lockedStart(order, request);
    const freeMs = busyUntil.get(order.replacementDriverId ?? '') ?? -Infinity;
    const start = scheduledMs === null ? toSeconds.up(Math.max(order.windowStart.getTime(), freeMs)) : toSeconds.down(scheduledMs);
    return {
      kind: order.type,
      place: table.placeOf(order.location),
      duration: order.durationSeconds,
      windowStart: start,
      windowEnd: scheduledMs === null ? toSeconds.down(order.windowEnd.getTime()) : start + order.durationSeconds,
      shifts: allowedShifts(order, shifts, present, { facts, request }),
      mandatory: present !== null,
      pinned: present !== null && (!request.include_planned || (request.assignment_lock && hasHandover(shifts[present], facts))),
      handoverTo: driverIndex(order.replacementDriverId),
    };
  };

  const mayChange = (shift: PlannedShift) => !leftAlone.has(shift.facts) && !(request.assignment_lock && hasOtherDrivers(shift, facts));
  return freezeWhatDoesNotHold(assemble, open, mayChange);
}

/** Can the driver change in the middle of this shift? */
function hasHandover({ facts: shift, start }: PlannedShift, facts: PlanningFacts): boolean {
  return [...start.ahead.map((stop) => facts.planned.get(stop.order_id!)!), ...facts.unplanned.filter((order) => order.selectedVehicleId === shift.vehicle.id)]
    .some((order) => order.type === 'break' && order.replacementDriverId);
}

/** Has the vehicle been given to somebody else since its stops were planned? */
function hasOtherDrivers({ start }: PlannedShift, { planned }: PlanningFacts): boolean {
  let driverId = start.driverId;
  return start.ahead.some((stop) => {
    const isOther = (stop.driver_id ?? null) !== driverId;
    driverId = planned.get(stop.order_id!)!.replacementDriverId ?? driverId;
    return isOther;
  });
}

/** Null where every shift may serve the order. One for a chosen driver goes where that driver works from beginning to end. */
function allowedShifts(order: Order, shifts: PlannedShift[], present: number | null, { facts, request }: Pick<Frame, 'facts' | 'request'>): number[] | null {
  if (present !== null && !request.include_planned) return [present];
  const vehicleId = present !== null && request.assignment_lock ? shifts[present].facts.vehicle.id : order.selectedVehicleId;
  const driverId = present !== null && request.assignment_lock ? shifts[present].start.driverId : order.selectedDriverId;
  if (!vehicleId && !driverId) return null;
  const isDrivenBy = (shift: PlannedShift, id: string) => shift.start.driverId === id && !hasHandover(shift, facts);
  // A new handover would give the stops behind it to another driver.
  const keepsDrivers = ({ start }: PlannedShift) => !request.assignment_lock || !order.replacementDriverId || start.ahead.length === 0;
  const allowed = (shift: PlannedShift, index: number) => index === present || ((!vehicleId || shift.facts.vehicle.id === vehicleId) && (!driverId || isDrivenBy(shift, driverId)) && keepsDrivers(shift));
  return shifts.flatMap((shift, index) => (allowed(shift, index) ? [index] : []));
}

/**
 * A shift that is over takes no more. And where the stops that must stay do not fit together any more (an order or the hours have
 * changed since), the plan stays as it is, with its warnings: nothing is dropped from it behind the administrator's back, and its
 * driver is still taken as busy.
 */
function freezeWhatDoesNotHold(assemble: (shifts: PlannedShift[], frozen: ShiftFacts[]) => PlanningProblem, all: PlannedShift[], mayChange: (shift: PlannedShift) => boolean): PlanningProblem {
  const isOpen = (shift: PlannedShift) => shift.start.intervals.length > 0 && mayChange(shift);
  let open = all.filter(isOpen);
  const frozen = all.filter((shift) => !isOpen(shift)).map(({ facts }) => facts);
  for (;;) {
    const built = assemble(open, frozen);
    const broken = firstBroken(built);
    if (broken === null) return built;
    frozen.push(open[broken].facts);
    open = open.filter((_shift, index) => index !== broken);
  }
}

/**
 * The shifts whose present stops a lock holds, but the search had to leave out: they fit nowhere. What an administrator has fixed
 * against the rules is not undone by planning again.
 */
export function shiftsThatLost({ problem, orders, shifts }: PlanningProblem, { unserved }: Solution, request: PlanningRequest): ShiftFacts[] {
  const lost = new Set(unserved.filter((task) => problem.tasks[task].mandatory && isHeld(orders[task], request)));
  return shifts.filter((_shift, index) => problem.shifts[index].sequence.some((task) => lost.has(task))).map(({ facts }) => facts);
}

/** The first shift whose pinned stops are not feasible, by themselves or beside those of the shifts before it. */
function firstBroken({ problem }: PlanningProblem): number | null {
  const pinned = problem.shifts.map((shift) => shift.sequence.filter((task) => problem.tasks[task].pinned));
  if (timePlan(problem, pinned) !== null) return null;
  for (let count = 1; count <= pinned.length; count++) {
    if (timePlan(problem, pinned.map((sequence, index) => (index < count ? sequence : []))) === null) return count - 1;
  }
  return null;
}
