import { exitCodeOfStatus, exitCodes, type ExitCode } from './exit-codes.ts';

/** A command that ends early for a reason which its user can understand. `hint` says what to do next. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

export const wrongUsage = (message: string, hint?: string) => new CommandFailure(exitCodes.usage, message, hint);
export const unreachable = (url: string, reason: string) =>
  new CommandFailure(exitCodes.unavailable, `no answer from ${url} (${reason})`, 'is it running? start it with: milkrun up; or name another one with --url');
export const timedOut = (url: string, timeoutMs: number) =>
  new CommandFailure(exitCodes.unavailable, `${url} did not answer within ${timeoutMs / 1000} s`, 'give it longer with --timeout <seconds>; what was asked for may still happen');

/** A refusal by the service, in its own words. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly status: number;
  readonly code: string | undefined;
  readonly details: readonly { path: string; message: string }[];
  readonly requestId: string | undefined;

  constructor(status: number, message: string, more: { code?: string; details?: readonly { path: string; message: string }[]; requestId?: string } = {}) {
    super(message);
    this.status = status;
    this.code = more.code;
    this.details = more.details ?? [];
    this.requestId = more.requestId;
  }
}

export const isStatus = (error: unknown, ...statuses: number[]): error is ServiceError => error instanceof ServiceError && statuses.includes(error.status);

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode;
  if (error instanceof ServiceError) return exitCodeOfStatus(error.status);
  return exitCodes.failure;
}
