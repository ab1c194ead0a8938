/** Seconds between an attempt that failed and the next one. Ten attempts within some three days. */
export const retrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** An endpoint that failed for many at once is not asked again by all of them in the same second. */
const jitter = 0.1;
const retryAfterSecondsMax = 86_400;

interface Failure {
  /** Attempts that have failed, this one included, since the delivery was last begun. */
  failures: number;
  /** What the endpoint asked for; null where it did not. */
  retryAfterSeconds: number | null;
  /** From 0 to 1. */
  random: number;
}

/** Seconds until the next attempt, never less than the schedule says and the endpoint asks for; null when there is none. */
export function secondsToNextAttempt({ failures, retryAfterSeconds, random }: Failure): number | null {
  const base = retrySeconds[failures - 1];
  if (base === undefined) return null;
  return Math.max(base * (1 + jitter * random), Math.min(retryAfterSeconds ?? 0, retryAfterSecondsMax));
}

/** A Retry-After header: seconds, or a date. Null where it is neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  // A date of HTTP begins with the day of the week; anything else that JavaScript takes for a date is none.
  const atMs = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}
