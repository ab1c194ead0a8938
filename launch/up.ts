/** `milkrun up`: database, migrations, daemon and workers in one process tree. */

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback, readConfig } from '../core/config.ts';
import { commandOf } from './command-of.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { migrateAll } from './migrate.ts';
import type { ReadyMessage } from './serve.ts';
import { StartError } from './start-error.ts';

type Env = Record<string, string | undefined>;

/** What `up.json` in the data directory tells scripts, while it runs. */
export interface UpFile {
  url: string;
  pid: number;
  databaseUrl: string;
}

interface Part {
  name: 'daemon' | 'worker';
  process: ChildProcess;
  logFile: string;
  ended: Promise<string>;
}

/** A part gets this long to stop before it is killed; a little more than it gives itself. */
const STOP_SECONDS_MAX = 25;
const LOG_BYTES_MAX = 10_000_000;

/** Stands for the database that is not there yet, so that everything else is checked before anything is started. */
const EMBEDDED = 'postgres://milkrun@127.0.0.1/milkrun';

export async function up(env: Env, program: string): Promise<number> {
  const checked = readConfig({ ...env, DATABASE_URL: env.DATABASE_URL?.trim() || EMBEDDED });
  const data = checked.dataDirectory;
  const upFile = join(data, 'up.json');
  refuseSecond(upFile);

  const stopAsked = untilSignal();
  let isStopAsked = false;
  void stopAsked.then(() => { isStopAsked = true; });
  let database: EmbeddedPostgres | undefined;
  const parts: Part[] = [];
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>();
  try {
    // First the database: it makes the data directory in such a way that its user gets through it.
    if (!env.DATABASE_URL?.trim()) {
      database = await startEmbeddedPostgres({ directory: join(data, 'postgres') });
      void database.stopped.then(() => fail(`The database has ended (${join(data, 'postgres/postgres.log')}).`));
    }
    const databaseUrl = database?.url ?? checked.databaseUrl;
    if (isStopAsked) return 0;
    await migrateAll({ databaseUrl });
    if (isStopAsked) return 0;

    const partEnv = {
      ...env, DATABASE_URL: databaseUrl, MILKRUN_DATA: data,
      MILKRUN_REGISTRATION: env.MILKRUN_REGISTRATION?.trim() || (isLoopback(checked.host) ? 'open' : 'closed'),
    };
    const started = (['daemon', 'worker'] as const).map((name) => startPart(name, { program, env: partEnv, data }));
    for (const { part } of started) {
      parts.push(part);
      void part.ended.then(fail);
    }
    const ready = Promise.all(started.map((each) => each.ready));
    const outcome = await Promise.race([ready, failed, stopAsked]);
    if (Array.isArray(outcome)) {
      const url = outcome[0].url ?? '';
      writeUpFile(upFile, { url, pid: process.pid, databaseUrl });
      process.stdout.write(`Milkrun is ready at ${url} (Ctrl-C stops it; logs in ${join(data, 'log')})\n`);
    }
    const reason = typeof outcome === 'string' ? outcome : await Promise.race([failed, stopAsked]);
    if (reason === undefined) return 0;
    process.stderr.write(`${reason}\n`);
    return 1;
  } finally {
    rmSync(upFile, { force: true });
    // New work is refused first, then the work in hand is given back, and the database sees it all.
    for (const part of parts) await stopPart(part);
    await database?.stop();
  }
}

function startPart(name: Part['name'], { program, env, data }: { program: string; env: Env; data: string }): { part: Part; ready: Promise<ReadyMessage> } {
  const logFile = openableLog(data, name);
  const log = openSync(logFile, 'a', 0o600);
  const begin = fstatSync(log).size;
  // A group of its own: Ctrl-C in the terminal reaches us alone, and the parts stop in order. The channel tells them when we are gone.
  const child = spawn(process.execPath, [program, name], { env, detached: true, stdio: ['ignore', log, log, 'ipc'] });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`The ${name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(`The ${name} has ended (${signal ?? `exit code ${code}`}); the end of ${logFile}:\n${tail(logFile, begin)}`));
  });
  const ready = new Promise<ReadyMessage>((resolve) => {
    child.on('message', (message) => { if ((message as Partial<ReadyMessage>).ready) resolve(message as ReadyMessage); });
  });
  return { part: { name, process: child, logFile, ended }, ready };
}

async function stopPart({ process: child, ended }: Part): Promise<void> {
  child.kill('SIGTERM');
  const stubborn = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS_MAX * 1000);
  await ended;
  clearTimeout(stubborn);
}

/** A second Ctrl-C insists: whatever still runs then notices that we are gone, and ends too. */
function untilSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.on('SIGTERM', () => resolve());
  process.once('SIGINT', () => {
    resolve();
    process.once('SIGINT', () => process.exit(1));
  });
  return promise;
}

/** Two that share a data directory would share the database's files. One that was killed leaves its file behind. */
function refuseSecond(upFile: string): void {
  if (!existsSync(upFile)) return;
  const other: UpFile = JSON.parse(readFileSync(upFile, 'utf8'));
  if (other.pid === process.pid || !commandOf(other.pid)?.includes('milkrun')) return;
  throw new StartError(`Milkrun is already running with this data directory: ${other.url}, process ${other.pid} (${upFile}).`);
}

/** Readable by its owner alone, as it holds the password of the database; in place all at once. */
function writeUpFile(path: string, content: UpFile): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(`${path}.draft`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(`${path}.draft`, path);
}

function openableLog(data: string, name: string): string {
  const directory = join(data, 'log');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${name}.log`);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  return file;
}

function tail(file: string, begin: number): string {
  return readFileSync(file).subarray(begin).toString().slice(-2000).trim();
}
