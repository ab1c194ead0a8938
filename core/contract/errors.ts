/** The errors of the interface: what went wrong in words that a client may see. Anything else that is thrown is a bug. */

export const errorCodes = ['validation', 'unauthorized', 'not_found', 'conflict', 'unavailable', 'rate_limited'] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One thing that is wrong with the input: where (a JSON pointer) and which rule it breaks. */
export interface Problem {
  path: string;
  message: string;
}

export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: Problem[];
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorCode, message: string, extra: { details?: Problem[]; headers?: Record<string, string> } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = extra.details ?? [];
    this.headers = extra.headers ?? {};
  }
}

export const malformed = (message: string) => new ApiError(400, 'validation', message);
export const unauthorized = (message = 'a valid bearer token is required') =>
  new ApiError(401, 'unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
export const forbidden = (message: string) => new ApiError(403, 'unauthorized', message);
export const notFound = (kind: string, id?: string) => new ApiError(404, 'not_found', id === undefined ? `no such ${kind}` : `no ${kind} with id ${JSON.stringify(id)}`);
export const conflict = (message: string, details: Problem[] = []) => new ApiError(409, 'conflict', message, { details });
export const taken = (kind: string, id: string, path = '/id') => conflict(`the id ${JSON.stringify(id)} is taken: a ${kind} has it, or had it before it was deleted`, [{ path, message: 'is taken' }]);
export const stale = (kind: string, expected: number, current: number) =>
  conflict(`the ${kind} has changed: revision ${expected} was expected, ${current} is current; read it again`, [{ path: '/revision', message: `is ${current} now` }]);
export const preconditionFailed = (current: number) => new ApiError(412, 'conflict', `If-Match does not name the current revision "${current}"`);
export const tooLarge = (limitBytes: number) => new ApiError(413, 'validation', `the body is larger than ${limitBytes} bytes`);
export const unsupportedType = () => new ApiError(415, 'validation', 'the body must be application/json');
export const unavailable = (message: string) => new ApiError(503, 'unavailable', message, { headers: { 'Retry-After': '5' } });

export const invalid = (path: string, message: string) => invalidAll([{ path, message }]);

/** All problems at once; the first one is the message. */
export function invalidAll(problems: Problem[]): ApiError {
  return new ApiError(422, 'validation', sentenceOf(problems[0]), { details: problems });
}

export const sentenceOf = ({ path, message }: Problem): string => (path === '' ? message : `${path} ${message}`);

export function throwIfAny(problems: Problem[]): void {
  if (problems.length > 0) throw invalidAll(problems);
}
