import { describe, expect, test } from '@jest/globals';
import { judge } from '../../../core/webhooks/judge.ts';
import type { Result } from '../../../core/webhooks/send.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const dayMs = 86_400_000;
const well = { failures: 0, failingSinceMs: null, nowMs, random: 0 };
const answered = (status: number, retryAfterSeconds: number | null = null): Extract<Result, { kind: 'answered' }> => ({ kind: 'answered', status, body: '', retryAfterSeconds, durationMs: 3 });
const failed = { kind: 'failed', error: 'the connection was refused', durationMs: 3 } as const;

test.each([200, 201, 202, 204, 299])('%i is success', (status) => {
  expect(judge(answered(status), well)).toEqual({ kind: 'delivered' });
});

test.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 409, 422, 429, 500, 502, 503, 599])('%i is tried again', (status) => {
  expect(judge(answered(status), well)).toMatchObject({ kind: 'retry', afterSeconds: 5, error: expect.stringContaining(String(status)) });
});

test('a redirect says why it is a failure', () => {
  expect(judge(answered(302), well)).toMatchObject({ error: 'answered 302; redirects are not followed' });
});

test('no answer is tried again', () => {
  expect(judge(failed, { ...well, failures: 3 })).toEqual({ kind: 'retry', afterSeconds: 7_200, error: failed.error, pauseSeconds: 0 });
});

describe('the end', () => {
  test('comes with the tenth failure of a delivery', () => {
    expect(judge(failed, { ...well, failures: 8 }).kind).toBe('retry');
    expect(judge(failed, { ...well, failures: 9 })).toEqual({ kind: 'gave_up', error: failed.error });
    expect(judge(answered(200), { ...well, failures: 9 })).toEqual({ kind: 'delivered' });
  });

  test('of the webhook comes with 410', () => {
    expect(judge(answered(410), well)).toMatchObject({ kind: 'switched_off', reason: expect.stringContaining('410') });
  });

  test('of the webhook comes after five days without a success', () => {
    expect(judge(failed, { ...well, failingSinceMs: nowMs - 5 * dayMs + 1 }).kind).toBe('retry');
    expect(judge(failed, { ...well, failingSinceMs: nowMs - 5 * dayMs })).toMatchObject({ kind: 'switched_off', reason: expect.stringContaining('5 days') });
    expect(judge(answered(204), { ...well, failingSinceMs: nowMs - 6 * dayMs })).toEqual({ kind: 'delivered' });
  });
});

describe('a wait that the endpoint asks for', () => {
  test('is kept for this delivery whatever the status, and for all when it is overloaded', () => {
    expect(judge(answered(500, 90), well)).toMatchObject({ afterSeconds: 90, pauseSeconds: 0 });
    expect(judge(answered(429, 90), well)).toMatchObject({ afterSeconds: 90, pauseSeconds: 90 });
    expect(judge(answered(503, 86_000), well)).toMatchObject({ afterSeconds: 86_000, pauseSeconds: 3_600 });
    expect(judge(answered(429), well)).toMatchObject({ afterSeconds: 5, pauseSeconds: 0 });
  });
});
