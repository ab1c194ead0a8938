import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFailure, failureOnDisk, noRoads } from './build-failure.ts';
import { TESTING, countIn, stageIn } from './build-stages.ts';
import type { BuildStage, RoadCounts } from './build-stages.ts';
import { childEnvironment } from './child-environment.ts';
import { valhallaConfig } from './config.ts';
import { ValhallaError } from './error.ts';
import { findNativePackage } from './native-package.ts';
import type { NativePackage } from './native-package.ts';
import { smokeTest } from './smoke-test.ts';
import type { BuilderEnd, BuilderReport, BuilderTask } from './tile-builder.ts';
import { writeTileRecord } from './tile-record.ts';

export interface BuildTilesOptions {
  /** An .osm.pbf file, whole and checked: one that ends early between two of its blocks is not always noticed here. */
  pbf: string;
  /** Where the tiles shall be. Must not exist: a directory that somebody may have open is never used again. */
  directory: string;
  /** What the builder may take; mapped files do not count. */
  memoryLimitMb: number;
  threads?: number;
  signal?: AbortSignal;
  onProgress?: (stage: BuildStage) => void;
  nativePackage?: NativePackage;
}

export interface TilesBuilt extends RoadCounts {
  tiles: number;
  bytes: number;
  /** The most that the builder had at once, mapped files not counted. */
  memoryMbMax: number;
}

/**
 * Builds Valhalla's tiles, tries them, and puts them in their place in one step. When anything fails, or the signal aborts, there is
 * neither a child nor a file left, and the error is a ValhallaError or the signal's reason.
 */
export async function buildTiles(options: BuildTilesOptions): Promise<TilesBuilt> {
  const { signal, nativePackage = findNativePackage() } = options;
  signal?.throwIfAborted();
  const directory = resolve(options.directory);
  const pbf = resolve(options.pbf);
  if (existsSync(directory)) throw new Error(`${directory} is there already`);
  if (!existsSync(pbf)) throw new ValhallaError('bad_map', `There is no map file at ${pbf}.`);
  // One that a killed process left behind is in the way.
  const scratch = `${directory}.building`;
  await rm(scratch, { recursive: true, force: true });
  const tiles = join(scratch, 'tiles');
  try {
    await mkdir(tiles, { recursive: true });
    const { counts, memoryMbMax } = await runBuilder({ ...options, pbf, nativePackage }, { scratch, tiles });
    options.onProgress?.(TESTING);
    await writeTileRecord(tiles, { version: nativePackage.version, ...counts });
    await smokeTest(tiles, { signal, nativePackage });
    const size = await syncAll(tiles);
    signal?.throwIfAborted();
    await rename(tiles, directory);
    await syncPath(dirname(directory));
    return { ...counts, ...size, memoryMbMax };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw failureOnDisk(error, { directory: dirname(directory), freeMb: await freeMegabytes(dirname(directory)) });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Places {
  scratch: string;
  tiles: string;
}

async function runBuilder(options: BuildTilesOptions & { nativePackage: NativePackage }, { scratch, tiles }: Places): Promise<{ counts: RoadCounts; memoryMbMax: number }> {
  const { signal, memoryLimitMb, threads = 2 } = options;
  const configFile = join(scratch, 'config.json');
  await writeFile(configFile, JSON.stringify(valhallaConfig({ tiles, logs: true })));
  const counts: RoadCounts = { ways: -1, nodes: 0, edges: 0 };
  const supervisor = fork(fileURLToPath(new URL('./tile-builder.ts', import.meta.url)), {
    execArgv: [], env: childEnvironment(), stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A Ctrl-C in the terminal is for us: we end the build in our own time, or go on with it.
    detached: true,
  });
  try {
    const task: BuilderTask = {
      program: join(options.nativePackage.programs, 'valhalla_build_tiles'), args: ['-c', configFile, '-j', String(threads), options.pbf],
      directory: scratch, memoryLimitMb,
    };
    const end = await endOf(supervisor, task, { signal, onLine(line) {
      Object.assign(counts, countIn(line));
      // It would go on and crash.
      if (counts.ways === 0) throw noRoads();
      const stage = stageIn(line);
      if (stage) options.onProgress?.(stage);
    } });
    if (end.code === 0 && counts.edges > 0) return { counts, memoryMbMax: end.memoryMbMax };
    throw buildFailure({ ...end, memoryLimitMb, freeMb: await freeMegabytes(scratch), directory: dirname(scratch) });
  } finally {
    await endSupervisor(supervisor);
  }
}

interface Listening {
  signal?: AbortSignal;
  /** What it throws ends the build. */
  onLine: (line: string) => void;
}

function endOf(supervisor: ChildProcess, task: BuilderTask, { signal, onLine }: Listening): Promise<BuilderEnd> {
  const { promise, resolve: end, reject } = Promise.withResolvers<BuilderEnd>();
  const abort = () => reject(signal!.reason);
  signal?.addEventListener('abort', abort, { once: true });
  supervisor.on('message', (report: BuilderReport) => {
    if (report.kind === 'end') return end(report.end);
    try {
      onLine(report.line);
    } catch (error) {
      reject(error);
    }
  });
  supervisor.once('error', reject);
  supervisor.once('exit', (code, killedBy) => end({ code: code === 0 ? 1 : code, signal: killedBy, isOverMemory: false, memoryMbMax: 0, output: '' }));
  supervisor.send(task);
  return promise.finally(() => signal?.removeEventListener('abort', abort));
}

/** When nobody is connected any more it takes the builder along. */
async function endSupervisor(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null || supervisor.pid === undefined) return;
  const gone = once(supervisor, 'exit');
  if (supervisor.connected) supervisor.disconnect();
  await gone;
}

async function freeMegabytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize / 2 ** 20;
}

/** To the disk with it, files before directories: what the name leads to after a power cut is whole. */
async function syncAll(tiles: string): Promise<{ tiles: number; bytes: number }> {
  const size = { tiles: 0, bytes: 0 };
  const entries = await readdir(tiles, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    size.bytes += (await stat(path)).size;
    if (path.endsWith('.gph')) size.tiles++;
    await syncPath(path);
  }
  for (const entry of entries.filter((each) => each.isDirectory())) await syncPath(join(entry.parentPath, entry.name));
  await syncPath(tiles);
  return size;
}

/** A directory or a file: both are opened for reading to be synced. */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
