import { expect, test } from '@jest/globals';
import { isTimeZone } from '../../../core/time/zones.ts';

test.each([
  'UTC', 'GMT', 'Etc/UTC', 'Etc/GMT+3', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'EST5EDT',
  'US/Pacific', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev', 'Europe/Kyiv', 'Antarctica/DumontDUrville',
])('%s is a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test('every zone that the runtime lists is one', () => {
  const names = Intl.supportedValuesOf('timeZone');
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter((name) => !isTimeZone(name))).toEqual([]);
});

test.each([
  '', ' ', '+02:00', '+0200', '-03', '+00:00', 'Z', 'UTC+2', 'UTC+02:00', 'Mars/Phobos', 'Europe', 'Europe/', '/Europe/Berlin', 'Europe/Berlin ',
  'europe/berlin', 'Europe/berlin', 'EUROPE/BERLIN', 'utc', 'Utc', 'CEST', 'JST', 'Etc/Unknown', 'Etc/GMT+99', 'Europe/Berlin\n',
  '2026-01-01T00:00:00Z', '2026-01-01T00:00:00+01:00[Europe/Berlin]', '[Europe/Berlin]', 'constructor', '__proto__',
])('%j is none', (name) => {
  expect(isTimeZone(name)).toBe(false);
});
