import { operations } from '../../core/operations.ts';
import type { Operation } from '../../core/contract/operation.ts';
import { openApiDocument } from '../../daemon/openapi.ts';
import { compileBody } from '../../daemon/validation.ts';

export interface Reply<T = any> { // eslint-disable-line @typescript-eslint/no-explicit-any
  status: number;
  body: T;
  headers: Headers;
  text: string;
}

export interface Client {
  url: string;
  token: string | undefined;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  delete(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** The same service with another credential. */
  as(token: string | undefined): Client;
}

/** A plain client. Every answer that it sees is compared with what the operations table promises. */
export function createClient(url: string, token?: string): Client {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const reply = { status: response.status, headers: response.headers, text, body: /^application\/([\w.-]+\+)?json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined };
    checkReply(method, path.split('?')[0], reply);
    return reply;
  };
  return {
    url, token,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    as: (other) => createClient(url, other),
  };
}

/** General statuses of the contract that any operation may answer. */
const generalStatuses = [400, 405, 412, 413, 415, 429];

const matchers = operations.map((operation) => ({ operation, pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), parameters: operation.path.split('{').length }))
  .sort((a, b) => a.parameters - b.parameters);

export const operationAt = (method: string, path: string): Operation | undefined =>
  matchers.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;

const judges = new Map<string, (value: unknown) => { path: string; message: string }[]>();
const errorSchema = (openApiDocument('test') as { components: { schemas: { Error: object } } }).components.schemas.Error;
const judgeError = compileBody(errorSchema as never);

function checkReply(method: string, path: string, { status, body }: Reply): void {
  const operation = operationAt(method, path);
  if (!operation) return;
  const fail = (what: string): never => {
    throw new Error(`${method} ${path} answered ${status} ${JSON.stringify(body)?.slice(0, 500)}: ${what}`);
  };
  if (status >= 400) {
    if (![...operation.errors, ...generalStatuses, 422, ...(method === 'POST' ? [409] : [])].includes(status)) fail(`${operation.id} does not know this status`);
    const problems = judgeError(body);
    if (problems.length > 0) fail(`not an error of the contract: ${JSON.stringify(problems)}`);
    return;
  }
  if (status !== operation.status) fail(`${operation.id} succeeds with ${operation.status}`);
  if (!operation.answer) return;
  if (!judges.has(operation.id)) judges.set(operation.id, compileBody(operation.answer));
  const problems = judges.get(operation.id)!(body);
  if (problems.length > 0) fail(`not the answer of ${operation.id}: ${JSON.stringify(problems.slice(0, 5))}`);
}
