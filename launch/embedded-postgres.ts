/** A PostgreSQL of our own: made on the first start, run as a child, stopped with its parent, whatever ends the parent. */

import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync, chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync,
  symlinkSync, writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { commandOf } from './command-of.ts';
import { canReach, findDatabaseUser, idsOf } from './database-user.ts';
import type { DatabaseUser } from './database-user.ts';
import { findPostgresBinaries, sharedDirectory } from './postgres-binaries.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { StartError } from './start-error.ts';

export interface EmbeddedPostgresOptions {
  /** Where the cluster, its password and its log are. Made where it does not exist. */
  directory: string;
  /** For tests: nothing is synced to disk, and the directory goes when the server stops, also after a SIGKILL of the parent. */
  isTemporary?: boolean;
}

export interface EmbeddedPostgres {
  /** The database `milkrun`, as its owner and superuser. */
  url: string;
  /** Resolves when the server is gone, asked or not. */
  stopped: Promise<void>;
  stop(): Promise<void>;
}

const DATABASE = 'milkrun';
const START_SECONDS_MAX = 60;
const STOP_SECONDS_MAX = 20;
/** How long a server whose parent was killed may take to leave the directory. */
const LEAVE_SECONDS_MAX = 15;
const PORT_ATTEMPTS = 5;

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { isTemporary = false } = options;
  const { directory, user } = prepareDirectory(options.directory);
  const binaries = findPostgresBinaries(user);
  const cluster = join(directory, 'data');
  const place = { directory, cluster, binaries, user, isTemporary };
  if (!existsSync(cluster)) makeCluster(place);
  checkVersion(cluster, binaries);
  await waitUntilFree(cluster);

  const { server, port } = await startServer(place);
  const password = readFileSync(join(directory, 'password'), 'utf8').trim();
  const postgres = {
    url: `postgres://${DATABASE}:${password}@127.0.0.1:${port}/${DATABASE}`,
    stopped: new Promise<void>((resolve) => { server.once('exit', () => resolve()); }),
    stop: async () => {
      await stopServer(server);
      // The shell empties the directory, and may not be allowed to remove it.
      if (isTemporary) for (const path of [directory, options.directory]) rmSync(path, { recursive: true, force: true });
    },
  };
  try {
    await createDatabase(postgres.url);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
}

/** The directory as the database's user can reach it, and that user. */
function prepareDirectory(wanted: string): { directory: string; user: DatabaseUser | null } {
  const parent = dirname(wanted);
  const isNew = mkdirSync(parent, { recursive: true }) !== undefined;
  const user = findDatabaseUser(wanted);
  if (user === null) {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    return { directory: realpathSync(wanted), user };
  }
  // Passing through is enough; what the data directory holds has permissions of its own.
  if (isNew) chmodSync(parent, 0o711);
  mkdirSync(wanted, { recursive: true, mode: 0o700 });
  chownSync(wanted, user.uid, user.gid);
  if (!canReach(wanted, user) && readdirSync(wanted).length === 0) moveToSharedDirectory(wanted, user);
  const directory = realpathSync(wanted);
  if (canReach(directory, user)) return { directory, user };
  throw new StartError(`PostgreSQL does not run as root, and the user "${user.name}" cannot reach ${directory}. `
    + 'Choose another data directory (MILKRUN_DATA) or set DATABASE_URL.');
}

/** Root's home is closed to others. The cluster then goes to a public place, and a link in the data directory leads there. */
function moveToSharedDirectory(wanted: string, user: DatabaseUser): void {
  const moved = mkdtempSync(join(sharedDirectory(), `${basename(wanted)}-`));
  chownSync(moved, user.uid, user.gid);
  rmSync(wanted, { recursive: true });
  symlinkSync(moved, wanted);
}

interface Place {
  directory: string;
  cluster: string;
  binaries: PostgresBinaries;
  user: DatabaseUser | null;
  isTemporary: boolean;
}

/** initdb works beside the final place, so that an interrupted one is never taken for a cluster. */
function makeCluster({ directory, cluster, binaries, user, isTemporary }: Place): void {
  const draft = join(directory, 'draft');
  const passwordFile = join(directory, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  try {
    execFileSync(binaries.initdb, [
      '--pgdata', draft, '--username', DATABASE, '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--no-instructions',
      '--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8',
      ...(isTemporary ? ['--no-sync'] : []),
    ], { ...idsOf(user), cwd: '/', env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const output = String((error as { stderr?: Buffer }).stderr ?? error).trim();
    throw new StartError(`The embedded PostgreSQL could not be set up in ${directory}:\n${output}`, { cause: error });
  }
  renameSync(draft, cluster);
}

function checkVersion(cluster: string, binaries: PostgresBinaries): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === binaries.major) return;
  throw new StartError(`${cluster} was made by PostgreSQL ${found}, and this is ${binaries.major}. Dump it with the former version and restore it, `
    + 'or set MILKRUN_DATA to a new directory.');
}

/**
 * A killed parent takes its server along within a moment; another living one keeps the directory. The lock file of a server that is
 * gone must be removed here: PostgreSQL trusts it when the number of its process has been given to somebody else, as in every
 * restarted container.
 */
async function waitUntilFree(cluster: string): Promise<void> {
  const lockFile = join(cluster, 'postmaster.pid');
  for (const deadline = Date.now() + LEAVE_SECONDS_MAX * 1000; ; await sleep(50)) {
    const pid = existsSync(lockFile) ? Number.parseInt(readFileSync(lockFile, 'utf8'), 10) : NaN;
    if (Number.isNaN(pid) || !commandOf(pid)?.includes(cluster)) break;
    if (Date.now() > deadline) throw new StartError(`The database in ${cluster} is in use by process ${pid}: is Milkrun already running there?`);
  }
  rmSync(lockFile, { force: true });
}

/**
 * The shell between us and PostgreSQL reads a pipe that only we hold open. When we end, for whatever reason, the pipe ends, and the
 * shell stops the server. It has a session of its own, so that Ctrl-C reaches us first and the database last.
 */
const SUPERVISOR = `
signal=$1 leftover=$2; shift 2
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
{ read -r _ <&3; kill -s "$signal" "$server"; } 2>/dev/null &
watcher=$!
trap 'kill -s "$signal" "$server"' HUP INT TERM
while kill -0 "$server" 2>/dev/null; do wait "$server"; code=$?; done
kill "$watcher" 2>/dev/null
if [ -n "$leftover" ]; then cd /; rm -rf -- "$leftover" 2>/dev/null; fi
exit "$code"
`;

async function startServer(place: Place): Promise<{ server: ChildProcess; port: number }> {
  const logFile = join(place.directory, 'postgres.log');
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const log = openSync(logFile, 'w', 0o600);
    const server = spawn('/bin/sh', ['-c', SUPERVISOR, 'milkrun-postgres', ...supervisorArguments(place), ...serverArguments(place, port)], {
      ...idsOf(place.user), cwd: '/', env: environment(), detached: true, stdio: ['pipe', log, log],
    });
    closeSync(log);
    // The pipe only has to end; that the shell went first is no error of ours.
    server.stdin!.on('error', () => {});
    if (await isReady(server, place.cluster)) return { server, port };
    await stopServer(server);
    const output = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
    const isPortTaken = /could not bind|Address already in use/.test(output);
    if (!isPortTaken || attempt === PORT_ATTEMPTS) throw new StartError(`The embedded PostgreSQL did not start (${logFile}):\n${output.slice(-2000)}`);
  }
}

function supervisorArguments(place: Place): string[] {
  // SIGINT is the fast shutdown with a checkpoint. What is thrown away needs none: SIGQUIT.
  return place.isTemporary ? ['QUIT', place.directory] : ['INT', ''];
}

function serverArguments(place: Place, port: number): string[] {
  const settings = {
    port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200, timezone: 'UTC', log_timezone: 'UTC',
    // There is no replica; and a log of everything is needed only to feed one.
    wal_level: 'minimal', max_wal_senders: 0,
    ...(place.isTemporary && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' }),
  };
  return [place.binaries.postgres, '-D', place.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** PostgreSQL writes its state into the eighth line of its lock file. False when it ended or takes too long. */
async function isReady(server: ChildProcess, cluster: string): Promise<boolean> {
  const lockFile = join(cluster, 'postmaster.pid');
  for (const deadline = Date.now() + START_SECONDS_MAX * 1000; Date.now() < deadline && !isGone(server); await sleep(20)) {
    if (existsSync(lockFile) && readFileSync(lockFile, 'utf8').split('\n')[7]?.trim() === 'ready') return true;
  }
  return false;
}

function isGone(server: ChildProcess): boolean {
  return server.pid === undefined || server.exitCode !== null || server.signalCode !== null;
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (isGone(server)) return;
  const exited = new Promise<void>((resolve) => { server.once('exit', () => resolve()); });
  server.stdin!.end();
  const stubborn = setTimeout(() => {
    // Its own recovery repairs what this cuts short.
    try {
      process.kill(-server.pid!, 'SIGKILL');
    } catch {
      // It left in the last moment.
    }
  }, STOP_SECONDS_MAX * 1000);
  await exited;
  clearTimeout(stubborn);
}

async function createDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(DATABASE)}`);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => { probe.once('error', reject).listen(0, '127.0.0.1', resolve); });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => { probe.close(resolve); });
  return port;
}

/** Nothing of ours: PGDATA, PGPORT and their like would change what the server does. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}
