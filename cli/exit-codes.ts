/** What the command line tells the shell. The one table: `milkrun help exit-codes` prints it. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  jobFailed: 3,
  jobCancelled: 4,
  notFound: 5,
  conflict: 6,
  notAllowed: 7,
  unavailable: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Record<ExitCode, string> = {
  0: 'done',
  1: 'the service failed (5xx), or something unexpected happened',
  2: 'wrong usage, or input that the service refuses (400, 413, 415, 422)',
  3: 'the job that was followed has failed',
  4: 'the job that was followed was cancelled',
  5: 'not found (404)',
  6: 'in conflict with what is there, such as a stale revision (409, 412)',
  7: 'not signed in or not allowed (401, 403)',
  8: 'the service is not reachable, not ready or busy (503, 429)',
  130: 'left with Ctrl-C',
};

export function exitCodeOfStatus(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || status === 412) return exitCodes.conflict;
  if (status === 429 || status === 503) return exitCodes.unavailable;
  if (status >= 400 && status < 500) return exitCodes.usage;
  return exitCodes.failure;
}
