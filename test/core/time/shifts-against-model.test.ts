import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../../core/time/local-dates.ts';
import { shiftsOf } from '../../../core/time/shifts.ts';
import type { Shift } from '../../../core/time/shifts.ts';
import { arbitraryHours, clockOf, withoutOverlaps } from './arbitrary-hours.ts';
import { dateOf, modelShifts, wallClockOf } from './shift-model.ts';

const zones = Intl.supportedValuesOf('timeZone');

interface Transition {
  zone: string;
  /** Epoch minutes. */
  at: number;
  offsetBefore: number;
  offsetAfter: number;
}

/** Every change of offset of every zone in 2026 and 2027. Zones that make the same change at the same instant are one. */
function transitions(): Transition[] {
  const found = new Map<string, Transition>();
  for (const zone of zones) {
    let time = Temporal.PlainDate.from('2026-01-01').toZonedDateTime(zone);
    for (;;) {
      const next = time.getTimeZoneTransition('next');
      if (next === null || next.year > 2027) break;
      const offsetBefore = next.subtract({ nanoseconds: 1 }).offsetNanoseconds / 60e9;
      const transition = { zone, at: next.epochMilliseconds / 60_000, offsetBefore, offsetAfter: next.offsetNanoseconds / 60e9 };
      found.set(`${transition.at} ${offsetBefore} ${transition.offsetAfter}`, transition);
      time = next;
    }
  }
  return [...found.values()];
}

/** The shifts of two days on either side are compared; two more days may cut the last ones. */
function compareAround({ zone, at, offsetBefore, offsetAfter }: Transition, numRuns: number): void {
  const day = Math.floor((at + offsetBefore) / 1440);
  const days = Array.from({ length: 7 }, (_, i) => day - 2 + i);
  const clock = wallClockOf(zone, (day - 3) * 1440, 10 * 1440);
  const [dateStart, dateEnd] = [dateOf(day - 2), dateOf(day + 2)];
  const jump = Math.abs(offsetAfter - offsetBefore);
  const deltas = [0, 1, 15, jump / 2, jump, jump + 1, 2 * jump].flatMap((delta) => [delta, -delta]);
  const clocks = ['00:00', '00:30', '23:30', '23:59', '12:00', ...deltas.map((delta) => clockOf(at + offsetBefore + Math.floor(delta)))];

  fc.assert(fc.property(arbitraryHours({ dates: days.slice(0, 6).map(dateOf), clocks }).map(withoutOverlaps), (hours) => {
    const expected = modelShifts(hours, clock, days).filter(({ date }) => date <= dateEnd);
    expect(shiftsOf(hours, zone, dateStart, dateEnd)).toEqual(expected);
  }), { numRuns });
}

test('around every change of the clocks in two years, shifts are what the clock on the wall shows minute by minute', () => {
  const all = transitions();
  expect(all.length).toBeGreaterThan(60);
  for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo', 'Pacific/Chatham']) {
    expect(all.some((each) => each.at * 60_000 === Temporal.PlainDate.from('2026-01-01').toZonedDateTime(zone).getTimeZoneTransition('next')!.epochMilliseconds)).toBe(true);
  }
  for (const transition of all) compareAround(transition, 20);
});

// These jump at or just before midnight, where a shift can end up on another date than its own.
test.each([
  ['America/Nuuk', '2026-03-29T01:00:00Z'], ['America/Nuuk', '2026-10-25T01:00:00Z'], ['Africa/Cairo', '2026-04-23T22:00:00Z'], ['Africa/Cairo', '2026-10-29T21:00:00Z'],
  ['Pacific/Easter', '2026-09-06T04:00:00Z'], ['Antarctica/Troll', '2026-03-29T01:00:00Z'], ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'], ['America/Havana', '2026-11-01T05:00:00Z'],
])('more of the same in %s, %s', (zone, instant) => {
  const offsetAt = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
  const ms = Date.parse(instant);
  const transition = { zone, at: ms / 60_000, offsetBefore: offsetAt(ms - 1), offsetAfter: offsetAt(ms) };
  expect(transition.offsetBefore).not.toBe(transition.offsetAfter);
  compareAround(transition, 150);
});

test('anywhere in two years and in any zone, shifts ascend, never overlap and do not depend on the range asked for', () => {
  fc.assert(fc.property(
    fc.integer({ min: 0, max: 720 }).map((days) => addDays('2026-01-01', days)).chain((start) => fc.record({
      start: fc.constant(start),
      zone: fc.constantFrom(...zones),
      hours: arbitraryHours({ dates: [0, 1, 2, 5].map((days) => addDays(start, days)), clocks: ['00:00', '02:30', '03:00', '22:00'] }).map(withoutOverlaps),
    })),
    ({ start, zone, hours }) => {
      const shifts = shiftsOf(hours, zone, start, addDays(start, 8));
      expectAscending(shifts);
      const parts = [[0, 0], [1, 1], [2, 4], [5, 8]].flatMap(([first, last]) => shiftsOf(hours, zone, addDays(start, first), addDays(start, last)));
      expect(parts).toEqual(shifts);
    },
  ), { numRuns: 1000 });
});

function expectAscending(shifts: Shift[]): void {
  expect(shifts.map((shift) => shift.date)).toEqual([...new Set(shifts.map((shift) => shift.date))].sort());
  let endMs = -Infinity;
  for (const { intervals } of shifts) {
    expect(intervals.length).toBeGreaterThan(0);
    intervals.forEach((interval, i) => {
      // Successive shifts may touch; the intervals of one shift do not.
      if (i === 0) expect(interval.startMs).toBeGreaterThanOrEqual(endMs);
      else expect(interval.startMs).toBeGreaterThan(endMs);
      expect(interval.endMs).toBeGreaterThan(interval.startMs);
      endMs = interval.endMs;
    });
  }
}
