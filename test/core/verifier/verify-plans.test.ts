import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OrderFacts, PlanUnderCheck, StopUnderCheck, VerifyInput } from '../../../core/verifier/plan-under-check.ts';
import { verifyPlans } from '../../../core/verifier/verify-plans.ts';
import { violationCodes, type ViolationCode } from '../../../core/verifier/violation.ts';
import { at, minutes, soundInput } from './sound-plans.ts';

interface Parts { input: VerifyInput; first: PlanUnderCheck; second: PlanUnderCheck; third: PlanUnderCheck; stop: (id: string) => StopUnderCheck; warehouse: StopUnderCheck; order: (id: string) => OrderFacts }

function parts(): Parts {
  const input = soundInput();
  const [first, second, third] = input.plans;
  const all = input.plans.flatMap((plan) => plan.stops);
  return {
    input, first, second, third, warehouse: first.stops[1],
    stop: (id) => all.find((stop) => stop.orderId === id)!,
    order: (id) => input.orders.get(id)!,
  };
}

/** One way to break the sound plans, the only code that it provokes, and what the dispatcher reads. */
type Breach = [code: ViolationCode, name: string, breach: (parts: Parts) => void, message: RegExp];

const breaches: Breach[] = [
  ['malformed', 'an arrival that is no number', ({ stop }) => { stop('pause').arrivalMs = NaN; }, /stop 2 has an instant that is no whole number/],
  ['malformed', 'an instant between two milliseconds', ({ first }) => { first.startMs! += 0.5; }, /start of the plan is no instant/],
  ['malformed', 'an endless return leg', ({ first }) => { first.returnLeg!.arrivalMs = Infinity; }, /return leg/],
  ['malformed', 'a negative leg', ({ stop }) => { stop('pause').travelMetres = -1; }, /no whole number from 0/],
  ['malformed', 'no hours', ({ third }) => { third.intervals = []; }, /no working interval/],
  ['malformed', 'hours in the wrong order', ({ third }) => { third.intervals.reverse(); }, /starts at 2026-03-03 08:00:00Z, before the one before it ends/],
  ['malformed', 'hours that end before they start', ({ third }) => { third.intervals[1].endMs = at('12:30', 3); }, /ends at 2026-03-03 12:30:00Z, before it starts/],
  ['malformed', 'an unknown gap policy', ({ third }) => { (third as { gapPolicy: string }).gapPolicy = 'go home'; }, /go home/],
  ['malformed', 'a window that is no number', ({ order }) => { order('selected').windowEndMs = NaN; }, /selected has a window/],
  ['malformed', 'a resumption that is no instant', ({ second }) => { second.resume!.atMs = NaN; }, /goes on/],
  ['plan_times', 'an end after the return', ({ third }) => { third.endMs! += minutes(3); }, /ends at 2026-03-03 09:13:00Z, 3 min late/],
  ['plan_times', 'no start', ({ third }) => { third.startMs = null; }, /no start/],
  ['plan_times', 'no return leg', ({ third }) => { third.returnLeg = null; }, /no return leg/],
  ['plan_times', 'times without stops', ({ input }) => { input.plans[3].startMs = at('08:00', 3); }, /has no stops, yet/],
  ['plan_twice', 'two plans with one id', ({ third }) => { third.planId = 'plan-1'; }, /plan-1 is there twice/],
  ['plan_twice', 'two plans for one shift', ({ third }) => { third.date = '2026-03-02'; }, /v1 has two plans for 2026-03-02/],
  ['sequence', 'a hole in the numbers', ({ stop }) => { stop('after-handover').sequence = 6; }, /stop 5 is numbered 6/],
  ['order_unknown', 'an order that does not exist', ({ input }) => { input.orders.delete('over-noon'); }, /over-noon, which does not exist/],
  ['order_twice', 'an order in two plans', ({ stop, order }) => { stop('selected').orderId = 'over-noon'; order('over-noon').windowEndMs = at('20:00', 3); }, /over-noon is served twice: in plan plan-2 and in plan plan-3/],
  ['order_dropped', 'an order that must be served and is not', ({ input }) => { input.mustServe!.push('lost'); }, /lost was planned or locked/],
  ['kind', 'a task instead of a break', ({ stop }) => { stop('pause').kind = 'task'; }, /stop 2 is a task, but pause is a break/],
  ['kind', 'a task without an order', ({ third }) => { third.stops[0].orderId = null; }, /is a task without an order/],
  ['place', 'an order that is elsewhere', ({ order }) => { order('selected').place = 3; }, /not where selected is/],
  ['unreachable', 'a place that no road leaves', ({ third, input }) => { third.startPlace = 9; third.stops[0].place = 9; third.stops[0].travelSeconds = 0; third.stops[0].travelMetres = 0; third.stops[0].arrivalMs = third.startMs!; third.stops[0].waitSeconds = 1200; input.orders.get('selected')!.place = 9; }, /no road leads to the warehouse/],
  ['travel', 'a leg that states too few seconds', ({ stop }) => { stop('pause').travelSeconds -= 60; }, /states 9 min and 5000 m, but the road takes 10 min and 5000 m/],
  ['travel', 'a return leg that states too many metres', ({ third }) => { third.returnLeg!.travelMetres += 1; }, /10001 m/],
  ['leg_time', 'an arrival before the leg is driven', ({ stop }) => { stop('wait-first').arrivalMs -= minutes(2); stop('wait-first').waitSeconds += 120; }, /arrives at 2026-03-02 08:08:00Z, 2 min early/],
  ['leg_time', 'a rest on the road', ({ stop }) => { stop('wait-first').arrivalMs += minutes(2); stop('wait-first').waitSeconds -= 120; }, /2 min late/],
  ['leg_time', 'a start after the first departure', ({ first }) => { first.startMs! += minutes(2); }, /2 min early/],
  ['leg_time', 'a return that takes too long', ({ third }) => { third.returnLeg!.arrivalMs += minutes(1); third.endMs! += minutes(1); }, /1 min late/],
  ['leg_time', 'a resumption at another time', ({ second }) => { second.resume!.atMs -= 1; }, /0.001 s late/],
  ['service_before_arrival', 'a service that starts before the arrival', ({ order, stop }) => {
    stop('locked').startMs -= minutes(5);
    stop('locked').endMs -= minutes(5);
    order('locked').lockedStartMs! -= minutes(5);
  }, /locked starts at 2026-03-02 13:15:00Z, 5 min before the vehicle arrives/],
  ['duration', 'a service that is too short', ({ stop }) => { stop('over-noon').endMs -= minutes(4); }, /over-noon is served in 26 min, but takes 30 min/],
  ['duration', 'a service that is too long', ({ stop }) => { stop('locked').endMs += minutes(4); }, /served in 34 min/],
  ['wait', 'a wait that is not there', ({ stop }) => { stop('selected').waitSeconds = 60; }, /states a wait of 1 min, but it is 0 s/],
  ['departure_before_end', 'leaving during the service', ({ order, stop }) => { order('locked').durationSeconds += 360; stop('locked').endMs += minutes(6); }, /leaves locked at 2026-03-02 13:55:00Z, 1 min before it ends/],
  ['window', 'a service before its window', ({ order }) => { order('wait-first').windowStartMs += minutes(12); }, /wait-first starts at 2026-03-02 09:00:00Z, 12 min before its window opens/],
  ['window', 'a service that ends after its window', ({ order }) => { order('wait-first').windowEndMs -= 1; }, /ends at 2026-03-02 09:30:00Z, 0.001 s after its window closes/],
  ['service_outside_hours', 'a service that spans a gap', ({ second }) => { second.intervals = [second.intervals[0], { startMs: at('12:05'), endMs: at('13:40') }, { startMs: at('13:41'), endMs: at('17:00') }]; }, /over-noon is served from 2026-03-02 13:30:00Z to 2026-03-02 14:00:00Z/],
  ['travel_outside_hours', 'leaving before work starts', ({ first }) => { first.intervals[0].startMs += minutes(1); }, /leg to wait-first from 2026-03-02 08:00:00Z/],
  ['travel_outside_hours', 'returning after work ends', ({ third }) => { third.intervals = [{ startMs: at('08:00', 3), endMs: at('09:09', 3) }]; }, /leg to the warehouse from 2026-03-03 08:50:00Z/],
  ['not_at_warehouse', 'standing at a stop although the vehicle returns', ({ second }) => { second.gapPolicy = 'return_to_warehouse'; }, /v2 is off from 2026-03-02 12:00:00Z to 2026-03-02 13:00:00Z/],
  ['warehouse_stop', 'a warehouse stop of a vehicle that waits', ({ first }) => { first.gapPolicy = 'wait'; }, /returns to the warehouse, but/],
  ['warehouse_stop', 'a warehouse stop that ends before the gap does', ({ warehouse }) => { warehouse.endMs -= minutes(1); }, /which is no gap/],
  ['return_departure', 'a return that does not begin at the last stop', ({ stop }) => { stop('after-handover').departureMs += minutes(5); }, /leaves its last stop at 2026-03-02 15:15:00Z, but the return leg starts 5 min early/],
  ['vehicle_selected', 'a task on another vehicle', ({ order }) => { order('selected').vehicleId = 'v2'; }, /vehicle v2 is selected for selected/],
  ['break_vehicle', 'a break on another vehicle', ({ order }) => { order('pause').vehicleId = 'v1'; }, /pause is a break of vehicle v1/],
  ['lock_time', 'a locked start that moved', ({ order }) => { order('locked').lockedStartMs = at('13:31'); }, /locked to start at 2026-03-02 13:31:00Z, but starts 11 min early/],
  ['lock_vehicle', 'a locked vehicle that changed', ({ order }) => { order('locked').lockedVehicleId = 'v2'; }, /locked to vehicle v2/],
  ['lock_vehicle', 'a live order on another vehicle', ({ order }) => { order('live').lockedVehicleId = 'v1'; }, /live is locked to vehicle v1/],
  ['lock_driver', 'a locked driver who changed', ({ order }) => { order('locked').lockedDriverId = 'ben'; }, /locked to driver ben, but carries driver ann/],
  ['driver', 'the replacement before the handover', ({ stop }) => { stop('handover').driverId = 'ben'; }, /handover carries driver ben, but driver ann is at work then/],
  ['driver', 'a warehouse stop without driver', ({ warehouse }) => { warehouse.driverId = null; }, /warehouse stop 2 carries no driver/],
  ['vehicle_overlap', 'a vehicle in two plans at once', ({ second, order }) => { second.vehicleId = 'v1'; second.date = '2026-03-01'; order('pause').vehicleId = 'v1'; }, /v1 leaves at 2026-03-02 08:00:00Z, but plan plan-1 keeps it until 2026-03-02 15:50:00Z/],
  ['driver_overlap', 'a driver in two plans at once', ({ second, stop }) => { for (const id of ['pause', 'over-noon']) stop(id).driverId = 'ann'; second.driverId = 'ann'; }, /ann starts plan plan-2/],
  ['driver_overlap', 'other work during the break that begins the replacement\'s shift', ({ input }) => { input.fixedSpans.push({ driverId: 'ben', startMs: at('14:00'), endMs: at('14:06'), what: 'a meeting' }); input.restSeconds = 0; }, /ben starts plan plan-1 at 2026-03-02 14:05:00Z, while a meeting lasts until 2026-03-02 14:06:00Z/],
  ['rest', 'too little rest between two plans', ({ input }) => { input.fixedSpans = []; input.restSeconds = 16 * 3600 + 600 + 1; }, /ben rests 16 h 10 min between plan plan-1 and plan plan-3, but needs 16 h 10 min 1 s/],
  ['rest', 'too little rest after the handover', ({ input }) => { input.fixedSpans[0].startMs -= 1; }, /ann rests 10 h 59 min 59.999 s between plan plan-1 and the night shift/],
  ['rest', 'too little rest before the break that begins the replacement\'s shift', ({ input }) => { input.fixedSpans[1].endMs += 1; }, /ben rests 10 h 59 min 59.999 s between the mail round and plan plan-1, but needs 11 h/],
];

test('the sound plans are sound', () => {
  expect(verifyPlans(soundInput())).toEqual([]);
});

describe('each rule by itself', () => {
  test.each(breaches)('%s: %s', (code, _name, breach, message) => {
    const broken = parts();
    breach(broken);
    const found = verifyPlans(broken.input);
    expect([...new Set(found.map((violation) => violation.code))]).toEqual([code]);
    expect(found[0].message).toMatch(message);
  });

  test('every code is provoked', () => {
    expect(new Set(breaches.map(([code]) => code))).toEqual(new Set(violationCodes));
  });
});

/** Every number that a plan states: where it is, and how to shift it. What is history is left out. */
function statedNumbers(input: VerifyInput): { name: string; shift: (by: number) => void }[] {
  const numbersOf = (name: string, holder: object) => Object.entries(holder)
    .filter(([, value]) => typeof value === 'number')
    .map(([field, value]) => ({ name: `${name}.${field}`, shift: (by: number) => Object.assign(holder, { [field]: value + by }) }));
  return input.plans.flatMap((plan) => {
    const isLive = (stop: StopUnderCheck) => input.orders.get(stop.orderId ?? '')?.live === true;
    const startsLive = plan.stops.length > 0 && isLive(plan.stops[0]);
    return [
      // An idle plan states nothing. The start of a plan whose first stop is live is history.
      ...(plan.startMs === null || startsLive ? [] : [{ name: `${plan.planId}.startMs`, shift: (by: number) => { plan.startMs! += by; } }]),
      ...(plan.endMs === null ? [] : [{ name: `${plan.planId}.endMs`, shift: (by: number) => { plan.endMs! += by; } }]),
      ...(plan.returnLeg === null ? [] : numbersOf(`${plan.planId}.returnLeg`, plan.returnLeg)),
      ...(plan.resume ? numbersOf(`${plan.planId}.resume`, plan.resume) : []),
      ...plan.stops.filter((stop) => !isLive(stop)).flatMap((stop) => numbersOf(`${plan.planId}.stops[${stop.sequence}]`, stop)),
    ];
  });
}

test('shifting any single number of a plan is noticed', () => {
  const count = statedNumbers(soundInput()).length;
  const shift = fc.oneof(fc.constantFrom(-1000, -1, 1, 1000), fc.integer({ min: -5_000_000, max: 5_000_000 }).filter((by) => by !== 0));
  fc.assert(fc.property(fc.nat({ max: count - 1 }), shift, (index, by) => {
    const input = soundInput();
    const number = statedNumbers(input)[index];
    // Where the vehicle goes on from is given: from the other side of its next stop it drives just as far, and nothing that the plan states is wrong.
    fc.pre(!(number.name === 'plan-2.resume.place' && by === -2));
    number.shift(by);
    return verifyPlans(input).length > 0;
  }), { numRuns: 2000 });
});

test('every single number of a plan is noticed when it is off by one', () => {
  const unnoticed = statedNumbers(soundInput()).flatMap(({ name }, index) => [-1, 1].filter((by) => {
    const input = soundInput();
    statedNumbers(input)[index].shift(by);
    return verifyPlans(input).length === 0;
  }).map((by) => `${name} ${by}`));
  expect(unnoticed).toEqual([]);
});

test('taking a stop away, or exchanging two, is noticed', () => {
  const plans = soundInput().plans.filter((plan) => plan.stops.length > 0);
  plans.forEach((plan, index) => {
    for (const first of plan.stops.keys()) {
      const without = soundInput();
      without.plans[index].stops.splice(first, 1);
      expect(verifyPlans(without)).not.toEqual([]);
      for (let second = first + 1; second < plan.stops.length; second++) {
        const exchanged = soundInput();
        const { stops } = exchanged.plans[index];
        [stops[first], stops[second]] = [stops[second], stops[first]];
        expect(verifyPlans(exchanged)).not.toEqual([]);
      }
    }
  });
});

describe('what is not refused', () => {
  test('times that are history', () => {
    const { input, second, stop } = parts();
    Object.assign(stop('live'), { arrivalMs: at('03:00'), startMs: at('03:01'), endMs: at('03:02'), departureMs: at('03:03'), waitSeconds: 7, travelSeconds: 3, travelMetres: 4, driverId: null });
    second.startMs = at('02:59');
    expect(verifyPlans(input)).toEqual([]);
  });

  test('an order that was moved elsewhere after it had begun', () => {
    const { input, order } = parts();
    order('live').place = 4;
    expect(verifyPlans(input)).toEqual([]);
  });

  test('work for another vehicle before the rest of what was begun early, and after the order in progress', () => {
    const { input, second } = parts();
    // The live stop of `second` was planned for 07:50 to 10:45; it goes on at 11:00.
    second.driverId = second.stops[0].driverId = 'cem';
    const meeting = (from: string, to: string) => ({ driverId: 'cem', startMs: at(from), endMs: at(to), what: 'a meeting' });
    const inProgress = { ...meeting('06:00', '06:20'), what: 'an order of v2', planId: 'plan-2' };
    const codes = (...spans: VerifyInput['fixedSpans']) => verifyPlans({ ...input, restSeconds: 0, fixedSpans: spans }).map(({ code }) => code);
    expect(codes(inProgress, meeting('06:20', '10:50'))).toEqual([]);
    expect(codes(inProgress, meeting('06:10', '10:50'))).toEqual(['driver_overlap']);
    expect(codes(inProgress, meeting('06:20', '11:10'))).toEqual(['driver_overlap']);
    expect(verifyPlans({ ...input, restSeconds: 600, fixedSpans: [inProgress, meeting('06:20', '10:50')] })).toEqual([]);
    expect(verifyPlans({ ...input, restSeconds: 660, fixedSpans: [inProgress, meeting('06:20', '10:50')] }).map(({ message }) => message)).toEqual([expect.stringMatching(/cem rests 10 min between a meeting and plan plan-2, but needs 11 min/)]);
  });

  test('a return to the warehouse that is history, whatever has changed since', () => {
    const { input } = parts();
    for (const id of ['wait-first', 'locked']) input.orders.get(id)!.live = true;
    const [plan] = input.plans;
    const [, warehouse] = plan.stops;
    Object.assign(warehouse, { place: 4, arrivalMs: at('10:00'), startMs: at('12:10'), endMs: at('12:50'), departureMs: at('12:40'), waitSeconds: 3, travelSeconds: 3, travelMetres: 4, driverId: 'cem' });
    expect(verifyPlans(input)).toEqual([]);
    input.orders.get('locked')!.live = false;
    expect(verifyPlans(input)).not.toEqual([]);
  });

  test('two plans of one driver and one vehicle that overlapped, when both are history', () => {
    const input = soundInput();
    input.fixedSpans = [];
    for (const facts of input.orders.values()) facts.live = true;
    input.plans[1].vehicleId = 'v1';
    input.plans[1].date = '2026-03-01';
    input.orders.get('pause')!.vehicleId = 'v1';
    input.plans[1].driverId = 'ann';
    input.plans[1].resume = null;
    expect(verifyPlans(input)).toEqual([]);
    input.orders.get('over-noon')!.live = false;
    input.plans[1].stops[2].driverId = 'ann';
    input.orders.get('after-handover')!.live = false;
    expect(verifyPlans(input).map((violation) => violation.code)).toEqual(['vehicle_overlap', 'driver_overlap']);
  });

  test('shifts that touch, where no rest is asked for', () => {
    const { input } = parts();
    input.restSeconds = 0;
    input.fixedSpans = [
      { driverId: 'ben', startMs: at('13:00'), endMs: at('14:05'), what: 'the office' },
      { driverId: 'ben', startMs: at('15:50'), endMs: at('16:00'), what: 'the office' },
    ];
    expect(verifyPlans(input)).toEqual([]);
  });

  test('two pieces of other work that overlap: they are not ours', () => {
    const input = soundInput();
    input.fixedSpans.push({ ...input.fixedSpans[0] });
    expect(verifyPlans(input)).toEqual([]);
  });

  test('a driver who hands over and takes over again in one plan', () => {
    const { input, first, order: facts, stop } = parts();
    input.fixedSpans = [];
    input.plans.splice(2, 1);
    first.stops[0].kind = 'break';
    Object.assign(facts('wait-first'), { kind: 'break', replacementDriverId: 'ben' });
    Object.assign(facts('handover'), { replacementDriverId: 'ann' });
    Object.assign(facts('locked'), { lockedDriverId: 'ben' });
    Object.assign(facts('after-handover'), { lockedDriverId: 'ann' });
    first.stops[1].driverId = 'ben';
    stop('locked').driverId = 'ben';
    stop('handover').driverId = 'ben';
    stop('after-handover').driverId = 'ann';
    expect(verifyPlans(input)).toEqual([]);
  });

  test('one warehouse stop that spans two gaps', () => {
    const { input, first } = parts();
    first.intervals = [{ startMs: at('08:00'), endMs: at('10:00') }, { startMs: at('11:00'), endMs: at('12:00') }, first.intervals[1]];
    first.stops[1].startMs = at('10:00');
    expect(verifyPlans(input)).toEqual([]);
  });

  test('a gap that was over when the vehicle went on', () => {
    const { input, second } = parts();
    second.gapPolicy = 'return_to_warehouse';
    second.intervals = [{ startMs: at('07:00'), endMs: at('10:50') }, { startMs: at('11:00'), endMs: at('17:00') }];
    expect(verifyPlans(input)).toEqual([]);
    second.resume = null;
    expect(verifyPlans(input).map((violation) => violation.code)).toContain('not_at_warehouse');
  });

  test('hours after a gap that the plan does not reach', () => {
    const { input, third } = parts();
    third.intervals.push({ startMs: at('20:00', 3), endMs: at('22:00', 3) });
    expect(verifyPlans(input)).toEqual([]);
  });
});

test('a handover that names the driver at work changes nothing', () => {
  const { input, order: facts, stop } = parts();
  facts('handover').replacementDriverId = 'ann';
  facts('after-handover').lockedDriverId = null;
  stop('after-handover').driverId = 'ann';
  input.fixedSpans[0].startMs = at('02:50', 3);
  expect(verifyPlans(input)).toEqual([]);
  input.fixedSpans[0].startMs -= 1;
  expect(verifyPlans(input).map((violation) => violation.code)).toEqual(['rest']);
});

test('facts that are no numbers are a bug of the caller', () => {
  expect(() => verifyPlans({ ...soundInput(), restSeconds: NaN })).toThrow('must be whole numbers');
});

test('the README names every code', () => {
  const readme = readFileSync(new URL('../../../core/verifier/README.md', import.meta.url), 'utf8');
  const listed = [...readme.split('## Codes')[1].matchAll(/`([a-z_]+)`/g)].map(([, code]) => code);
  expect(listed).toEqual([...violationCodes]);
});
