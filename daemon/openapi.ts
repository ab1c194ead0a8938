import { operations } from '../core/operations.ts';
import type { JsonSchema, Operation } from '../core/contract/operation.ts';
import { errorCodes } from '../core/contract/errors.ts';
import { eventTypes } from '../core/events/schema.ts';
import { describeEvent } from './describe-event.ts';
import { answerExample, exampleOf } from './example-of.ts';

/** The OpenAPI 3.1 document of the operations table. Schemas with a title become components. */
export function openApiDocument(version: string): object {
  const schemas: Record<string, unknown> = { Error: errorSchema };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation, schemas);
  return {
    openapi: '3.1.0',
    info: { title: 'Milkrun', version, summary: 'Route planning and field dispatch.', description: conventions, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This service.' }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name, description: `Operations on ${name.replaceAll('-', ' ')}.` })),
    paths,
    webhooks: Object.fromEntries(eventTypes.map((type) => [type, { post: describeEvent(type, (schema) => component(schema, schemas)) }])),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A session of an administrator or a driver, or an integration key.' } },
      parameters: { IdempotencyKey: idempotencyKey },
      headers: { ETag: etag, Location: location },
      responses: Object.fromEntries(Object.entries(failureNames).map(([status, name]) => [name, failure(meanings[Number(status)], failureHeaders[Number(status)])])),
      schemas,
    },
  };
}

const conventions = [
  'JSON over HTTP. Instants carry an offset and come back in UTC; dates and clock times are those of the business time zone.',
  '**Credentials.** `Authorization: Bearer …` with the session of an administrator (`POST /api/v1/sessions`), an integration key with scopes (`POST /api/v1/businesses/{id}/api-keys`) or the session of a driver (`POST /api/v1/driver/sessions`).',
  '**Errors.** `{ "error": { "code", "message", "details" } }`. What nothing ties to your credential is 404, whether it is there or not.',
  '**Editing.** PUT and PATCH both merge. Records carry a `revision`, which is also their ETag: send it in the body (409 where it is stale) or in `If-Match` (412).',
  '**Lists.** `limit` and `cursor`; `next_cursor` is null at the end. Deleted records stay readable with `record_status=deleted`.',
  '**Repeating.** `Idempotency-Key` (1 to 255 printable ASCII characters) on any POST makes it safe to send again: for 24 hours the same credential gets the first answer, with `Idempotent-Replayed: true`. The same key with another body or query is 422, one whose request still runs 409. A request that was refused leaves its key free. `validate_only=true`, where it is offered, checks and changes nothing.',
  '**Limits.** `RateLimit` and `RateLimit-Policy` say what is left; 429 comes with `Retry-After`. `X-Request-Id` is taken or made, echoed and logged.',
].join('\n\n');

const idempotencyKey = {
  name: 'Idempotency-Key', in: 'header', required: false,
  description: 'Makes the request safe to repeat. For 24 hours the first answer comes again, with `Idempotent-Replayed: true`. The same key with another body or query is 422, one whose request still runs 409. Keys belong to one credential and path.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const errorSchema = {
  type: 'object', required: ['error'], additionalProperties: false,
  properties: {
    error: {
      type: 'object', required: ['code', 'message'], additionalProperties: false,
      properties: {
        code: { type: 'string', enum: errorCodes },
        message: { type: 'string' },
        details: {
          type: 'array', description: 'What is wrong where: a JSON pointer into the body, or ?name for a query parameter.',
          items: { type: 'object', required: ['path', 'message'], additionalProperties: false, properties: { path: { type: 'string' }, message: { type: 'string' } } },
        },
      },
    },
  },
};

const meanings: Record<number, string> = {
  200: 'Done.', 201: 'Created.', 202: 'Accepted: the work goes on in the background.', 204: 'Done; no content.', 304: 'Unchanged: If-None-Match names what is there.',
  400: 'The request could not be read.', 401: 'No valid credential.', 403: 'The credential does not allow this.', 404: 'Not found, or not yours to see.',
  409: 'In conflict with what is there.', 412: 'If-Match does not name the current revision.', 413: 'The body is too large.', 415: 'The body is not JSON.',
  422: 'The request breaks a rule; the details say which.', 429: 'Too many requests.', 503: 'Something that is needed can not be reached.',
};

const failureNames: Record<number, string> = {
  400: 'Malformed', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 409: 'Conflict', 412: 'PreconditionFailed',
  413: 'TooLarge', 415: 'UnsupportedType', 422: 'Invalid', 429: 'RateLimited', 503: 'Unavailable',
};

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 1 } } };

const rateLimitHeaders = {
  ...retryAfter,
  RateLimit: { description: 'Of each limit what is left (r) and the seconds until it is whole again (t): draft-ietf-httpapi-ratelimit-headers. Every counted answer has it.', schema: { type: 'string' }, example: '"credential";r=0;t=42' },
  'RateLimit-Policy': { description: 'Of each limit the requests (q) in a window of seconds (w).', schema: { type: 'string' }, example: '"credential";q=6000;w=60' },
};

const failureHeaders: Record<number, object> = {
  401: { 'WWW-Authenticate': { description: 'How to ask for a credential.', required: true, schema: { type: 'string' }, example: 'Bearer' } },
  429: rateLimitHeaders, 503: retryAfter,
};

const failure = (description: string, headers?: object): object => ({ description, ...(headers ? { headers } : {}), content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } });

function describe(operation: Operation, schemas: Record<string, unknown>): object {
  const { id, summary, description, tag, access, body, answer, status, produces } = operation;
  return {
    operationId: id,
    summary,
    description: [description, accessSentence(access)].filter(Boolean).join(' '),
    ...(access.kind === 'business' && access.scope !== null ? { 'x-scope': access.scope } : {}),
    tags: [tag],
    ...(access.kind === 'public' ? { security: [] } : {}),
    parameters: parametersOf(operation),
    ...(body ? { requestBody: { required: !operation.bodyOptional, content: { 'application/json': { schema: component(body, schemas), ...(operation.example ? { example: operation.example.body } : {}) } } } } : {}),
    responses: {
      [status]: {
        description: meanings[status],
        ...headersOf(operation),
        ...(answer ? { content: { [produces ?? 'application/json']: { schema: component(answer, schemas), example: answerExample(answer, operation.example?.body) } } } : {}),
        ...(produces && !answer ? { content: { [produces]: { schema: { type: 'string' } } } } : {}),
      },
      ...(operation.precondition === 'If-None-Match' ? { 304: { description: meanings[304], headers: { ETag: ref('ETag') } } } : {}),
      ...Object.fromEntries(failuresOf(operation).map((code) => [code, { $ref: `#/components/responses/${failureNames[code]}` }])),
    },
  };
}

const etag = { description: 'What If-Match and If-None-Match compare with: the revision of a record, the SHA-256 of an image or of a route.', required: true, schema: { type: 'string' }, example: '"7"' };
const location = { description: 'Where what was made is; of several records, where they are listed; of work, where to see what becomes of it.', required: true, schema: { type: 'string', format: 'uri-reference' } };
const ref = (name: 'ETag' | 'Location') => ({ $ref: `#/components/headers/${name}` });

/** What tells of a success besides its body. */
function headersOf({ status, answer, precondition }: Operation): object {
  const isRecord = (answer?.required as readonly string[] | undefined)?.includes('revision');
  const headers = {
    ...(status === 201 || status === 202 ? { Location: ref('Location') } : {}),
    ...(isRecord || precondition === 'If-None-Match' ? { ETag: ref('ETag') } : {}),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function accessSentence(access: Operation['access']): string {
  if (access.kind === 'public') return 'Needs no credential.';
  if (access.kind === 'driver') return 'Needs the session of a driver.';
  if (access.kind === 'account') return 'Needs the session of an account.';
  return access.scope === null ? 'Needs the session of an administrator.' : `Needs an administrator, or a key with the scope \`${access.scope}\`.`;
}

function failuresOf({ errors, body, method, precondition }: Operation): number[] {
  const general = [422, ...(body ? [400, 413, 415] : []), ...(precondition === 'If-Match' ? [412] : []), ...(method === 'POST' ? [409] : []), 429];
  return [...new Set([...errors, ...general])].sort((a, b) => a - b);
}

function parametersOf(operation: Operation): object[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const inPath = names.map((name) => ({ name, in: 'path', required: true, description: name === 'id' ? 'The business.' : 'The record.', schema: operation.params?.[name] ?? (name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string', maxLength: 120 }) }))
    .map((parameter) => ({ ...parameter, example: exampleOf(parameter.schema, parameter.name) }));
  const inQuery = Object.entries(operation.query ?? {}).map(([name, { description, ...schema }]) => ({ name, in: 'query', required: false, description: description ?? parameterWords[name] ?? `Only with this ${name.replaceAll('_', ' ')}.`, schema }));
  const precondition = operation.precondition ? [{ name: operation.precondition, in: 'header', required: false, description: preconditions[operation.precondition], schema: { type: 'string' } }] : [];
  const retryKey = operation.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  return [...inPath, ...inQuery, ...precondition, ...retryKey];
}

const preconditions = { 'If-Match': 'The ETag that the record must have.', 'If-None-Match': 'The ETag of what the client has already: 304 where it is the same.' };

const parameterWords: Record<string, string> = { limit: 'Records on a page.' };

/** A schema, or a reference to it where it has a name. Our own keyword for trimming is no part of JSON Schema. */
function component(schema: JsonSchema, schemas: Record<string, unknown>): object {
  if (Array.isArray(schema)) return schema.map((item) => (isObject(item) ? component(item, schemas) : item));
  const { title, ...rest } = schema;
  const copy = Object.fromEntries(Object.entries(rest).flatMap(([key, value]) => (key === 'trim' && typeof value === 'boolean' ? [] : [[key, key !== 'example' && key !== 'enum' && key !== 'const' && key !== 'default' && isObject(value) ? component(value, schemas) : value]])));
  if (typeof title !== 'string') return copy;
  schemas[title] = { title, ...copy };
  return { $ref: `#/components/schemas/${title}` };
}

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
