import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import type { Location } from '../contract/schemas.ts';
import { reader } from '../db/store.ts';
import { aCar, roadUserOf, type RoadUser } from '../networks/road-user.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { engineBuilders } from './build/engine-builders.ts';
import { runMapTask } from './build/run-map-task.ts';
import type { Clip } from './build/tasks.ts';
import { datasetDirectory, mapFolders } from './datasets.ts';
import { removeBuilding } from './drop-datasets.ts';
import { findDrift, tellDrift } from './drift.ts';
import type { DatasetFacts, DatasetSource } from './entity.ts';
import { buildsHere, downloadsOf, inTurn } from './in-turn.ts';
import { asDiskFull, InstallFailure, megabytes } from './install-failure.ts';
import { judgeNeeds, judgeRoutes, judgeSize } from './judge-dataset.ts';
import { begin, beginDataset, endCancelled, endFailed, endUnchanged, enter, RunEnded, switchDataset, type RegionRun, type Say, type Wish } from './region-run.ts';
import { obtainExtract, removeParts, type MapExtract } from './source/extract-store.ts';
import { usualPatience, type Patience } from './source/http-get.ts';
import { mapAddress } from './source/map-address.ts';
import { freeBytesOf } from './source/part-file.ts';

export interface RegionJobContext extends RegionRun {
  config: Pick<Config, 'databaseUrl' | 'dataDirectory' | 'mapSource' | 'mapMemoryBytes'>;
  /** Aborts with RunEnded as its reason, or with another one when the worker stops: then somebody else begins anew. */
  signal: AbortSignal;
  say: Say;
  /** What somebody may want to read in the log. */
  onTrouble?: (error: unknown) => void;
  patience?: Patience;
}

export type RegionOutcome = 'installed' | 'unchanged' | 'failed' | 'cancelled' | 'overtaken';

/** Area and settings may change while roads are built for them; so often it begins anew. */
const triesMax = 3;

/** Source, clip, build, test, switch. What was installed serves until the switch, and after a failure as before. */
export async function runRegionJob(context: RegionJobContext): Promise<RegionOutcome> {
  try {
    await removeBuilding(context.store, context.config.dataDirectory, { jobId: context.run.jobId, attemptsBelow: context.run.attempt });
    for (let tries = 1; tries <= triesMax; tries++) {
      const outcome = await installOnce(context);
      if (outcome !== 'changed') return outcome;
    }
    throw new InstallFailure('unavailable', 'The area of the region or the routing engine in the settings kept changing while the roads were built. Install again.');
  } catch (error) {
    const reason = context.signal.aborted ? context.signal.reason : asDiskFull(error, context.config.dataDirectory);
    return await endWith(context, reason);
  }
}

async function endWith(context: RegionJobContext, reason: unknown): Promise<RegionOutcome> {
  const { store, run, config } = context;
  // Whether a transaction was committed that the database did not answer any more, the next attempt finds out.
  if (!(reason instanceof RunEnded || reason instanceof InstallFailure)) throw reason;
  await removeBuilding(store, config.dataDirectory, { jobId: run.jobId, attemptsBelow: run.attempt + 1 });
  if (reason instanceof InstallFailure) context.onTrouble?.(reason);
  if (reason instanceof RunEnded && reason.how === 'overtaken') return 'overtaken';
  if (reason instanceof RunEnded) {
    await removeParts(mapFolders(config.dataDirectory).sources, run.jobId);
    await endCancelled(context);
    return 'cancelled';
  }
  try {
    await endFailed(context, reason);
    return 'failed';
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    return endWith(context, error);
  }
}

async function installOnce(context: RegionJobContext): Promise<'installed' | 'unchanged' | 'changed'> {
  const { config, signal, say } = context;
  const wish = await begin(context);
  if (config.mapSource === null) throw new InstallFailure('unavailable', 'The worker has no source of maps: whoever runs it has to set MILKRUN_MAP_SOURCE.');
  const format = engineBuilders[wish.engine].format();
  const isInstalled = (sha256: string): boolean => {
    const { installed } = wish;
    return installed !== null && installed.source.sha256 === sha256 && installed.engine === wish.engine && installed.geometryHash === wish.geometryHash
      && installed.facts?.format === format && existsSync(datasetDirectory(config.dataDirectory, installed.version));
  };
  const { extract, path } = await fetchMap(context, wish, isInstalled);
  if (path === null || isInstalled(extract.sha256)) {
    const { version, engine, source, facts } = wish.installed!;
    await endUnchanged(context, resultOf('unchanged', { version, engine, source, facts }));
    return 'unchanged';
  }
  say({ fraction: 0.36, phase: 'building', message: 'waiting for another build on this machine' });
  return inTurn({ databaseUrl: config.databaseUrl, name: buildsHere(), signal, onWait: () => {} }, () => buildAndSwitch(context, { wish, extract, path, format }));
}

async function fetchMap({ config, run, signal, say, patience = usualPatience }: RegionJobContext, wish: Wish, isInstalled: (sha256: string) => boolean): Promise<{ extract: MapExtract; path: string | null }> {
  say({ fraction: 0.01, phase: 'source', message: 'asking for the map' });
  const address = await mapAddress(config.mapSource!, wish);
  const telling = { phase: 'download', message: '' };
  const { sources } = mapFolders(config.dataDirectory);
  const fetched = await inTurn({ databaseUrl: config.databaseUrl, name: downloadsOf(address.kind === 'http' ? address.url : address.path), signal, onWait: () => say({ fraction: 0.01, phase: 'source', message: 'waiting for another download of the same map' }) }, () => obtainExtract(address, {
    folder: sources, attemptName: `${run.jobId}.${run.attempt}`, isInstalled, signal, patience,
    onPhase: (phase) => {
      if (phase === 'checksum') say({ fraction: 0.34, phase, message: 'checking the bytes that came' });
    },
    onBytes: (done, total) => {
      telling.message = `${megabytes(done)}${total === null ? '' : ` of ${megabytes(total)}`} from ${address.shown}`;
      say({ fraction: total ? 0.02 + 0.31 * (done / total) : 0.02, ...telling, bytes_done: done, ...(total === null ? {} : { bytes_total: total }) });
    },
  }));
  // What earlier attempts had begun is of no use any more.
  await removeParts(sources, run.jobId);
  return fetched;
}

interface Fetched {
  wish: Wish;
  extract: MapExtract;
  path: string;
  format: string;
}

async function buildAndSwitch(context: RegionJobContext, { wish, extract, path, format }: Fetched): Promise<'installed' | 'changed'> {
  const { config, run, signal, say } = context;
  const { shown, sha256, sizeBytes, etag, lastModified } = extract;
  const source: DatasetSource = { address: shown, sha256, sizeBytes, etag, lastModified, mapDate: null };
  const version = `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${wish.engine.at(-1)}-${randomBytes(6).toString('hex')}`;
  await beginDataset(context, { version, wish, source });
  const scratch = join(mapFolders(config.dataDirectory).scratch, `${run.jobId}.${run.attempt}`);
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  const options = { memoryLimitBytes: config.mapMemoryBytes, signal };

  const clipFile = join(scratch, 'clip.osm.pbf');
  const diskFreeBytes = await freeBytesOf(scratch);
  judgeNeeds({ memoryBytes: 0, diskBytes: extract.sizeBytes }, { ...machine(config), diskFreeBytes });
  const clip = await runMapTask('clip', { source: path, target: clipFile, geometry: wish.geometry }, { ...options, onProgress: (fraction, message) => say({ fraction: 0.37 + 0.13 * fraction, phase: 'clip', message }) });
  judgeNeeds(engineBuilders[wish.engine].needs(clip.bytes), { ...machine(config), diskFreeBytes: await freeBytesOf(scratch) });

  const built = join(scratch, 'dataset');
  const facts: DatasetFacts = {
    ...await runMapTask('build', { engine: wish.engine, pbf: clipFile, directory: built, memoryLimitBytes: config.mapMemoryBytes, users: await readUsers(context) }, { ...options, onProgress: (fraction, message) => say({ fraction: 0.5 + 0.37 * fraction, phase: 'build', message }) }),
    format,
  };
  await rm(clipFile);

  await enter(context, 'installing');
  await test(context, { built, clip, facts, wish });
  say({ fraction: 0.93, phase: 'compare', message: 'comparing plans on the old and the new roads' });
  const drift = await findDrift(context, { wish, built });
  say({ fraction: 0.98, phase: 'switch', message: 'putting the new roads in place' });
  const directory = datasetDirectory(config.dataDirectory, version);
  await mkdir(dirname(directory), { recursive: true });
  await rename(built, directory);
  await syncFolder(dirname(directory));
  await rm(scratch, { recursive: true, force: true });
  const dated = { ...source, mapDate: clip.mapDate };
  const switched = await switchDataset(context, {
    version, wish, facts, source: dated,
    result: resultOf('installed', { version, engine: wish.engine, source: dated, facts }, drift),
    alongside: (em, region) => tellDrift(em, region, version, drift),
  }).catch(async (error: unknown) => {
    // Whoever has overtaken this run has removed its row, and did not know of a directory that came later.
    if (error instanceof RunEnded) await rm(directory, { recursive: true, force: true });
    throw error;
  });
  if (switched === 'switched') return 'installed';
  await removeBuilding(context.store, config.dataDirectory, { jobId: run.jobId, attemptsBelow: run.attempt + 1 });
  return 'changed';
}

async function readUsers({ store, run }: RegionJobContext): Promise<RoadUser[]> {
  return (await reader(store, run.businessId).find(Vehicle, { deletedAt: null })).map(roadUserOf);
}

const machine = ({ mapMemoryBytes, dataDirectory }: RegionJobContext['config']) => ({ memoryLimitBytes: mapMemoryBytes, memoryFreeBytes: process.availableMemory(), directory: dataDirectory });

async function test({ config, signal, say, job }: RegionJobContext, { built, clip, facts, wish }: { built: string; clip: Clip; facts: DatasetFacts; wish: Wish }): Promise<void> {
  say({ fraction: 0.88, phase: 'test', message: `routing between ${clip.probes.length} places of the region` });
  const { installed } = wish;
  const isComparable = job.kind === 'region_update' && installed !== null && installed.engine === wish.engine && installed.geometryHash === wish.geometryHash;
  judgeSize(facts, isComparable ? installed.facts ?? null : null);
  const chain: Location[] = clip.probes;
  const [legs] = await runMapTask('travel', { engine: wish.engine, directory: built, chains: [{ user: roadUserOf(aCar), points: chain }] }, { memoryLimitBytes: config.mapMemoryBytes, signal });
  judgeRoutes(chain, legs);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

type Installed = { version: string; engine: string; source: DatasetSource; facts: DatasetFacts | null | undefined };

function resultOf(outcome: 'installed' | 'unchanged', { version, engine, source, facts }: Installed, drift?: Awaited<ReturnType<typeof findDrift>>): Record<string, unknown> {
  return {
    outcome, dataset_version: version, engine,
    source: { address: source.address, size_bytes: source.sizeBytes, sha256: source.sha256, map_date: source.mapDate },
    facts: facts ? { nodes: facts.nodes, edges: facts.edges, bytes: facts.bytes } : null,
    ...(drift === undefined ? {} : { drift }),
  };
}
