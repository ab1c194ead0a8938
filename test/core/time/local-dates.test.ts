import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatInstant, parseInstant } from '../../../core/time/instants.ts';
import { addDays, datesBetween, daysUntil, isLocalDate, localDateOf, startOfDay, weekdayOf } from '../../../core/time/local-dates.ts';

test.each(['2026-03-29', '2024-02-29', '2000-02-29', '0000-01-01', '9999-12-31'])('%s is a date', (text) => {
  expect(isLocalDate(text)).toBe(true);
});

test.each([
  '', '2026-02-29', '1900-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-00-01', '2026-01-00', '2026-1-1', '20260101', '+002026-01-01',
  '-000001-01-01', '2026-01-01T00:00:00Z', '2026-01-01[u-ca=hebrew]', ' 2026-01-01', '2026-01-01\n', '2026-W01-1', '2026-001',
])('%j is no date', (text) => {
  expect(isLocalDate(text)).toBe(false);
});

test.each([
  ['2026-01-01T00:30:00Z', 'UTC', '2026-01-01'],
  ['2026-01-01T00:30:00Z', 'America/New_York', '2025-12-31'],
  ['2026-01-01T18:15:00Z', 'Asia/Kathmandu', '2026-01-02'],
  ['2026-01-01T18:14:59.999Z', 'Asia/Kathmandu', '2026-01-01'],
  ['2026-01-01T11:00:00Z', 'Pacific/Apia', '2026-01-02'],
])('at %s the date in %s is %s', (text, zone, date) => {
  expect(localDateOf(parseInstant(text)!, zone)).toBe(date);
});

describe('startOfDay', () => {
  test.each([
    ['2026-07-01', 'UTC', '2026-07-01T00:00:00Z'],
    ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00Z'],
    ['2026-07-01', 'Asia/Kathmandu', '2026-06-30T18:15:00Z'],
    // The clock goes from 00:00 to 01:00: the date begins at 01:00.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00Z'],
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00Z'],
    // The clock goes from 00:00 back to 23:00 of the date before: the date begins an hour later.
    ['2026-10-30', 'Africa/Cairo', '2026-10-29T22:00:00Z'],
    // The clock shows 00:00 twice: the date begins with the first.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00Z'],
    ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00Z'],
  ])('%s in %s begins at %s', (date, zone, instant) => {
    expect(formatInstant(startOfDay(date, zone))).toBe(instant);
  });

  test('it is the first instant of its date, in every zone', () => {
    fc.assert(fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), fc.integer({ min: 0, max: 730 }), (zone, days) => {
      const date = addDays('2026-01-01', days);
      const startMs = startOfDay(date, zone);
      expect(localDateOf(startMs, zone)).toBe(date);
      expect(localDateOf(startMs - 1, zone)).toBe(addDays(date, -1));
    }), { numRuns: 500 });
  });
});

test('days are added in the calendar', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
  expect(addDays('2026-03-28', 0)).toBe('2026-03-28');
});

test('days are counted in the calendar', () => {
  expect(daysUntil('2026-03-28', '2026-03-30')).toBe(2);
  expect(daysUntil('2026-03-28', '2026-03-28')).toBe(0);
  expect(daysUntil('2026-01-01', '2027-01-01')).toBe(365);
  expect(daysUntil('2026-01-01', '2025-12-31')).toBe(-1);
});

test('a week begins with 0, Monday', () => {
  expect(datesBetween('2026-01-05', '2026-01-11').map(weekdayOf)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

describe('datesBetween', () => {
  test('both ends are included', () => {
    expect(datesBetween('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    expect(datesBetween('2026-02-27', '2026-02-27')).toEqual(['2026-02-27']);
  });

  test('it is empty where the end lies before the start', () => {
    expect(datesBetween('2026-02-27', '2026-02-26')).toEqual([]);
    expect(datesBetween('2026-02-27', '2020-02-26')).toEqual([]);
  });
});
