import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matrixOf, NONE, UNREACHABLE } from '../../../core/solver/problem.ts';
import type { Matrix, Problem } from '../../../core/solver/problem.ts';
import { timePlan } from '../../../core/solver/timing-plan.ts';
import type { RouteTiming } from '../../../core/solver/timing.ts';
import type { OrderFacts, PlanUnderCheck, VerifyInput } from '../../../core/verifier/plan-under-check.ts';
import { verifyPlans } from '../../../core/verifier/verify-plans.ts';
import { bruteForce } from '../../support/brute-force.ts';
import { randomProblem } from '../../support/random-problem.ts';

/** The verifier and the solver share no code. Here they meet: what the one times, the other finds sound. */

const ms = (seconds: number) => seconds * 1000;
const driverId = (driver: number) => (driver === NONE ? null : `driver-${driver}`);

function planOf(problem: Problem, index: number, timing: RouteTiming): PlanUnderCheck {
  const shift = problem.shifts[index];
  const idle = timing.visits.length === 0;
  let driver = shift.driver;
  return {
    planId: `plan-${index}`, vehicleId: `vehicle-${index}`, date: '2026-03-02', driverId: driverId(shift.driver), warehousePlace: shift.warehouse,
    startPlace: shift.startPlace, intervals: shift.intervals.map(({ start, end }) => ({ startMs: ms(start), endMs: ms(end) })), gapPolicy: shift.gap,
    startMs: idle ? null : ms(timing.departure), endMs: idle ? null : ms(timing.arrival),
    stops: timing.visits.map((visit, position) => {
      const task = visit.task === NONE ? null : problem.tasks[visit.task];
      const working = driver;
      if (task !== null && task.handoverTo !== NONE) driver = task.handoverTo;
      return {
        sequence: position + 1, kind: task?.kind ?? 'warehouse', orderId: task === null ? null : `order-${visit.task}`, place: visit.place,
        arrivalMs: ms(visit.arrival), startMs: ms(visit.start), endMs: ms(visit.end), departureMs: ms(visit.departure), waitSeconds: visit.waitSeconds,
        travelSeconds: visit.travelSeconds, travelMetres: visit.travelMetres, driverId: driverId(working),
      };
    }),
    returnLeg: idle ? null : { departureMs: ms(timing.returnLeg.departure), arrivalMs: ms(timing.returnLeg.arrival), travelSeconds: timing.returnLeg.seconds, travelMetres: timing.returnLeg.metres },
  };
}

function inputOf(problem: Problem, timings: RouteTiming[]): VerifyInput {
  const orders = problem.tasks.map((task, index): OrderFacts => ({
    id: `order-${index}`, kind: task.kind, place: task.place, durationSeconds: task.duration, windowStartMs: ms(task.windowStart), windowEndMs: ms(task.windowEnd),
    vehicleId: null, lockedStartMs: null, lockedVehicleId: null, lockedDriverId: null, replacementDriverId: driverId(task.handoverTo), live: false,
  }));
  return {
    travel(from, to, vehicleId) {
      const { size, seconds, metres } = matrixOf(problem, Number(vehicleId.slice('vehicle-'.length)));
      return seconds[from * size + to] >= UNREACHABLE ? null : { seconds: seconds[from * size + to], metres: metres[from * size + to] };
    },
    restSeconds: problem.restSeconds, plans: timings.map((timing, index) => planOf(problem, index, timing)),
    orders: new Map(orders.map((order) => [order.id, order])),
    fixedSpans: problem.fixedSpans.map(({ driver, start, end }) => ({ driverId: `driver-${driver}`, startMs: ms(start), endMs: ms(end), what: 'other work' })),
  };
}

/** Plans on the wire end at the warehouse, and a start that is no way from it is the warehouse. */
const problems = randomProblem().map((problem) => {
  const isWarehouse = ({ size, seconds }: Matrix, from: number, to: number) => seconds[from * size + to] === 0;
  const shifts = problem.shifts.map((shift, index) => ({
    ...shift, startPlace: isWarehouse(matrixOf(problem, index), shift.startPlace, shift.warehouse) ? shift.warehouse : shift.startPlace, endPlace: shift.warehouse, sequence: [],
  }));
  return { ...problem, shifts, tasks: problem.tasks.map((task) => ({ ...task, pinned: false })) };
});

test('what the solver times is sound', () => {
  let stops = 0;
  fc.assert(fc.property(problems, (problem) => {
    const input = inputOf(problem, timePlan(problem, bruteForce(problem).solution.routes)!);
    stops += input.plans.flatMap((plan) => plan.stops).length;
    expect(verifyPlans(input)).toEqual([]);
  }), { numRuns: 500 });
  expect(stops).toBeGreaterThan(200);
});

test('without rest in the problem, plans that rest too little are found', () => {
  let refused = 0;
  fc.assert(fc.property(problems, (random) => {
    const problem = { ...random, restSeconds: 5000, shifts: random.shifts.map((shift) => ({ ...shift, driver: 0 })) };
    const careless = { ...problem, fixedSpans: [], shifts: problem.shifts.map((shift) => ({ ...shift, driver: NONE })), tasks: problem.tasks.map((task) => ({ ...task, handoverTo: NONE })) };
    const { routes } = bruteForce(careless).solution;
    const timings = timePlan(careless, routes)!;
    const isRested = timings.every((one, i) => timings.every((other, j) => i >= j
      || one.visits.length === 0 || other.visits.length === 0 || one.arrival + problem.restSeconds <= other.departure || other.arrival + problem.restSeconds <= one.departure));
    const { orders, ...rest } = inputOf(careless, timings);
    const plans = rest.plans.map((plan, index) => ({ ...plan, driverId: driverId(problem.shifts[index].driver), stops: plan.stops.map((stop) => ({ ...stop, driverId: driverId(problem.shifts[index].driver) })) }));
    const found = verifyPlans({ ...rest, orders, plans });
    if (!isRested) refused++;
    expect(found.every(({ code }) => code === 'rest' || code === 'driver_overlap')).toBe(true);
    expect(found.length > 0).toBe(!isRested);
  }), { numRuns: 500 });
  expect(refused).toBeGreaterThan(10);
});
