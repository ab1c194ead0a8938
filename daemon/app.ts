import { randomUUID } from 'node:crypto';
import Koa, { type Context, type Next } from 'koa';
import { operations } from '../core/operations.ts';
import { ApiError, malformed } from '../core/contract/errors.ts';
import type { Operation } from '../core/contract/operation.ts';
import { inRequest } from '../core/events/request-scope.ts';
import type { Service } from './call.ts';
import { docsRoutes } from './docs/routes.ts';
import { errorAnswer } from './error-answer.ts';
import { handlers } from './handlers/index.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { probeRoutes } from './probes.ts';
import { methodNotAllowed, routesOf } from './routes.ts';
import { isStorable } from './unstorable-texts.ts';

/** The HTTP application: request ids, errors, figures, then the routes of the operations table. */
export function createApp(service: Service): Koa {
  const app = new Koa();
  // What goes wrong while an answer is on its way: mostly clients that have gone.
  app.on('error', (error: unknown, context?: Context) => service.log.warn({ err: error, requestId: context?.state.requestId }, 'an answer was cut off'));
  const metrics = createMetrics();
  const routes = routesOf(operations, handlers, service);
  app.use(withRequestId);
  app.use(observed(service, metrics));
  app.use(withErrors(service));
  app.use(withHost);
  app.use(probeRoutes(service, metrics).routes());
  app.use(docsRoutes().routes());
  app.use(async (context, next) => {
    const match = routes.match(soundPath(context), context.method);
    if (!match.route && match.path.length > 0) throw methodNotAllowed(match.path.flatMap((layer) => layer.methods));
    await next();
  });
  app.use(routes.routes());
  app.use(() => {
    throw new ApiError(404, 'not_found', 'there is nothing at this path; GET /api/v1/openapi.json lists what there is');
  });
  return app;
}

/** The path as it came; one that nothing can be found under is refused before anybody looks. */
function soundPath({ path }: Context): string {
  if (!isSound(path)) throw new ApiError(404, 'not_found', 'the path is not well-formed');
  return path;
}

function isSound(path: string): boolean {
  try {
    return isStorable(decodeURIComponent(path));
  } catch {
    return false;
  }
}

const requestIdPattern = /^[\x21-\x7e]{1,200}$/;

function withRequestId(context: Context, next: Next): Promise<void> {
  const given = context.get('x-request-id');
  context.state.requestId = requestIdPattern.test(given) ? given : randomUUID();
  context.set('X-Request-Id', context.state.requestId as string);
  return inRequest(context.state.requestId as string, next);
}

/** Which host is asked for is part of every request since HTTP/1.1 (RFC 9112, section 3.2). */
function withHost({ req }: Context, next: Next): Promise<void> {
  if (req.headers.host === undefined && req.httpVersion === '1.1') throw malformed('the Host header is missing');
  return next();
}

/** One log line and one observation for each request. Labels are route templates, so that no id of a business gets into the figures. */
const observed = ({ log }: Service, metrics: Metrics) => async (context: Context, next: Next): Promise<void> => {
  const startedMs = performance.now();
  await next();
  const seconds = (performance.now() - startedMs) / 1_000;
  const operation = context.state.operation as Operation | undefined;
  metrics.observe({ method: context.method, route: operation?.path ?? 'none', status: context.status, seconds });
  log.info({ requestId: context.state.requestId, method: context.method, path: context.path, operation: operation?.id, status: context.status, ms: Math.round(seconds * 1_000) }, 'request');
};

const withErrors = ({ log }: Service) => async (context: Context, next: Next): Promise<void> => {
  try {
    await next();
  } catch (error) {
    const { status, headers, body, isBug } = errorAnswer(error);
    if (isBug) log.error({ err: error, requestId: context.state.requestId, operation: (context.state.operation as Operation | undefined)?.id }, 'a request met a bug');
    context.status = status;
    context.set(headers);
    context.type = 'application/json';
    context.body = JSON.stringify(body);
    // What the client still sends of a refused body is not waited for.
    if (!context.req.complete && (status === 413 || status === 415)) context.set('Connection', 'close');
  }
};
