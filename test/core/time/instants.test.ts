import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatInstant, parseInstant } from '../../../core/time/instants.ts';

describe('parseInstant', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2026-03-29T01:00:00Z', 1_774_746_000_000],
    ['2026-03-29T03:00:00+02:00', 1_774_746_000_000],
    ['2026-03-28T15:30:00-09:30', 1_774_746_000_000],
    ['2026-03-29t01:00:00z', 1_774_746_000_000],
    ['2026-03-29T01:00:00-00:00', 1_774_746_000_000],
    ['2026-03-29T01:00:00.5Z', 1_774_746_000_500],
    ['2026-03-29T01:00:00.25Z', 1_774_746_000_250],
    ['2026-03-29T01:00:00.123Z', 1_774_746_000_123],
    ['1969-12-31T23:59:59.999Z', -1],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ])('%s is %d', (text, ms) => {
    expect(parseInstant(text)).toBe(ms);
  });

  test('digits below the millisecond are dropped, however many there are', () => {
    expect(parseInstant('1970-01-01T00:00:01.1239Z')).toBe(1123);
    expect(parseInstant('1970-01-01T00:00:01.123456789012345678901234567890Z')).toBe(1123);
    expect(parseInstant('1969-12-31T23:59:59.9999Z')).toBe(-1);
  });

  test.each([
    ['no offset', '2026-03-29T01:00:00'],
    ['a date alone', '2026-03-29'],
    ['nothing', ''],
    ['a word', 'tomorrow'],
    ['epoch milliseconds', '1774746000000'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February of a common year', '2026-02-29T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['no seconds', '2026-01-01T00:00Z'],
    ['an empty fraction', '2026-01-01T00:00:00.Z'],
    ['a decimal comma', '2026-01-01T00:00:00,5Z'],
    ['a space for the T', '2026-01-01 00:00:00Z'],
    ['the basic format', '20260101T000000Z'],
    ['an offset without colon', '2026-01-01T00:00:00+0200'],
    ['an offset of hours alone', '2026-01-01T00:00:00+02'],
    ['an offset with seconds', '2026-01-01T00:00:00+02:00:00'],
    ['an offset of 24 hours', '2026-01-01T00:00:00+24:00'],
    ['an offset of 60 minutes', '2026-01-01T00:00:00+01:60'],
    ['a Unicode minus', '2026-01-01T00:00:00\u221202:00'],
    ['a bracketed zone', '2026-01-01T00:00:00+01:00[Europe/Berlin]'],
    ['a bracketed calendar', '2026-01-01T00:00:00Z[u-ca=hebrew]'],
    ['a year of six digits', '+002026-01-01T00:00:00Z'],
    ['white space around it', ' 2026-01-01T00:00:00Z'],
    ['a line feed after it', '2026-01-01T00:00:00Z\n'],
    ['other digits', '٢٠٢٦-01-01T00:00:00Z'],
    ['a year after 9999 in UTC', '9999-12-31T23:59:59-00:01'],
    ['a year before 0000 in UTC', '0000-01-01T00:00:00+00:01'],
  ])('%s is refused', (_name, text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test('no text makes it throw', () => {
    fc.assert(fc.property(fc.string(), (text) => { parseInstant(text); }));
  });
});

describe('formatInstant', () => {
  test('whole seconds have no fraction', () => {
    expect(formatInstant(0)).toBe('1970-01-01T00:00:00Z');
    expect(formatInstant(1_774_746_000_000)).toBe('2026-03-29T01:00:00Z');
    expect(formatInstant(-1000)).toBe('1969-12-31T23:59:59Z');
  });

  test('anything else has three digits', () => {
    expect(formatInstant(500)).toBe('1970-01-01T00:00:00.500Z');
    expect(formatInstant(-1)).toBe('1969-12-31T23:59:59.999Z');
  });

  test('a number that is no instant is refused', () => {
    expect(() => formatInstant(NaN)).toThrow('integer');
    expect(() => formatInstant(0.5)).toThrow('integer');
  });

  test('what is written reads back, and reads the same with any offset', () => {
    fc.assert(fc.property(
      fc.integer({ min: -62_167_219_200_000 + 86_400_000, max: 253_402_300_799_999 - 86_400_000 }), fc.integer({ min: -1439, max: 1439 }),
      (ms, offsetMinutes) => {
        expect(parseInstant(formatInstant(ms))).toBe(ms);
        const local = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, -1);
        const [hours, minutes] = [Math.trunc(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60].map((n) => String(n).padStart(2, '0'));
        expect(parseInstant(`${local}${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`)).toBe(ms);
      },
    ));
  });
});
