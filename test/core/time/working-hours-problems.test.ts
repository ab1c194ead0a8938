import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minutesOf } from '../../../core/time/clock-intervals.ts';
import type { ClockInterval } from '../../../core/time/clock-intervals.ts';
import { addDays, weekdayOf } from '../../../core/time/local-dates.ts';
import { intervalsOn } from '../../../core/time/working-hours.ts';
import type { WorkingHours } from '../../../core/time/working-hours.ts';
import { INTERVALS_PER_DAY_MAX, OVERRIDES_MAX, workingHoursProblems } from '../../../core/time/working-hours-problems.ts';
import { arbitraryHours, withoutOverlaps } from './arbitrary-hours.ts';

const each = (...texts: string[]): ClockInterval[] => texts.map((text) => ({ start: text.slice(0, text.indexOf('-')), end: text.slice(text.indexOf('-') + 1) }));
const problemsOf = (hours: Partial<WorkingHours>) => workingHoursProblems({ weekly: {}, overrides: {}, ...hours });
const pathsOf = (hours: Partial<WorkingHours>) => problemsOf(hours).map((problem) => problem.path);

describe('what is correct', () => {
  test.each<[string, Partial<WorkingHours>]>([
    ['no work at all', {}],
    ['a day in two parts that touch', { weekly: { 0: each('08:00-12:00', '12:00-17:00') } }],
    ['intervals in any order', { weekly: { 0: each('13:00-17:00', '08:00-12:00') } }],
    ['the first and the last minute', { weekly: { 0: each('00:00-00:01', '23:59-24:00') } }],
    ['a night that touches the morning after it', { weekly: { 0: each('22:00-06:00'), 1: each('06:00-12:00') } }],
    ['the night of Sunday that touches Monday', { weekly: { 6: each('22:00-06:00'), 0: each('06:00-12:00') } }],
    ['an evening to 24:00 before work from 00:00', { weekly: { 0: each('20:00-24:00'), 1: each('00:00-04:00') } }],
    ['an evening to 00:00 before work from 00:00', { weekly: { 0: each('20:00-00:00'), 1: each('00:00-04:00') } }],
    ['work around the clock', { weekly: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, each('08:00-08:00')])) }],
    ['an override on a leap day', { overrides: { '2028-02-29': each('08:00-12:00') } }],
    ['a weekly night before an override, which replaces it', { weekly: { 0: each('22:00-06:00') }, overrides: { '2026-01-06': each('00:00-12:00') } }],
    ['a night of an override before an empty one', { overrides: { '2026-01-05': each('22:00-06:00'), '2026-01-06': [] } }],
    ['a night of an override where the next weekday would overlap but is overridden', { weekly: { 1: each('05:00-12:00') }, overrides: { '2026-01-05': each('22:00-06:00'), '2026-01-06': each('06:00-12:00') } }],
    ['as many intervals as are allowed', { weekly: { 0: Array.from({ length: INTERVALS_PER_DAY_MAX }, (_, i) => ({ start: `${two(i)}:00`, end: `${two(i)}:30` })) } }],
    ['as many overrides as are allowed', { overrides: manyOverrides(OVERRIDES_MAX) }],
  ])('%s', (_name, hours) => {
    expect(problemsOf(hours)).toEqual([]);
  });
});

describe('keys', () => {
  test.each(['7', '-1', '00', '01', '', 'monday', '1.0', ' 1', '__proto__'])('%j is no weekday', (key) => {
    const weekly = JSON.parse(`{${JSON.stringify(key)}:[]}`);
    expect(problemsOf({ weekly })).toEqual([{ path: `/weekly/${key}`, message: `${JSON.stringify(key)} is no weekday; they are 0 (Monday) to 6 (Sunday)` }]);
  });

  test.each(['2026-02-30', '2026-2-3', '0', '', 'today', '2026-01-01T00:00:00Z', '2026-13-01'])('%j is no date', (key) => {
    expect(problemsOf({ overrides: { [key]: [] } })).toEqual([{ path: `/overrides/${key}`, message: `${JSON.stringify(key)} is no calendar date YYYY-MM-DD` }]);
  });

  test('a pointer escapes what JSON pointers escape, and a message stays short', () => {
    const long = 'x'.repeat(1000);
    expect(pathsOf({ overrides: { 'a/b~c': [] } })).toEqual(['/overrides/a~1b~0c']);
    expect(problemsOf({ overrides: { [long]: [] } })[0].message.length).toBeLessThan(100);
  });
});

describe('clock times', () => {
  test.each(['8:00', '08:0', '24:00', '24:01', '25:00', '12:60', '08:00:00', '0800', '', '08.00', '-1:00', '08:00 ', ' 08:00', '٠٨:٠٠', '08:00\n'])('%j is no start', (start) => {
    expect(problemsOf({ weekly: { 0: [{ start, end: '09:00' }] } })).toEqual([{
      path: '/weekly/0/0/start', message: `must be a clock time HH:MM from 00:00 to 23:59, not ${JSON.stringify(start)}`,
    }]);
  });

  test.each(['9:00', '24:01', '24:00:00', '25:00', '12:60', '', '9'])('%j is no end', (end) => {
    expect(problemsOf({ overrides: { '2026-01-05': [{ start: '06:00', end: '07:00' }, { start: '08:00', end }] } })).toEqual([{
      path: '/overrides/2026-01-05/1/end', message: `must be a clock time HH:MM from 00:00 to 24:00, not ${JSON.stringify(end)}`,
    }]);
  });
});

describe('overlaps within a date', () => {
  test.each<[string, ClockInterval[], string[]]>([
    ['by a minute', each('08:00-12:01', '12:00-17:00'), ['/weekly/0/1']],
    ['written the other way round', each('12:00-17:00', '08:00-12:01'), ['/weekly/0/0']],
    ['twice the same', each('08:00-12:00', '08:00-12:00'), ['/weekly/0/1']],
    ['one within another', each('08:00-17:00', '09:00-10:00', '11:00-12:00', '17:00-18:00'), ['/weekly/0/1', '/weekly/0/2']],
    ['two nights', each('22:00-02:00', '23:00-01:00'), ['/weekly/0/1']],
    ['a night and the evening', each('20:00-24:00', '22:00-02:00'), ['/weekly/0/1']],
    ['24 hours and the evening', each('08:00-08:00', '20:00-21:00'), ['/weekly/0/1']],
  ])('%s', (_name, intervals, paths) => {
    expect(pathsOf({ weekly: { 0: intervals } })).toEqual(paths);
    expect(pathsOf({ overrides: { '2026-01-05': intervals } })).toEqual(paths.map((path) => path.replace('/weekly/0', '/overrides/2026-01-05')));
  });

  test('the message names both intervals', () => {
    expect(problemsOf({ weekly: { 0: each('08:00-12:01', '12:00-17:00') } })).toEqual([{ path: '/weekly/0/1', message: '12:00–17:00 overlaps 08:00–12:01 (/weekly/0/0)' }]);
  });
});

describe('overlaps of a night with the following date', () => {
  test('a weekday and the next', () => {
    expect(problemsOf({ weekly: { 0: each('08:00-09:00', '22:00-06:01'), 1: each('12:00-13:00', '06:00-11:00') } })).toEqual([
      { path: '/weekly/0/1/end', message: '22:00–06:01 runs past midnight into 06:00–11:00 of Tuesday (/weekly/1/1)' },
    ]);
  });

  test('Sunday and Monday', () => {
    expect(problemsOf({ weekly: { 0: each('05:00-11:00'), 6: each('22:00-06:00') } })).toEqual([
      { path: '/weekly/6/0/end', message: '22:00–06:00 runs past midnight into 05:00–11:00 of Monday (/weekly/0/0)' },
    ]);
  });

  test('an override and the weekday that follows', () => {
    expect(problemsOf({ weekly: { 1: each('05:00-11:00') }, overrides: { '2026-01-05': each('22:00-06:00') } })).toEqual([
      { path: '/overrides/2026-01-05/0/end', message: '22:00–06:00 runs past midnight into 05:00–11:00 of 2026-01-06 (/weekly/1/0)' },
    ]);
  });

  test('an override and the override that follows, at the end of a month', () => {
    expect(problemsOf({ overrides: { '2026-03-01': each('05:00-11:00'), '2026-02-28': each('22:00-06:00') } })).toEqual([
      { path: '/overrides/2026-02-28/0/end', message: '22:00–06:00 runs past midnight into 05:00–11:00 of 2026-03-01 (/overrides/2026-03-01/0)' },
    ]);
  });

  test('the last date of the calendar has none', () => {
    expect(problemsOf({ overrides: { '9999-12-31': each('22:00-06:00') } })).toEqual([]);
  });
});

describe('amounts', () => {
  test('too many intervals on one date', () => {
    const intervals = Array.from({ length: INTERVALS_PER_DAY_MAX + 1 }, () => ({ start: '08:00', end: '09:00' }));
    expect(problemsOf({ weekly: { 3: intervals } })).toEqual([{ path: '/weekly/3', message: 'has 25 intervals; at most 24 are allowed' }]);
    expect(problemsOf({ overrides: { '2026-01-05': intervals } })).toEqual([{ path: '/overrides/2026-01-05', message: 'has 25 intervals; at most 24 are allowed' }]);
  });

  test('too many overrides', () => {
    expect(problemsOf({ overrides: manyOverrides(OVERRIDES_MAX + 1) })).toEqual([{ path: '/overrides', message: 'has 3661 dates; at most 3660 are allowed' }]);
  });
});

test('all problems are reported, and a wrong clock time hides no overlap elsewhere', () => {
  expect(pathsOf({
    weekly: { 0: each('8-9', '10:00-12:00', '11:00-13:00'), 6: each('23:00-10:30'), 9: [] },
    overrides: { '2026-02-31': [], '2026-01-05': each('25:00-x') },
  })).toEqual([
    '/weekly/0/0/start', '/weekly/0/0/end', '/weekly/9', '/overrides/2026-02-31', '/overrides/2026-01-05/0/start', '/overrides/2026-01-05/0/end',
    '/weekly/0/2', '/weekly/6/0/end',
  ]);
});

test('there is an overlap exactly where counting minute by minute finds one', () => {
  const range = { dates: ['2026-01-04', '2026-01-05', '2026-01-06', '2026-01-12'], clocks: ['00:00', '06:00', '06:01', '12:00', '22:00'] };
  // Hours at random overlap nearly always. One interval more than hours without overlaps is right about as often as it is wrong.
  const almostRight = fc.tuple(arbitraryHours(range).map(withoutOverlaps), arbitraryHours({ ...range, intervalsMax: 1 }), fc.integer({ min: 0, max: 6 }))
    .map(([hours, more, weekday]) => ({ ...hours, weekly: { ...hours.weekly, [weekday]: [...hours.weekly[weekday] ?? [], ...more.weekly[weekday] ?? []] } }));
  const almostRightOverride = fc.tuple(arbitraryHours(range).map(withoutOverlaps), arbitraryHours({ ...range, intervalsMax: 1 }))
    .map(([hours, more]) => ({ ...hours, overrides: { ...hours.overrides, ...Object.fromEntries(Object.entries(more.overrides).slice(0, 1)) } }));
  const found = { overlapping: 0, fine: 0 };
  fc.assert(fc.property(fc.oneof(arbitraryHours(range), almostRight, almostRightOverride), (hours) => {
    const isOverlapping = someMinuteIsWorkedTwice(hours);
    found[isOverlapping ? 'overlapping' : 'fine']++;
    const problems = workingHoursProblems(hours);
    expect(problems.length > 0).toBe(isOverlapping);
    for (const { path } of problems) expect(valueAt(hours, path)).toBeDefined();
  }), { numRuns: 2000 });
  expect(found.overlapping).toBeGreaterThan(200);
  expect(found.fine).toBeGreaterThan(200);
});

/** Each weekday with the next, and each override with the date after it, on a count of every minute. */
function someMinuteIsWorkedTwice(hours: WorkingHours): boolean {
  const weekdays = [0, 1, 2, 3, 4, 5, 6].map((day) => [hours.weekly[day] ?? [], hours.weekly[(day + 1) % 7] ?? []]);
  const overrides = Object.entries(hours.overrides).map(([date, intervals]) => [intervals, intervalsOn(hours, addDays(date, 1))]);
  return [...weekdays, ...overrides].some(([day, next]) => {
    const worked = new Uint8Array(3 * 1440);
    for (const { start, end } of day.map(minutesOf)) for (let minute = start; minute < end; minute++) worked[minute]++;
    for (const { start, end } of next.map(minutesOf)) for (let minute = start; minute < end; minute++) worked[minute + 1440]++;
    return worked.some((count) => count > 1);
  });
}

function valueAt(hours: WorkingHours, path: string): unknown {
  return path.split('/').slice(1).reduce<any>((value, token) => value?.[token], hours);
}

function manyOverrides(count: number): Record<string, ClockInterval[]> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [addDays('2026-01-01', i), []]));
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

test('the dates of this file are the weekdays that it takes them for', () => {
  expect(['2026-01-04', '2026-01-05', '2026-01-06', '2026-02-28'].map(weekdayOf)).toEqual([6, 0, 1, 5]);
});
