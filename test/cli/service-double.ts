import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema, Operation } from '../../core/contract/operation.ts';
import { operations } from '../../core/operations.ts';

/**
 * A stand-in for the service on a real socket. It takes only what the operations table allows and may answer only what the table
 * promises, so that the command line is tested against the interface and not against a wish.
 */
export interface ServiceDouble {
  url: string;
  /** Every request that was taken, in order. */
  seen: Seen[];
  /** Set by operation id; what is not set answers 404. */
  on: Record<string, Handler>;
  close(): Promise<void>;
}

export interface Seen {
  operation: string;
  parameters: Record<string, string>;
  query: Record<string, string>;
  body: any;
  headers: IncomingMessage['headers'];
}

export interface Reply {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

type Handler = (seen: Seen, response: ServerResponse) => Reply | void | Promise<Reply | void>;

const ajv = new Ajv2020({ allErrors: true, strict: false, allowUnionTypes: true, coerceTypes: false });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
const queryAjv = new Ajv2020({ allErrors: true, strict: false, allowUnionTypes: true, coerceTypes: true });
(formats as unknown as (ajv: Ajv2020) => void)(queryAjv);

const compiled = new Map<unknown, ValidateFunction>();
function validator(schema: JsonSchema): ValidateFunction {
  if (!compiled.has(schema)) compiled.set(schema, ajv.compile(schema));
  return compiled.get(schema)!;
}

const routes = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => `(?<${name}>[^/]+)`)}$`),
}));

export async function startServiceDouble(): Promise<ServiceDouble> {
  const double: ServiceDouble = { url: '', seen: [], on: {}, close: async () => {} };
  const server = createServer((request, response) => {
    answer(double, request, response).catch((error: Error) => { reply(response, { status: 500, body: { error: { code: 'unavailable', message: `the double is at fault: ${error.message}` } } }); });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  double.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  double.close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => { server.close(() => { resolve(); }); });
  };
  return double;
}

async function answer(double: ServiceDouble, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, 'http://double');
  const route = routes.find(({ operation, pattern }) => operation.method === request.method && pattern.test(url.pathname));
  if (!route) return refuse(response, 404, 'not_found', `no route ${request.method} ${url.pathname}`);
  const { operation, pattern } = route;
  const text = await textOf(request);
  const parameters = Object.fromEntries(Object.entries(pattern.exec(url.pathname)!.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]));
  const seen: Seen = { operation: operation.id, parameters, query: Object.fromEntries(url.searchParams), body: text === '' ? undefined : JSON.parse(text), headers: request.headers };
  double.seen.push(seen);
  const problems = problemsOf(operation, seen);
  if (problems.length > 0) return refuse(response, 422, 'validation', problems[0].path + problems[0].message, problems);
  const handler = double.on[operation.id];
  if (!handler) return refuse(response, 404, 'not_found', `nothing here (${operation.id})`);
  const said = await handler(seen, response);
  if (said) reply(response, checked(operation, said));
}

function problemsOf(operation: Operation, { body, query }: Seen): { path: string; message: string }[] {
  const checkQuery = queryAjv.compile({ type: 'object', additionalProperties: false, properties: operation.query ?? {} });
  const validate = operation.body && validator(operation.body);
  const isBodyWrong = validate ? !validate(body ?? (operation.bodyOptional ? {} : undefined)) : body !== undefined;
  const isQueryWrong = !checkQuery({ ...query });
  const errors = [...(isBodyWrong ? (validate?.errors ?? [{ instancePath: '', message: 'takes no body' }]) : []), ...(isQueryWrong ? checkQuery.errors! : [])];
  return errors.map(({ instancePath, message }) => ({ path: instancePath, message: ` ${message}` }));
}

function checked(operation: Operation, said: Reply): Reply {
  const status = said.status ?? operation.status;
  if (status >= 400 || !operation.answer) return { ...said, status };
  const validate = validator(operation.answer);
  if (!validate(said.body)) throw new Error(`${operation.id} may not answer ${ajv.errorsText(validate.errors)}`);
  return { ...said, status };
}

function refuse(response: ServerResponse, status: number, code: string, message: string, details?: unknown[]): void {
  reply(response, { status, body: { error: { code, message, ...(details ? { details } : {}) } } });
}

function reply(response: ServerResponse, { status = 200, body, headers }: Reply): void {
  response.writeHead(status, { 'x-request-id': 'request-1', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
