import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseCron, type Cron } from '../../../core/time/cron.ts';
import { nextRun } from '../../../core/time/next-run.ts';

const cronOf = (expression: string): Cron => parseCron(expression) as Cron;
const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
const shown = (ms: number | null, zone: string): string | null => (ms === null ? null : Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toString({ timeZoneName: 'never', smallestUnit: 'second' }));
const next = (expression: string, zone: string, after: string): string | null => shown(nextRun(cronOf(expression), zone, at(after)), zone);

describe('by hand', () => {
  test('a week goes by between two Sundays, whatever the clock does in between', () => {
    expect(next('0 3 * * 0', 'Europe/Berlin', '2026-10-18T01:00:00Z')).toBe('2026-10-25T03:00:00+01:00');
    expect(next('0 3 * * 0', 'Europe/Berlin', '2026-10-25T02:00:00Z')).toBe('2026-11-01T03:00:00+01:00');
    expect(next('0 3 * * 0', 'Europe/Berlin', '2026-10-25T01:59:59.999Z')).toBe('2026-10-25T03:00:00+01:00');
  });

  test('what the clock skips is due at the first instant after the gap, once', () => {
    expect(next('*/10 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-29T03:00:00+02:00');
    expect(next('*/10 2 * * *', 'Europe/Berlin', '2026-03-29T01:00:00Z')).toBe('2026-03-30T02:00:00+02:00');
    expect(next('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z')).toBe('2026-10-04T02:30:00+11:00');
    // A whole day was left out.
    expect(next('0 12 30 12 *', 'Pacific/Apia', '2011-12-29T23:00:00Z')).toBe('2011-12-31T00:00:00+14:00');
  });

  test('what the clock shows twice is due the first time', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z')).toBe('2026-10-25T02:30:00+02:00');
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z')).toBe('2026-10-26T02:30:00+01:00');
    expect(next('* * * * *', 'Europe/Berlin', '2026-10-25T00:59:00Z')).toBe('2026-10-25T03:00:00+01:00');
    expect(next('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z')).toBe('2026-04-05T01:45:00+11:00');
  });

  test('of day of month and day of week either may match', () => {
    const days = (expression: string): string[] => {
      const found: string[] = [];
      for (let ms = at('2026-03-01T12:00:00Z'); found.length < 5; ms = at(`${found.at(-1)}T12:00:00Z`)) found.push(shown(nextRun(cronOf(expression), 'UTC', ms), 'UTC')!.slice(0, 10));
      return found;
    };
    expect(days('0 0 13 * 5')).toEqual(['2026-03-06', '2026-03-13', '2026-03-20', '2026-03-27', '2026-04-03']);
    expect(days('0 0 13 * *')).toEqual(['2026-03-13', '2026-04-13', '2026-05-13', '2026-06-13', '2026-07-13']);
  });

  test('a leap day is waited for', () => {
    expect(next('0 0 29 2 *', 'Europe/Berlin', '2096-03-01T00:00:00Z')).toBe('2104-02-29T00:00:00+01:00');
  });
});

/** Every minute of the clock, one after the other; a run is due where a matching minute is shown for the first time, or has been skipped. */
function modelRuns(cron: Cron, zone: string, { fromMs, toMs, stepMs }: { fromMs: number; toMs: number; stepMs: number }): number[] {
  const matches = (local: Temporal.PlainDateTime): boolean => {
    const inMonth = cron.daysOfMonth?.has(local.day);
    const inWeek = cron.daysOfWeek?.has(local.dayOfWeek % 7);
    const isDay = inMonth === undefined || inWeek === undefined ? (inMonth ?? inWeek ?? true) : inMonth || inWeek;
    return isDay && cron.months.has(local.month) && cron.hours.includes(local.hour) && cron.minutes.includes(local.minute);
  };
  const clock = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime();
  const runs: number[] = [];
  let seen = clock(fromMs - stepMs);
  for (let ms = fromMs; ms <= toMs; ms += stepMs) {
    const now = clock(ms);
    let isDue = false;
    // Each full minute that the clock has come to or passed, and was never at before.
    for (let minute = seen.round({ smallestUnit: 'minute', roundingMode: 'floor' }).add({ minutes: 1 }); Temporal.PlainDateTime.compare(minute, now) <= 0; minute = minute.add({ minutes: 1 })) isDue ||= matches(minute);
    if (isDue) runs.push(ms);
    if (Temporal.PlainDateTime.compare(now, seen) > 0) seen = now;
  }
  return runs;
}

/** Zone and the day of a change of its clock, and some days without one. */
const places: [zone: string, date: string][] = [
  ['UTC', '2026-03-29'], ['Europe/Berlin', '2026-03-29'], ['Europe/Berlin', '2026-10-25'], ['America/New_York', '2026-03-08'], ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'], ['Australia/Lord_Howe', '2026-10-04'], ['Africa/Casablanca', '2026-02-15'], ['Africa/Casablanca', '2026-03-22'], ['Africa/El_Aaiun', '2027-02-07'],
  ['America/Havana', '2026-03-08'], ['America/Havana', '2026-11-01'], ['Atlantic/Azores', '2026-03-29'], ['Atlantic/Azores', '2026-10-25'], ['America/Santiago', '2026-04-05'], ['America/Santiago', '2026-09-06'],
  ['America/Sao_Paulo', '2018-11-04'], ['America/Sao_Paulo', '2019-02-16'], ['Antarctica/Troll', '2026-03-29'], ['Antarctica/Troll', '2026-10-25'], ['Asia/Kathmandu', '2026-06-01'], ['Asia/Kathmandu', '1986-01-01'],
  ['Pacific/Apia', '2011-12-30'], ['Pacific/Kwajalein', '1993-08-21'], ['America/Caracas', '2007-12-09'], ['America/Caracas', '2016-05-01'], ['Asia/Pyongyang', '2015-08-15'], ['Asia/Pyongyang', '2018-05-05'],
  ['Asia/Gaza', '2026-03-28'], ['Africa/Cairo', '2026-04-24'], ['Africa/Cairo', '2026-10-30'], ['Pacific/Chatham', '2026-04-05'], ['Pacific/Chatham', '2026-09-27'], ['Europe/Dublin', '1971-10-31'],
  ['Europe/London', '1941-05-04'], ['Asia/Tehran', '2022-03-22'], ['America/Goose_Bay', '2010-11-07'], ['America/Nuuk', '2024-03-31'], ['Europe/Moscow', '2014-10-26'], ['Asia/Kolkata', '1945-10-15'],
];

const item = (min: number, max: number) => fc.oneof(
  { weight: 3, arbitrary: fc.constant('*') },
  { weight: 3, arbitrary: fc.integer({ min, max }).map(String) },
  fc.integer({ min: 1, max: Math.max(1, Math.floor(max / 2)) }).map((step) => `*/${step}`),
  fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 2, maxLength: 4 }).map((values) => values.join(',')),
);
const expressions = fc.tuple(item(0, 59), fc.oneof(item(0, 23), item(0, 4)), fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, item(1, 31)), fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, item(1, 12)), fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, item(0, 7)))
  .map((fields) => fields.join(' ')).filter((expression) => !('problem' in parseCron(expression)));

const minute = 60_000;
const hour = 60 * minute;

describe('against a clock that is watched minute by minute', () => {
  test.each(places)('%s around %s', (zone, date) => {
    const middleMs = Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
    const alignedMs = Math.floor(middleMs / minute) * minute;
    fc.assert(fc.property(expressions, fc.integer({ min: -14 * 60, max: 6 * 60 }), (expression, offset) => {
      const cron = cronOf(expression);
      const afterMs = alignedMs + offset * minute;
      const toMs = afterMs + 12 * hour;
      const due: number[] = [];
      for (let ms = nextRun(cron, zone, afterMs); ms !== null && ms <= toMs && due.length < 100; ms = nextRun(cron, zone, ms)) due.push(ms);
      // What was seen before `afterMs` counts: the clock may have been put back.
      const model = modelRuns(cron, zone, { fromMs: afterMs - 4 * hour, toMs, stepMs: minute }).filter((ms) => ms > afterMs).slice(0, 100);
      expect([expression, due.map((ms) => shown(ms, zone))]).toEqual([expression, model.map((ms) => shown(ms, zone))]);
    }), { numRuns: 10, seed: 7 });
  });

  // Clocks that were off by seconds: a step is a second there.
  test.each([['Europe/Amsterdam', '1937-07-01T00:00:00Z'], ['Africa/Monrovia', '1972-01-07T00:44:30Z'], ['Europe/Berlin', '1893-03-31T23:06:32Z'], ['America/New_York', '1883-11-18T17:00:00Z']])('%s on %s, second by second', (zone, changeText) => {
    const changeMs = at(changeText);
    fc.assert(fc.property(expressions, fc.integer({ min: -2_400, max: 2_400 }), (expression, offset) => {
      const cron = cronOf(expression);
      const afterMs = changeMs + offset * 1_000;
      const model = modelRuns(cron, zone, { fromMs: afterMs - 3_600_000, toMs: afterMs + 1_800_000, stepMs: 1_000 }).filter((ms) => ms > afterMs);
      const due: number[] = [];
      for (let ms = nextRun(cron, zone, afterMs); ms !== null && ms <= afterMs + 1_800_000; ms = nextRun(cron, zone, ms)) due.push(ms);
      expect([expression, due.map((ms) => shown(ms, zone))]).toEqual([expression, model.map((ms) => shown(ms, zone))]);
    }), { numRuns: 8, seed: 7 });
  });
});
