import { secondsToNextAttempt } from './schedule.ts';
import type { Result } from './send.ts';

/** What becomes of a delivery after an attempt. */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'retry'; afterSeconds: number; error: string; pauseSeconds: number }
  | { kind: 'gave_up'; error: string }
  /** The webhook itself is switched off. */
  | { kind: 'switched_off'; error: string; reason: string };

interface State {
  /** Attempts that failed before this one. */
  failures: number;
  /** Since when the webhook has failed without a success, before this attempt. */
  failingSinceMs: number | null;
  nowMs: number;
  random: number;
}

const daysOfFailuresMax = 5;
const dayMs = 86_400_000;
/** An endpoint that asks for a pause gets it for all its deliveries, within reason. */
const pauseSecondsMax = 3_600;
const gone = 410;
const askForPause = [429, 503];

export function judge(result: Exclude<Result, { kind: 'interrupted' }>, { failures, failingSinceMs, nowMs, random }: State): Outcome {
  if (isSuccess(result)) return { kind: 'delivered' };
  const error = errorOf(result);
  if (result.kind === 'answered' && result.status === gone) return { kind: 'switched_off', error, reason: 'the endpoint answered 410: it is gone' };
  if (failingSinceMs !== null && nowMs - failingSinceMs >= daysOfFailuresMax * dayMs) return { kind: 'switched_off', error, reason: `no delivery has succeeded for ${daysOfFailuresMax} days; the last failure: ${error}` };
  const retryAfterSeconds = result.kind === 'answered' ? result.retryAfterSeconds : null;
  const afterSeconds = secondsToNextAttempt({ failures: failures + 1, retryAfterSeconds, random });
  if (afterSeconds === null) return { kind: 'gave_up', error };
  const isPause = result.kind === 'answered' && askForPause.includes(result.status);
  return { kind: 'retry', afterSeconds, error, pauseSeconds: isPause ? Math.min(retryAfterSeconds ?? 0, pauseSecondsMax) : 0 };
}

export const isSuccess = (result: Result): boolean => result.kind === 'answered' && result.status >= 200 && result.status < 300;

function errorOf(result: Exclude<Result, { kind: 'interrupted' }>): string {
  if (result.kind === 'failed') return result.error;
  return result.status >= 300 && result.status < 400 ? `answered ${result.status}; redirects are not followed` : `answered ${result.status}`;
}
