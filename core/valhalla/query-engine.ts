import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './child-environment.ts';
import { ValhallaError } from './error.ts';
import { loadFailure } from './load-failure.ts';
import type { NativePackage } from './native-package.ts';
import type { Answers, FromProcess, Query, ToProcess } from './queries.ts';

export interface QueryEngineOptions {
  tiles: string;
  nativePackage: NativePackage;
  /** Requests that the process works on at once. */
  threads: number;
  /** For one request, from when the process takes it on. Nothing but its end stops a request, so the process is killed then. */
  deadlineMs: number;
}

/** One process that answers over one set of tiles: started when there is something to ask, and again when it has gone. */
export interface QueryEngine {
  readonly threads: number;
  /** Refuses with a ValhallaError, or the signal's reason. */
  ask<Q extends Query>(query: Q, signal?: AbortSignal): Promise<Answers[Q['kind']]>;
  /** Takes no more requests, and ends the process after the last answer. */
  close(): Promise<void>;
  /** null while there is none. */
  processId(): number | null;
}

interface Request {
  id: number;
  query: Query;
  /** How often the process went while it had this in hand. */
  crashes: number;
  timer?: NodeJS.Timeout;
  isLate: boolean;
  isSettled: boolean;
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

const START_MS_MAX = 30_000;
const OUTPUT_BYTES_MAX = 4096;

export function startQueryEngine({ tiles, nativePackage, threads, deadlineMs }: QueryEngineOptions): QueryEngine {
  let child: ChildProcess | null = null;
  let isReady = false;
  let output = '';
  let lastId = 0;
  let closing: PromiseWithResolvers<void> | null = null;
  const waiting: Request[] = [];
  const inHand = new Map<number, Request>();

  function ask<Q extends Query>(query: Q, signal?: AbortSignal): Promise<Answers[Q['kind']]> {
    signal?.throwIfAborted();
    if (closing) throw closed();
    const { promise, resolve, reject } = Promise.withResolvers<Answers[Q['kind']]>();
    const request: Request = { id: ++lastId, query, crashes: 0, isLate: false, isSettled: false, resolve: resolve as Request['resolve'], reject };
    const abort = () => { settle(request, () => reject(signal!.reason)); };
    signal?.addEventListener('abort', abort, { once: true });
    waiting.push(request);
    goOn();
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  function goOn(): void {
    for (let i = waiting.length - 1; i >= 0; i--) if (waiting[i]!.isSettled) waiting.splice(i, 1);
    if (waiting.length === 0 && inHand.size === 0 && closing) return end();
    if (waiting.length === 0) return;
    if (child === null) return start();
    while (isReady && waiting.length > 0 && hasRoomFor(waiting[0]!)) give(waiting.shift()!);
  }

  /** A request that may be what killed the process is tried again with no other beside it, so that only the guilty one fails. */
  function hasRoomFor(request: Request): boolean {
    const suspected = [request, ...inHand.values()].some(({ crashes }) => crashes > 0);
    return inHand.size < (suspected ? 1 : threads);
  }

  function give(request: Request): void {
    inHand.set(request.id, request);
    request.timer = setTimeout(() => {
      request.isLate = true;
      child?.kill('SIGKILL');
    }, deadlineMs);
    send(child!, { id: request.id, query: request.query });
  }

  function start(): void {
    const starting = fork(fileURLToPath(new URL('./query-process.ts', import.meta.url)), [tiles, nativePackage.directory], {
      execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: childEnvironment({ UV_THREADPOOL_SIZE: String(threads) }),
      // A Ctrl-C in the terminal is for us, and what we still have to answer needs the process.
      detached: true,
    });
    child = starting;
    output = '';
    const timer = setTimeout(() => starting.kill('SIGKILL'), START_MS_MAX);
    starting.stderr!.setEncoding('utf8').on('data', (text: string) => { output = (output + text).slice(-OUTPUT_BYTES_MAX); });
    starting.on('message', (message: FromProcess) => {
      clearTimeout(timer);
      if (message.kind === 'ready') isReady = true;
      else take(message);
      goOn();
    });
    // Without a process there is no "exit"; with one it follows.
    starting.on('error', (error) => { output += error.message; if (starting.pid === undefined) gone(null); });
    // Not "close", which Node does not send after a disconnection. What it printed last may still be on its way.
    starting.on('exit', async (code, signal) => {
      clearTimeout(timer);
      if (!starting.stderr!.closed) await once(starting.stderr!, 'close');
      gone(signal ?? `code ${code}`);
    });
  }

  function take(message: Exclude<FromProcess, { kind: 'ready' }>): void {
    const request = inHand.get(message.id);
    if (!request) return;
    inHand.delete(request.id);
    clearTimeout(request.timer);
    settle(request, () => {
      if (message.kind === 'answer') request.resolve(message.answer);
      else request.reject(new ValhallaError('refused', `Valhalla refused a request: ${message.message}`));
    });
  }

  /** What it had in hand is asked again once; a process that did not even start is no better the next time. */
  function gone(how: string | null): void {
    const wasReady = isReady;
    child = null;
    isReady = false;
    const interrupted = [...inHand.values()];
    inHand.clear();
    const wasKilledByUs = interrupted.some(({ isLate }) => isLate);
    for (const request of interrupted) {
      clearTimeout(request.timer);
      if (!wasKilledByUs) request.crashes++;
      if (request.isLate) settle(request, () => request.reject(late()));
      else if (request.crashes > 1) settle(request, () => request.reject(crashed(how)));
    }
    waiting.unshift(...interrupted);
    if (!wasReady) {
      const error = loadFailure(output) ?? crashed(how);
      for (const request of waiting) settle(request, () => request.reject(error));
    }
    goOn();
  }

  function settle(request: Request, tell: () => void): void {
    if (request.isSettled) return;
    request.isSettled = true;
    tell();
  }

  function end(): void {
    if (child === null) closing!.resolve();
    else if (child.connected) child.disconnect();
  }

  const closed = () => new ValhallaError('closed', 'These road tiles are not in use any more.');
  const late = () => new ValhallaError('deadline', `Valhalla gave no answer within ${deadlineMs / 1000} seconds; its process was ended and is started again.`);
  const crashed = (how: string | null) => new ValhallaError('crashed', `Valhalla's process ended (${how ?? 'it could not be started'}) instead of answering.`, { output });

  return {
    threads,
    ask: async (query, signal) => ask(query, signal),
    close() {
      closing ??= Promise.withResolvers<void>();
      goOn();
      return closing.promise;
    },
    processId: () => child?.pid ?? null,
  };
}

function send(child: ChildProcess, message: ToProcess): void {
  // A process that has just gone says so by its exit.
  child.send(message, () => {});
}
