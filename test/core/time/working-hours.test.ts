import { expect, test } from '@jest/globals';
import { minutesOf } from '../../../core/time/clock-intervals.ts';
import { gapPolicyOf, intervalsOn } from '../../../core/time/working-hours.ts';
import type { WorkingHours } from '../../../core/time/working-hours.ts';

test('between two intervals a vehicle returns to the warehouse unless it is told to wait', () => {
  expect(gapPolicyOf({ weekly: {}, overrides: {} })).toBe('return_to_warehouse');
  expect(gapPolicyOf({ weekly: {}, overrides: {}, gap_policy: 'return_to_warehouse' })).toBe('return_to_warehouse');
  expect(gapPolicyOf({ weekly: {}, overrides: {}, gap_policy: 'wait' })).toBe('wait');
});

test('a date has the intervals of its override, of its weekday, or none', () => {
  const monday = [{ start: '08:00', end: '12:00' }];
  const holiday = [{ start: '10:00', end: '11:00' }];
  const hours: WorkingHours = { weekly: { 0: monday }, overrides: { '2026-01-12': [], '2026-01-13': holiday } };
  expect(intervalsOn(hours, '2026-01-05')).toBe(monday);
  expect(intervalsOn(hours, '2026-01-06')).toEqual([]);
  expect(intervalsOn(hours, '2026-01-12')).toEqual([]);
  expect(intervalsOn(hours, '2026-01-13')).toBe(holiday);
});

test.each([
  ['08:05', '17:30', 485, 1050],
  ['00:00', '24:00', 0, 1440],
  ['00:00', '00:00', 0, 1440],
  ['22:00', '24:00', 1320, 1440],
  ['22:00', '00:00', 1320, 1440],
  ['22:00', '06:00', 1320, 1800],
  ['08:00', '08:00', 480, 1920],
  ['23:59', '23:58', 1439, 2878],
])('%s to %s are the minutes %d to %d', (start, end, startMinute, endMinute) => {
  expect(minutesOf({ start, end })).toEqual({ start: startMinute, end: endMinute });
});
