import type { Scope } from './scopes.ts';

export type JsonSchema = { readonly [key: string]: unknown };
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an operation: anybody, any signed-in account, an administrator of the business in the path or a key of it with the
 * scope (`scope: null`: a session only), or a driver.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'account' }
  | { kind: 'business'; scope: Scope | null }
  | { kind: 'driver' };

/** One operation of the interface. Routes, validators, the OpenAPI document, the client and most commands come from this. */
export interface Operation {
  /** `resource.verb`, the operationId. */
  id: string;
  method: Method;
  /** Path template with `{parameters}`. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  access: Access;
  params?: Record<string, JsonSchema>;
  query?: Record<string, JsonSchema>;
  body?: JsonSchema;
  /** The body may be left out; it then counts as an empty object. */
  bodyOptional?: boolean;
  /** The status of success. */
  status: number;
  /** The body of success; none where absent. */
  answer?: JsonSchema;
  /** Content type of an answer that is not plain JSON; with `answer` it is a kind of JSON. */
  produces?: string;
  /** The statuses that the interface names for failures of this operation; the general ones are added to them. */
  errors: readonly number[];
  /** Largest body in bytes; 1 MiB where absent. */
  bodyLimit?: number;
  /** The field of the body that is a long array of byte values: it is taken out while it arrives, and handlers get a Buffer. */
  byteArray?: string;
  /** Long fields of the body and of the answer that stay JSON text: the body is judged in a thread, and handlers get their UTF-8 bytes, shared. */
  textFields?: readonly string[];
  /**
   * The header that it heeds: `If-Match` where it changes the record of its path, which must have that revision (412), `If-None-Match`
   * where whoever has the content already is told so (304). Others ignore both.
   */
  precondition?: 'If-Match' | 'If-None-Match';
  /**
   * The settings update answers 400 for a wrong JSON type or a malformed business id, 401 for a key and 404 for a removed
   * membership, where every other operation says 422, 404, 403 and 403 (spec 4.9).
   */
  settingsUpdate?: boolean;
  example?: { body?: unknown; query?: Record<string, unknown> };
}

const mebibyte = 1024 * 1024;
export const bodyLimits = { ordinary: mebibyte, evidence: 48 * mebibyte, bulk: 64 * mebibyte } as const;

/** The statuses of most operations on a business: spec part 4. */
export const usualErrors = [401, 403, 404, 409, 422, 503] as const;

/** Keeps the literal types of an operation, so that a handler can take the type of its body from it. */
export const operation = <const T extends Operation>(definition: T): T => definition;

export const inBusiness = (scope: Scope | null): Access => ({ kind: 'business', scope });
export const businessPath = '/api/v1/businesses/{id}';
