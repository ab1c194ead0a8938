import { ApiError } from '../core/contract/errors.ts';
import { operations } from '../core/operations.ts';
import { textOf } from '../core/roads/network-text.ts';
import { parseJson } from './body.ts';
import { validatorOf } from './validation.ts';

/** The bodies of operations with `textFields`: this file runs in a thread where they are long. */

export type Judged =
  | { fields: Record<string, unknown>; refusal?: undefined }
  /** An error of a class does not come out of a thread as one. */
  | { fields?: undefined; refusal: Pick<ApiError, 'status' | 'code' | 'message' | 'details' | 'headers'> };

export function judgeBulk({ operationId, bytes }: { operationId: string; bytes: Uint8Array }): Judged {
  const operation = operations.find(({ id }) => id === operationId)!;
  try {
    const value = parseJson(bytes);
    validatorOf(operation).body!({ value, sizeBytes: bytes.length });
    const fields = value as Record<string, unknown>;
    for (const field of operation.textFields!) if (fields[field] !== undefined) fields[field] = textOf(fields[field]);
    return { fields };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, details, headers } = error;
    return { refusal: { status, code, message, details, headers } };
  }
}
