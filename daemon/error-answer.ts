import { ApiError } from '../core/contract/errors.ts';
import { asUnavailable } from '../core/db/store.ts';

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: { error: { code: string; message: string; details?: { path: string; message: string }[] } };
  /** Something that must not happen: to be logged whole, because the client is told nothing of it. */
  isBug: boolean;
}

/** The one place that turns errors into HTTP. */
export function errorAnswer(thrown: unknown): ErrorAnswer {
  const error = asUnavailable(thrown);
  if (error instanceof ApiError) {
    const { status, code, message, details, headers } = error;
    return { status, headers, body: { error: { code, message, ...(details.length > 0 ? { details } : {}) } }, isBug: false };
  }
  return { status: 500, headers: {}, body: { error: { code: 'unavailable', message: 'something went wrong here; the request id finds it in the log' } }, isBug: true };
}
