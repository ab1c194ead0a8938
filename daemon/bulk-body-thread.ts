import { ApiError } from '../core/contract/errors.ts';
import type { Operation } from '../core/contract/operation.ts';
import { operations } from '../core/operations.ts';
import { textOf } from '../core/roads/network-text.ts';
import { parseJson } from './body.ts';
import { validatorOf, type Validator } from './validation.ts';

/** The bodies of operations with `textFields`: this file runs in a thread where they are long. */

export type Judged =
  | { fields: Record<string, unknown>; refusal?: undefined }
  /** An error of a class does not come out of a thread as one. */
  | { fields?: undefined; refusal: Pick<ApiError, 'status' | 'code' | 'message' | 'details' | 'headers'> };

const judges = new Map<string, { operation: Operation; validator: Validator }>();

function judgeOf(id: string): { operation: Operation; validator: Validator } {
  const operation = operations.find((each) => each.id === id)!;
  const judge = judges.get(id) ?? { operation, validator: validatorOf(operation) };
  judges.set(id, judge);
  return judge;
}

export function judgeBulk({ operationId, bytes }: { operationId: string; bytes: Uint8Array }): Judged {
  const { operation, validator } = judgeOf(operationId);
  try {
    const value = parseJson(bytes);
    validator.body!({ value, sizeBytes: bytes.length });
    const fields = value as Record<string, unknown>;
    for (const field of operation.textFields!) if (fields[field] !== undefined) fields[field] = textOf(fields[field]);
    return { fields };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, details, headers } = error;
    return { refusal: { status, code, message, details, headers } };
  }
}
