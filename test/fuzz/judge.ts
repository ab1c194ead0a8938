import type { Described, Document, Promised } from './document.ts';
import { parsed } from './json.ts';
import { schemasOf, type Schemas } from './schemas.ts';
import type { Exchange, Reply, Shot } from './shot.ts';

/** What a request and its answer say against the document; empty where all is as promised. */
export type Judge = (exchange: Exchange) => string[];

/** Spec part 7: the code that goes with a status. */
const codes: Record<number, string> = { 400: 'validation', 401: 'unauthorized', 403: 'unauthorized', 404: 'not_found', 405: 'validation', 408: 'validation', 409: 'conflict', 412: 'conflict', 413: 'validation', 415: 'validation', 417: 'validation', 422: 'validation', 429: 'rate_limited', 431: 'validation', 503: 'unavailable' };

/** Paths of the same service that are no part of the interface. */
const beside = /^\/(livez|readyz|metrics|docs(\/.*)?|api\/v1\/openapi\.json)$/;

/** What an answer must never let out: parts of stack traces, of SQL and of our own files. */
const internals = /\bat \S*[/(]\S*:\d+:\d+|node_modules|\.ts\b|\bselect .+ from\b|\bviolates\b|\brelation "|\bsyntax error at or near|ECONN|\[object /i;

export function judgeOf(document: Document): Judge {
  const schemas = schemasOf(document);

  const body = (promised: Promised, { status, headers, body: bytes }: Reply, { method }: Shot): string[] => {
    const types = Object.keys(promised.content);
    if (types.length === 0) return bytes.length === 0 ? [] : [`${status} has no body, and this has ${bytes.length} bytes`];
    const type = (headers['content-type'] ?? '').split(';')[0];
    const named = types.find((each) => each === type || (each.endsWith('/*') && type.startsWith(each.slice(0, -1))));
    if (named === undefined) return [`the content type is ${JSON.stringify(headers['content-type'])}, not ${types.join(' or ')}`];
    if (method === 'HEAD') return bytes.length === 0 ? [] : ['an answer to HEAD has a body'];
    if (named === 'text/event-stream') return eventsProblems(bytes.toString(), schemas);
    if (named !== 'application/json') return bytes.length > 0 ? [] : ['the content is empty'];
    return schemas.problems(promised.content[named], parsed(bytes));
  };

  /** An error that any path can answer, whether the document names the path or not. */
  const refusal = (reply: Reply, { method }: Shot): string[] => {
    if (method === 'HEAD') return [];
    const value = parsed(reply.body) as { error?: { code?: string } } | undefined;
    const problems = schemas.problems('#/components/schemas/Error', value);
    if (!(reply.headers['content-type'] ?? '').startsWith('application/json')) problems.push(`an error of the type ${reply.headers['content-type']}`);
    if (problems.length === 0 && codes[reply.status] !== value?.error?.code) problems.push(`${reply.status} goes with the code ${codes[reply.status]}, not ${value?.error?.code}`);
    return problems;
  };

  const promisedHeaders = (promised: Promised, { headers }: Reply): string[] => Object.entries(promised.headers).flatMap(([name, { required, schema }]) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    return schemas.problemsOf(schema, schema.type === 'integer' ? Number(value) : value).map((problem) => `${name}: ${value} ${problem}`);
  });

  return ({ shot, reply, operation }) => {
    if (reply.failure) return [reply.failure];
    const { status } = reply;
    const problems: string[] = [];
    if (status >= 500 && status !== 503) problems.push(`a bug: ${status}`);
    if (status >= 400) problems.push(...leaks(reply));
    if (shot.raw || isTooLong(shot) || (status === 417 && shot.headers.expect)) return [...problems, ...(status >= 400 ? refusal(reply, shot) : [])];
    const path = shot.path.split('?')[0];
    if (beside.test(path)) return problems;
    if (!reply.headers['x-request-id']) problems.push('the header X-Request-Id is missing');
    if (operation === undefined) return [...problems, ...elsewhere(document, shot, reply), ...refusal(reply, shot)];
    const promised = operation.responses.get(status);
    if (promised === undefined) return [...problems, `${operation.id} does not declare ${status}`];
    return [
      ...problems, ...body(promised, reply, shot), ...promisedHeaders(promised, reply),
      ...(status >= 400 ? refusal(reply, shot) : [...brokenJob(reply), ...recordProblems(reply, shot), ...undeserved({ shot, reply, operation }, schemas)]),
    ];
  };
}

/** A path that is nothing, or a method that it does not have. */
function elsewhere(document: Document, { method, path }: Shot, { status, headers }: Reply): string[] {
  const bare = path.split('?')[0];
  const here = [...document.at(bare).keys()];
  if (here.length === 0 || !isSound(bare)) return status === 404 ? [] : [`${status} where there is nothing`];
  if (status !== 405) return [`${status} for ${method}, which this path does not have`];
  const allowed = here.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).toSorted();
  const said = (headers.allow ?? '').split(', ').toSorted();
  return JSON.stringify(allowed) === JSON.stringify(said) ? [] : [`Allow says ${headers.allow}, the document ${allowed.join(', ')}`];
}

function isSound(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}

/** Node refuses longer heads before anybody looks at them. */
const isTooLong = ({ path, headers }: Shot): boolean => path.length + Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0) > 15_000;

/** Every record that stands alone carries its revision as ETag. */
function recordProblems({ headers, body }: Reply, { method }: Shot): string[] {
  const revision = method === 'HEAD' ? undefined : (parsed(body) as { revision?: unknown } | undefined)?.revision;
  return typeof revision !== 'number' || headers.etag === `"${revision}"` ? [] : [`the ETag is ${headers.etag}, the revision ${revision}`];
}

/** Success for what the document says can not succeed. */
function undeserved({ shot, reply: { status }, operation }: Exchange & { operation: Described }, schemas: Schemas): string[] {
  const problems: string[] = [];
  if (operation.door !== 'public' && shot.headers.authorization === undefined) problems.push(`${status} without a credential`);
  if (operation.body && shot.body && shot.body.length > 0) {
    const value = parsed(shot.body);
    // Texts are trimmed before they are judged (spec part 7), which a schema has no word for.
    const [wrong] = schemas.problems(operation.body.pointer, value);
    if (wrong && schemas.problems(operation.body.pointer, trimmed(value)).length > 0) problems.push(`${status} for a body that its schema refuses: ${wrong}`);
  }
  if (operation.parameters.some(({ name }) => name === 'If-Match') && /^("0"|"99999999999999")$/.test(shot.headers['if-match'] ?? '')) problems.push(`${status} for If-Match: ${shot.headers['if-match']}`);
  const query = new URLSearchParams(shot.path.split('?')[1] ?? '');
  for (const [name, text] of query) {
    const parameter = operation.parameters.find((each) => each.in === 'query' && each.name === name);
    if (parameter === undefined) problems.push(`${status} for the unknown parameter ${name}`);
    else problems.push(...schemas.problemsOf(parameter.schema, typed(text, parameter.schema)).map((problem) => `${status} for ?${name}=${text}, which ${problem}`));
  }
  return problems;
}

function typed(text: string, { type }: { type?: string }): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

function trimmed(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object' || value === null || depth > 20) return value;
  if (Array.isArray(value)) return value.map((item) => trimmed(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, trimmed(inner, depth + 1)]));
}

/** Planning that ends for a reason that is no client's. */
function brokenJob({ body }: Reply): string[] {
  const { error } = (parsed(body) ?? {}) as { error?: { message?: string } | null };
  return error?.message?.includes('a reason that is ours') ? ['a job failed for a reason that is ours'] : [];
}

function leaks({ body }: Reply): string[] {
  const { message } = (parsed(body) as { error?: { message?: unknown } } | undefined)?.error ?? {};
  const found = typeof message === 'string' ? internals.exec(message) : null;
  return found ? [`the message tells of our insides (${found[0]}): ${String(message).slice(0, 300)}`] : [];
}

/** Server-sent events: each has an id, a type that the document names, and the job as it was. */
function eventsProblems(text: string, schemas: Schemas): string[] {
  return text.split('\n\n').slice(0, -1).flatMap((event) => {
    if (event.startsWith(':')) return [];
    const match = /^id: (\d+)\nevent: (progress|completed|failed|cancelled)\ndata: (.+)$/.exec(event);
    if (match === null) return [`not an event: ${JSON.stringify(event.slice(0, 200))}`];
    return schemas.problems('#/components/schemas/Job', parsed(Buffer.from(match[3])));
  });
}
