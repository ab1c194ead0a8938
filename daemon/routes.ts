import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import type { Context } from 'koa';
import { actorOf, credentialKey, type Credential } from '../core/accounts/credential.ts';
import { authenticate } from '../core/accounts/authenticate.ts';
import { authorize } from '../core/accounts/authorize.ts';
import { ApiError, invalid, malformed, unauthorized } from '../core/contract/errors.ts';
import { bodyLimits, type Operation } from '../core/contract/operation.ts';
import type { Intent } from '../core/records/kind.ts';
import { answerWrite } from './answer-write.ts';
import { bearerToken } from './bearer-token.ts';
import { readJson, readRaw, type JsonBody } from './body.ts';
import type { Answer, Call, Handlers, Service } from './call.ts';
import { clientAddress, trustedProxies } from './client-address.ts';
import { sendEvents } from './event-stream.ts';
import { isStorable } from './unstorable-texts.ts';
import { validatorOf, type Validator } from './validation.ts';
import { withGraphs } from './with-graphs.ts';

/** A route for every operation of the table. An operation without a handler, or the reverse, stops the start. */
export function routesOf(operations: readonly Operation[], handlers: Handlers, service: Service): Router {
  const router = new Router({ sensitive: true, strict: true });
  const trusted = trustedProxies(service.config.trustedProxies);
  const unknown = Object.keys(handlers).filter((id) => !operations.some((operation) => operation.id === id));
  if (unknown.length > 0) throw new Error(`handlers without an operation: ${unknown.join(', ')}`);
  for (const operation of mostSpecificFirst(operations)) {
    const handler = handlers[operation.id];
    if (handler === undefined) throw new Error(`the operation ${operation.id} has no handler`);
    const validator = validatorOf(operation);
    router.register(operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), [operation.method], async (context) => {
      context.state.operation = operation;
      const call = await callOf(context, operation, service, clientAddress(context.req, trusted));
      call.query = validator.query(singleValues(context.query));
      const { fields, digest } = await bodyOf(context.req, operation, validator, service);
      call.body = fields;
      const answer = operation.method === 'GET' ? await handler(call) : await answerWrite(call, { operation, context, bodyDigest: digest, handler });
      send(context, operation, answer, call);
    });
  }
  return router;
}

/** `/plans/publish` before `/plans/{record_id}`. */
const mostSpecificFirst = (operations: readonly Operation[]): Operation[] => [...operations].sort((a, b) => parameters(a) - parameters(b));
const parameters = (operation: Operation): number => operation.path.split('{').length;

interface Body {
  fields: Record<string, unknown>;
  digest: Buffer;
}

const nothing: Body = { fields: {}, digest: Buffer.alloc(0) };

/** The fields of the body, judged. */
async function bodyOf(request: IncomingMessage, operation: Operation, { body: judge }: Validator, { bulkBodies }: Service): Promise<Body> {
  if (judge === undefined) return nothing;
  const { bodyLimit: limitBytes = bodyLimits.ordinary, byteArray, textFields } = operation;
  if (textFields) {
    const raw = await readRaw(request, limitBytes);
    return raw ? { fields: await bulkBodies.fieldsOf(operation, raw.bytes), digest: raw.digest } : noBody(operation);
  }
  const body = await readJson(request, { limitBytes, byteArray });
  if (body === undefined) return noBody(operation, judge);
  judge(body);
  return { fields: byteArray === undefined ? (body.value as Record<string, unknown>) : withByteArray(body, byteArray), digest: body.digest };
}

function noBody({ bodyOptional, settingsUpdate }: Operation, judge?: Validator['body']): Body {
  if (!bodyOptional) throw settingsUpdate ? malformed('the body is missing') : invalid('', 'the body is missing');
  judge?.({ value: {}, sizeBytes: 0 });
  return { ...nothing, fields: {} };
}

/** One under an escaped name was not taken out: it has been read like the rest of the body, and judged. */
function withByteArray({ value, byteArray }: JsonBody, field: string): Record<string, unknown> {
  const fields = value as Record<string, number[]>;
  return { ...fields, [field]: byteArray && fields[field].length === 0 ? byteArray : Buffer.from(fields[field]) };
}

async function callOf(context: Context, operation: Operation, service: Service, address: string): Promise<Call> {
  const params = (context as unknown as { params: Record<string, string> }).params;
  const credential = await credentialOf(context, service, operation);
  context.set(await countRequest(service, credential, operation, address));
  await authorize(service.store, operation, credential, params.id);
  context.state.credential = credential;
  const ifMatch = operation.precondition === 'If-Match' ? ifMatchOf(context.get('if-match')) : undefined;
  const gone = new AbortController();
  context.res.on('close', () => gone.abort());
  return {
    service, params, credential,
    query: {},
    body: {},
    businessId: credential?.kind === 'driver' ? credential.businessId : (params.id ?? '').toLowerCase(),
    requestId: context.state.requestId as string,
    address,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(context.get('last-event-id') ? { lastEventId: context.get('last-event-id') } : {}),
    signal: AbortSignal.any([gone.signal, service.stopping]),
  };
}

/** Where no credential is asked for, addresses are counted: that is where codes and passwords could be tried. */
async function countRequest({ limits }: Service, credential: Credential | null, { access }: Operation, address: string): Promise<Record<string, string>> {
  if (credential !== null) return limits.count('credential', credentialKey(credential));
  return access.kind === 'public' ? limits.count('address', address) : {};
}

async function credentialOf(context: Context, service: Service, operation: Operation) {
  if (operation.access.kind === 'public') return null;
  const token = bearerToken(context);
  const credential = token && (await authenticate(service.store, token));
  if (token && credential === null) throw unauthorized('the bearer token is not valid, or not valid any more');
  return credential || null;
}

/** `"7"`, `W/"7"` or several of them. `*` matches anything that exists, and what is no ETag of ours nothing. */
function ifMatchOf(header: string): number[] | undefined {
  const tags = header.split(',').map((tag) => tag.trim());
  if (header.trim() === '' || tags.includes('*')) return undefined;
  return tags.flatMap((tag) => /^(?:W\/)?"(\d{1,10})"$/.exec(tag)?.[1] ?? []).map(Number);
}

function singleValues(query: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value = '']) => {
    if (Array.isArray(value)) throw invalid(`?${name}`, 'is given more than once');
    if (!isStorable(value)) throw invalid(`?${name}`, 'must not contain U+0000');
    return [name, value];
  }));
}

function send(context: Context, operation: Operation, answer: Answer, call: Call): void {
  context.set(answer.headers ?? {});
  context.status = operation.status;
  if (answer.stream) return sendEvents(context, answer.stream);
  if (answer.content) return sendContent(context, answer.content);
  if (answer.body === undefined) {
    context.body = null;
    context.status = operation.status;
    return;
  }
  const revision = (answer.body as { revision?: unknown }).revision;
  if (typeof revision === 'number') context.set('ETag', `"${revision}"`);
  context.type = 'application/json';
  context.body = answer.graphs?.length ? withGraphs(call, answer.body, answer.graphs) : JSON.stringify(answer.body);
}

/** The type and the ETag are among the headers. Whoever has it already is told so. */
function sendContent(context: Context, { bytes, sizeBytes }: NonNullable<Answer['content']>): void {
  const known = context.get('if-none-match').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(context.response.get('etag'))) {
    bytes.destroy();
    context.status = 304;
    return;
  }
  context.body = bytes;
  context.length = sizeBytes;
}

export const intentOf = (call: Call): Intent => ({ actorId: actorOf(call.credential!), requestId: call.requestId, ...(call.ifMatch === undefined ? {} : { ifMatch: call.ifMatch }) });

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Of two routes that fit a path (`…/plans/publish` is a record's path too) each brings its methods. */
export function methodNotAllowed(found: string[]): ApiError {
  const allowed = methods.filter((method) => found.includes(method));
  return new ApiError(405, 'validation', `the method is not one of ${allowed.join(', ')}`, { headers: { Allow: allowed.join(', ') } });
}
