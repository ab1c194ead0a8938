import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { JsonSchema } from './operation.ts';

/** Building blocks of the wire shapes: JSON Schema literals, from which the types come. */

export const idSchema = { type: 'string', minLength: 1, maxLength: 120, pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$', description: 'Unique within the business; 1 to 120 characters, no control characters, not blank.' } as const;
export const uuidSchema = { type: 'string', format: 'uuid' } as const;
export const nameSchema = { type: 'string', trim: true, minLength: 1, maxLength: 200 } as const;
export const instantSchema = { type: 'string', format: 'date-time' } as const;
export const dateSchema = { type: 'string', format: 'date' } as const;
export const emailSchema = { type: 'string', minLength: 3, maxLength: 320, description: 'Trimmed and put into lower case.' } as const;
export const nullable = <const T extends { readonly type: string }>(schema: T) => ({ ...schema, type: [schema.type, 'null'] }) as unknown as Nullable<T>;
type Nullable<T extends { readonly type: string }> = Omit<T, 'type'> & { readonly type: readonly [T['type'], 'null'] };

export const locationSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['latitude', 'longitude'],
  properties: {
    latitude: { type: 'number', minimum: -90, maximum: 90 },
    longitude: { type: 'number', minimum: -180, maximum: 180 },
  },
} as const;
export type Location = FromSchema<typeof locationSchema>;

/** The fields that every stored record has: spec 2.1. */
export const recordFields = {
  id: idSchema,
  created_at: instantSchema,
  updated_at: instantSchema,
  revision: { type: 'integer', minimum: 1, description: 'Current version. Where a client sends it, it must be the current one.' },
  deleted_at: nullable(instantSchema),
  deleted_by: nullable(uuidSchema),
} as const;

export type Fields = Record<string, JSONSchema>;

/** The answer to a read: all fields of the shape and the common ones. */
export function recordOf(title: string, fields: Fields, always: readonly string[] = Object.keys(fields)): JsonSchema {
  return {
    title, type: 'object', additionalProperties: false,
    required: [...Object.keys(recordFields), ...always],
    properties: { ...recordFields, ...fields },
  };
}

/** System-managed fields are accepted and ignored, so that what was read can be sent back. */
const ignored = { readOnly: true } as const;
const ignoredRecordFields = { created_at: ignored, updated_at: ignored, deleted_at: ignored, deleted_by: ignored };

interface InputOptions {
  required?: readonly string[];
  /** Names of system-managed fields of this shape. */
  readOnly?: readonly string[];
}

/** The body of a creation. */
export function inputOf(title: string, fields: Fields, options: InputOptions = {}): JsonSchema {
  return { title: `${title}Input`, ...bodyOf(fields, { id: { ...idSchema, trim: true }, revision: ignored }, options), required: options.required ?? [] };
}

/** The body of an update: nothing is required, because it is merged into the stored record. */
export function patchOf(title: string, fields: Fields, options: InputOptions = {}): JsonSchema {
  return { title: `${title}Update`, ...bodyOf(fields, { id: ignored, revision: recordFields.revision }, options) };
}

function bodyOf(fields: Fields, identity: Record<string, object>, options: InputOptions) {
  const managed = Object.fromEntries((options.readOnly ?? []).map((name) => [name, ignored]));
  return { type: 'object', additionalProperties: false, properties: { ...identity, ...ignoredRecordFields, ...fields, ...managed } };
}

export function listOf(item: JsonSchema): JsonSchema {
  return {
    title: `${String(item.title)}List`, type: 'object', additionalProperties: false, required: ['items', 'next_cursor'],
    properties: { items: { type: 'array', items: item }, next_cursor: { type: ['string', 'null'] } },
  };
}

/** What a client may send for a shape: every field optional, the required ones are checked by the schema. */
export type FieldsOf<F extends Fields> = { -readonly [K in keyof F]?: F[K] extends JSONSchema ? FromSchema<F[K]> : never };

export const listQuery = {
  record_status: { type: 'string', enum: ['active', 'deleted', 'all'], default: 'active', description: 'Deleted records are read-only history.' },
  q: { type: 'string', maxLength: 200, description: 'Words to look for.' },
  limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 10_000 },
  cursor: { type: 'string', maxLength: 1_000, description: 'The next_cursor of the page before.' },
} as const;

export const viewQuery = {
  view: { type: 'string', enum: ['planning', 'published'], default: 'planning', description: 'The latest planning version or the last published snapshot.' },
} as const;

/** The parts of a query string that every list has, after validation. */
export interface ListQuery {
  record_status?: 'active' | 'deleted' | 'all';
  q?: string;
  limit?: number;
  cursor?: string;
}
