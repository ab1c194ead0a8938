import { describe, expect, test } from '@jest/globals';
import { parseRetryAfter, secondsToNextAttempt } from '../../../core/webhooks/schedule.ts';

const plan = (random: number) => Array.from({ length: 10 }, (_, index) => secondsToNextAttempt({ failures: index + 1, retryAfterSeconds: null, random }));

describe('the wait after a failed attempt', () => {
  test('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, and then there is no more', () => {
    expect(plan(0)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  });

  test('is longer by a tenth at most', () => {
    expect(plan(1).map((seconds) => seconds && Math.round(seconds * 10) / 10)).toEqual([5.5, 330, 1_980, 7_920, 19_800, 39_600, 55_440, 79_200, 95_040, null]);
  });

  test('is as long as the endpoint asks for, within a day', () => {
    const asked = (retryAfterSeconds: number) => secondsToNextAttempt({ failures: 1, retryAfterSeconds, random: 0 });
    expect([asked(0), asked(4), asked(120), asked(86_400), asked(9_999_999)]).toEqual([5, 5, 120, 86_400, 86_400]);
  });

  test('does not begin anew because the endpoint asks for a wait', () => {
    expect(secondsToNextAttempt({ failures: 10, retryAfterSeconds: 60, random: 0 })).toBeNull();
  });
});

test.each([
  ['120', 120], [' 7 ', 7], ['0', 0],
  ['Sat, 21 Nov 2026 12:01:00 GMT', 60], ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['soon', null], ['-5', null], ['1.5', null], ['', null], [undefined, null], ['99999999999', null], ['2026', 2_026],
])('Retry-After %j means %j seconds', (header, seconds) => {
  expect(parseRetryAfter(header, Date.parse('2026-11-21T12:00:00Z'))).toBe(seconds);
});
