import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../../launch/embedded-postgres.ts';
import { migrateAll } from '../../launch/migrate.ts';

/** What the service under fuzz needs besides a database and folders. */
export const fuzzEnvironment = { MILKRUN_RATE_LIMIT: 'off', MILKRUN_WEBHOOK_TARGETS: 'any', MILKRUN_REGISTRATION: 'open', MILKRUN_SOLVER_THREADS: '1' };

/** Daemon and workers as processes of their own on a new database, so that the memory of the daemon is its own. */
export async function startProcesses() {
  const directory = mkdtempSync(join(tmpdir(), 'milkrun-fuzz-'));
  const postgres = await startEmbeddedPostgres({ directory, isTemporary: true });
  await migrateAll({ databaseUrl: postgres.url });
  const env = { ...process.env, ...fuzzEnvironment, DATABASE_URL: postgres.url, MILKRUN_PORT: '0', MILKRUN_LOG_LEVEL: 'warn', MILKRUN_DATA: join(directory, 'files'), MILKRUN_MAP_SOURCE: join(directory, 'maps') };
  const log: Log = { byRequest: new Map(), bugs: new Map() };
  const [daemon, worker] = await Promise.all([start('daemon', env, log), start('worker', env, log)]);
  return {
    url: daemon.url!,
    databaseUrl: postgres.url,
    /** Errors of background work that nobody but us can have caused, and how often. */
    bugs: log.bugs,
    residentMegabytes: () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024),
    /** What the daemon has logged about a request. */
    async logOf(requestId: string | undefined): Promise<string> {
      await sleep(logMsMax);
      return log.byRequest.get(requestId ?? '') ?? '';
    },
    async stop() {
      for (const { child } of [daemon, worker]) await ended(child);
      await postgres.stop();
    },
  };
}

/** So long an answer may be ahead of what is logged about it. */
const logMsMax = 300;

interface Log {
  byRequest: Map<string, string>;
  bugs: Map<string, number>;
}

async function start(command: string, env: NodeJS.ProcessEnv, log: Log) {
  const child = fork(fileURLToPath(new URL('../../bin/milkrun.ts', import.meta.url)), [command], { env, silent: true });
  createInterface({ input: child.stderr! }).on('line', (line) => note(line, log));
  const { url } = await new Promise<{ url?: string }>((resolve, reject) => {
    child.once('message', resolve as never).once('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
  });
  return { child, url };
}

/** A line about a request is kept for the case that its answer is wrong. */
function note(line: string, { byRequest, bugs }: Log): void {
  const { requestId, queue, err, msg } = parsedLine(line);
  if (requestId !== undefined) byRequest.set(requestId, `${msg}: ${err?.stack ?? ''}`.slice(0, 4_000));
  else if (queue !== undefined && err) bugs.set(err.message, (bugs.get(err.message) ?? 0) + 1);
  else process.stderr.write(`${line.slice(0, 2_000)}\n`);
}

function parsedLine(line: string): { requestId?: string; queue?: string; msg?: string; err?: { message: string; stack?: string } } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

async function ended(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit');
  child.kill('SIGTERM');
  if (child.exitCode === null) await new Promise((resolve) => { child.once('exit', resolve); });
}
