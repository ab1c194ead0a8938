import type { Interval, Leg, OrderFacts, PlanUnderCheck, StopUnderCheck, VerifyInput } from '../../../core/verifier/plan-under-check.ts';

export const at = (clock: string, day = 2) => Date.parse(`2026-03-0${day}T${clock.length === 5 ? `${clock}:00` : clock}Z`);
export const minutes = (count: number) => count * 60_000;

/** Place 0 is the warehouse, the others lie on a line, ten minutes and five kilometres apart. From 9 no road leads back. */
export function travel(from: number, to: number): Leg | null {
  if (from === 9 && to !== 9) return null;
  return { seconds: Math.abs(from - to) * 600, metres: Math.abs(from - to) * 5000 };
}

export const order = (id: string, place: number, overrides: Partial<OrderFacts> = {}): OrderFacts => ({
  id, kind: 'task', place, durationSeconds: 1800, windowStartMs: at('08:00', 2), windowEndMs: at('20:00', 3), vehicleId: null,
  lockedStartMs: null, lockedVehicleId: null, lockedDriverId: null, replacementDriverId: null, live: false, ...overrides,
});

/** A stop that is reached after `legs` steps on the line. Times are clock times of the second of March. */
interface StopOf { id: string | null; place: number; legs: number; arrival: string; start?: string; end: string; departure?: string; driver: string | null; kind?: StopUnderCheck['kind'] }

function stops(list: StopOf[], day: number): StopUnderCheck[] {
  return list.map(({ id, place, legs, arrival, start = arrival, end, departure = end, driver, kind = 'task' }, index) => ({
    sequence: index + 1, kind, orderId: id, place, arrivalMs: at(arrival, day), startMs: at(start, day), endMs: at(end, day), departureMs: at(departure, day),
    waitSeconds: kind === 'warehouse' ? 0 : (at(start, day) - at(arrival, day)) / 1000, travelSeconds: legs * 600, travelMetres: legs * 5000, driverId: driver,
  }));
}

const hours = (day: number): Interval[] => [{ startMs: at('08:00', day), endMs: at('12:00', day) }, { startMs: at('13:00', day), endMs: at('17:00', day) }];

/** Three plans over two days that hold every feature: both gap policies, breaks with and without handover, locks, waits, live stops, rest. */
export function soundInput(): VerifyInput {
  const first: PlanUnderCheck = {
    planId: 'plan-1', vehicleId: 'v1', date: '2026-03-02', driverId: 'ann', warehousePlace: 0, startPlace: 2, intervals: hours(2), gapPolicy: 'return_to_warehouse',
    startMs: at('08:00'), endMs: at('15:50'),
    stops: stops([
      { id: 'wait-first', place: 1, legs: 1, arrival: '08:10', start: '09:00', end: '09:30', driver: 'ann' },
      { id: null, place: 0, legs: 1, arrival: '09:40', start: '12:00', end: '13:00', departure: '13:00', driver: 'ann', kind: 'warehouse' },
      { id: 'locked', place: 2, legs: 2, arrival: '13:20', end: '13:50', departure: '13:55', driver: 'ann' },
      { id: 'handover', place: 3, legs: 1, arrival: '14:05', end: '14:35', driver: 'ann', kind: 'break' },
      { id: 'after-handover', place: 4, legs: 1, arrival: '14:45', end: '15:10', driver: 'ben' },
    ], 2),
    returnLeg: { departureMs: at('15:10'), arrivalMs: at('15:50'), travelSeconds: 2400, travelMetres: 20_000 },
  };
  const second: PlanUnderCheck = {
    planId: 'plan-2', vehicleId: 'v2', date: '2026-03-02', driverId: 'cem', warehousePlace: 0, startPlace: 0, intervals: hours(2), gapPolicy: 'wait',
    startMs: at('08:00'), endMs: at('14:20'), resume: { place: 4, atMs: at('11:00') },
    stops: stops([
      // It ran late and took longer than it should have: that is history.
      { id: 'live', place: 3, legs: 7, arrival: '07:40', start: '07:50', end: '10:45', driver: 'dee' },
      { id: 'pause', place: 3, legs: 1, arrival: '11:10', end: '11:40', driver: 'cem', kind: 'break' },
      { id: 'over-noon', place: 2, legs: 1, arrival: '11:50', start: '13:30', end: '14:00', driver: 'cem' },
    ], 2),
    returnLeg: { departureMs: at('14:00'), arrivalMs: at('14:20'), travelSeconds: 1200, travelMetres: 10_000 },
  };
  const third: PlanUnderCheck = {
    planId: 'plan-3', vehicleId: 'v1', date: '2026-03-03', driverId: 'ben', warehousePlace: 0, startPlace: 0, intervals: hours(3), gapPolicy: 'return_to_warehouse',
    startMs: at('08:00', 3), endMs: at('09:10', 3),
    stops: stops([{ id: 'selected', place: 2, legs: 2, arrival: '08:20', end: '08:50', driver: 'ben' }], 3),
    returnLeg: { departureMs: at('08:50', 3), arrivalMs: at('09:10', 3), travelSeconds: 1200, travelMetres: 10_000 },
  };
  const idle: PlanUnderCheck = {
    planId: 'plan-4', vehicleId: 'v2', date: '2026-03-03', driverId: 'cem', warehousePlace: 0, startPlace: 0, intervals: hours(3), gapPolicy: 'wait',
    startMs: null, endMs: null, stops: [], returnLeg: null,
  };
  const orders = [
    order('wait-first', 1, { windowStartMs: at('09:00'), windowEndMs: at('09:30') }),
    order('locked', 2, { lockedStartMs: at('13:20'), lockedVehicleId: 'v1', lockedDriverId: 'ann' }),
    order('handover', 3, { kind: 'break', vehicleId: 'v1', replacementDriverId: 'ben' }),
    order('after-handover', 4, { durationSeconds: 1500, windowEndMs: at('15:10'), lockedDriverId: 'ben' }),
    order('live', 3, { live: true, windowEndMs: at('09:00') }),
    order('pause', 3, { kind: 'break', vehicleId: 'v2' }),
    order('over-noon', 2, { windowStartMs: at('13:30') }),
    order('selected', 2, { vehicleId: 'v1' }),
  ];
  return {
    travel, restSeconds: 11 * 3600, plans: [first, second, third, idle], orders: new Map(orders.map((one) => [one.id, one])),
    fixedSpans: [
      { driverId: 'ann', startMs: at('01:35', 3), endMs: at('05:00', 3), what: 'the night shift' },
      { driverId: 'ben', startMs: at('01:00'), endMs: at('03:05'), what: 'the mail round' },
    ],
    mustServe: ['locked', 'live'],
  };
}
