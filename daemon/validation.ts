import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { invalidAll, malformed, sentenceOf, type Problem } from '../core/contract/errors.ts';
import type { JsonSchema, Operation } from '../core/contract/operation.ts';
import { parseInstant } from '../core/time/instants.ts';
import { isLocalDate } from '../core/time/local-dates.ts';
import { isUuid } from '../core/records/ids.ts';
import type { JsonBody } from './body.ts';

/** 0001-01-01: the database writes the year before it in another way. */
const instantMsMin = -62_135_596_800_000;

const formats = {
  'date-time': (text: string) => (parseInstant(text) ?? -Infinity) >= instantMsMin,
  date: isLocalDate,
  uuid: isUuid,
  uri: isUri,
};

/** RFC 3986 with a scheme and, where there is a name of a host, in ASCII: what browsers take beyond that is not for every client. */
function isUri(text: string): boolean {
  return URL.canParse(text) && /^[a-z][a-z\d+.-]*:(\/\/\[[\da-f:.]+\])?([\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})*$/i.test(text);
}

const words: Record<keyof typeof formats, string> = {
  'date-time': 'must be an RFC 3339 instant with Z or an offset, from the year 0001 on',
  date: 'must be a date such as 2026-03-02',
  uuid: 'must be a UUID',
  uri: 'must be a URL such as https://dispatch.example/hooks, with other characters than those of RFC 3986 percent-encoded',
};

function compiler(options: { allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ ...options, useDefaults: false, strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true, formats });
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

const thorough = compiler({ allErrors: true });
const quick = compiler({ allErrors: false });

/** A body up to this size is told all that is wrong with it. A million wrong nodes of a bigger one would take gigabytes. */
const thoroughBytesMax = 1024 * 1024;

export interface Validator {
  body?: (body: Pick<JsonBody, 'value' | 'sizeBytes'>) => void;
  query: (query: Record<string, string>) => Record<string, unknown>;
}

const validators = new WeakMap<Operation, Validator>();

/** Compiled once, and at the start, so that a broken schema is noticed before the first request. */
export function validatorOf(operation: Operation): Validator {
  const validator = validators.get(operation) ?? { ...(operation.body ? { body: bodyValidator(operation, operation.body) } : {}), query: queryValidator(operation.query ?? {}) };
  validators.set(operation, validator);
  return validator;
}

function bodyValidator(operation: Operation, schema: JsonSchema): NonNullable<Validator['body']> {
  const isRight = quick.compile(schema);
  let judge: ValidateFunction | undefined;
  return ({ value, sizeBytes }) => {
    if (isRight(value)) return;
    let errors = isRight.errors ?? [];
    if (sizeBytes <= thoroughBytesMax) {
      judge ??= thorough.compile(schema);
      judge(value);
      errors = judge.errors ?? errors;
    }
    const wrongType = operation.settingsUpdate && errors.find((error) => error.keyword === 'type');
    if (wrongType) throw malformed(sentenceOf(problemOf(wrongType)));
    throw invalidAll(problemsOf(errors));
  };
}

function queryValidator(properties: Record<string, JsonSchema>): (query: Record<string, string>) => Record<string, unknown> {
  const isRight = thorough.compile({ type: 'object', additionalProperties: false, properties });
  const defaults = Object.fromEntries(Object.entries(properties).flatMap(([name, schema]) => (schema.default === undefined ? [] : [[name, schema.default]])));
  return (query) => {
    const typed = Object.fromEntries(Object.entries(query).map(([name, text]) => [name, Object.hasOwn(properties, name) ? typedValue(text, properties[name]) : text]));
    if (!isRight(typed)) {
      throw invalidAll(problemsOf(isRight.errors ?? []).map(({ path, message }) => ({ path: `?${path.slice(1)}`, message: message === unknownProperty ? 'is not a known parameter' : message })));
    }
    return { ...defaults, ...typed };
  };
}

/** A query string has only texts. What does not look like the type of its schema stays one and fails there. */
function typedValue(text: string, { type }: JsonSchema): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const problemsMax = 100;

/** One problem for each place: what a second keyword says there is noise. Unknown names first, for they explain what is missing. */
function problemsOf(errors: ErrorObject[]): Problem[] {
  const telling = errors.filter((error) => !['if', 'anyOf', 'oneOf'].includes(error.keyword) || errors.length === 1);
  const byPath = new Map<string, Problem>();
  for (const error of [...telling.filter(isUnknownName), ...telling.filter((each) => !isUnknownName(each))]) {
    const problem = problemOf(error);
    if (!byPath.has(problem.path)) byPath.set(problem.path, problem);
    if (byPath.size === problemsMax) break;
  }
  return [...byPath.values()];
}

const isUnknownName = (error: ErrorObject): boolean => error.keyword === 'additionalProperties';
const unknownProperty = 'is not a known property';

const typeWords: Record<string, string> = { string: 'a string', number: 'a number', integer: 'an integer', boolean: 'true or false', object: 'an object', array: 'an array', null: 'null' };

const token = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

function problemOf(error: ErrorObject): Problem {
  const { instancePath: path, keyword, params } = error;
  switch (keyword) {
    case 'additionalProperties': return { path: `${path}/${token(String(params.additionalProperty))}`, message: unknownProperty };
    case 'required': return { path: `${path}/${token(String(params.missingProperty))}`, message: 'is required' };
    case 'type': return { path, message: `${path === '' ? 'the body must' : 'must'} be ${[params.type].flat().map((type: string) => typeWords[type]).join(' or ')}` };
    case 'enum': return { path, message: `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}` };
    case 'format': return { path, message: words[params.format as keyof typeof formats] ?? error.message! };
    case 'minLength': return { path, message: params.limit === 1 ? 'must not be blank' : `must have at least ${params.limit} characters` };
    case 'pattern': return { path, message: 'must not be blank or contain control characters' };
    case 'maxLength': return { path, message: `must have at most ${params.limit} characters` };
    default: return { path, message: error.message ?? 'is not valid' };
  }
}

/** The judgement on a body alone: what is wrong with it. */
export function compileBody(schema: JsonSchema): (value: unknown) => Problem[] {
  const validate = thorough.compile(schema);
  return (value) => (validate(value) ? [] : problemsOf(validate.errors ?? []));
}
