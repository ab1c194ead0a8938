import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { invalidAll, malformed, type Problem } from '../core/contract/errors.ts';
import type { JsonSchema, Operation } from '../core/contract/operation.ts';
import { parseInstant } from '../core/time/instants.ts';
import { isLocalDate } from '../core/time/local-dates.ts';
import { isUuid } from '../core/records/ids.ts';

const formats = {
  'date-time': (text: string) => parseInstant(text) !== null,
  date: isLocalDate,
  uuid: isUuid,
  uri: URL.canParse,
};

const words: Record<keyof typeof formats, string> = {
  'date-time': 'must be an RFC 3339 instant with Z or an offset',
  date: 'must be a date such as 2026-03-02',
  uuid: 'must be a UUID',
  uri: 'must be a URL',
};

function compiler(options: { coerce: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: options.coerce, coerceTypes: options.coerce, strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true, formats });
  // Names are trimmed before they are judged (spec part 7).
  ajv.addKeyword({
    keyword: 'trim', type: 'string', schemaType: 'boolean', modifying: true, before: 'maxLength',
    compile: () => (data: string, context?: { parentData: Record<string, unknown>; parentDataProperty: string | number }) => {
      if (context) context.parentData[context.parentDataProperty] = data.trim();
      return true;
    },
  });
  return ajv;
}

const bodies = compiler({ coerce: false });
const queries = compiler({ coerce: true });

export interface Validator {
  body?: (body: unknown) => void;
  query: (query: Record<string, unknown>) => Record<string, unknown>;
}

/** Compiled at the start, so that a broken schema is noticed before the first request. */
export function validatorOf(operation: Operation): Validator {
  const body = operation.body && bodies.compile(operation.body);
  const query = queries.compile({ type: 'object', additionalProperties: false, properties: operation.query ?? {} });
  return {
    ...(body ? { body: (value: unknown) => check(body, value, operation) } : {}),
    query(value) {
      const copy = structuredClone(value);
      if (!query(copy)) throw invalidAll(problemsOf(query.errors ?? []).map(({ path, message }) => ({ path: `?${path.slice(1)}`, message })));
      return copy;
    },
  };
}

function check(validate: ValidateFunction, value: unknown, operation: Operation): void {
  if (validate(value)) return;
  const errors = validate.errors ?? [];
  const wrongType = errors.find((error) => error.keyword === 'type');
  if (operation.settingsUpdate && wrongType) throw malformed(`${wrongType.instancePath || 'the body'} ${wrongType.message}`);
  throw invalidAll(problemsOf(errors));
}

/** One problem for each place: what a combined keyword says on top of its parts is noise. */
function problemsOf(errors: ErrorObject[]): Problem[] {
  return errors.filter((error) => !['if', 'anyOf', 'oneOf'].includes(error.keyword) || errors.length === 1).map(problemOf);
}

const token = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

function problemOf(error: ErrorObject): Problem {
  const { instancePath: path, keyword, params } = error;
  switch (keyword) {
    case 'additionalProperties': return { path: `${path}/${token(String(params.additionalProperty))}`, message: 'is not a known property' };
    case 'required': return { path: `${path}/${token(String(params.missingProperty))}`, message: 'is required' };
    case 'enum': return { path, message: `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}` };
    case 'format': return { path, message: words[params.format as keyof typeof formats] ?? error.message! };
    case 'minLength': return { path, message: params.limit === 1 ? 'must not be blank' : `must have at least ${params.limit} characters` };
    case 'maxLength': return { path, message: `must have at most ${params.limit} characters` };
    default: return { path, message: error.message ?? 'is not valid' };
  }
}

/** The judgement on a body alone: what is wrong with it. */
export function compileBody(schema: JsonSchema): (value: unknown) => Problem[] {
  const validate = bodies.compile(schema);
  return (value) => (validate(value) ? [] : problemsOf(validate.errors ?? []));
}
