import { takeCapacity } from '../businesses/capacity.ts';
import { Business } from '../businesses/entity.ts';
import { rowLock, transaction, type EntityManager, type Store } from '../db/store.ts';
import type { Job, JobProgress } from '../jobs/entity.ts';
import { endJob, lockRun, type Run } from '../jobs/runs.ts';
import { notify } from '../notifications/notify.ts';
import { hashOfGeometry, retireDatasets } from './datasets.ts';
import { Region, RegionDataset, type DatasetFacts, type DatasetSource, type Engine } from './entity.ts';
import type { InstallFailure } from './install-failure.ts';
import { moveRegion, restingStatus } from './move-region.ts';
import type { RegionGeometry } from './polygon.ts';
import type { RegionRequest } from './region-jobs.ts';
import type { RegionStatus } from './schema.ts';

/** The run has nothing more to do: somebody has cancelled it, or another one has taken its place. */
export class RunEnded extends Error {
  readonly how: 'cancelled' | 'overtaken';
  constructor(how: RunEnded['how']) {
    super(`the run was ${how}`);
    this.how = how;
  }
}

/** A run of a region's job. Every transaction of it locks the region first, then the job. */
export interface RegionRun {
  store: Store;
  run: Run;
  job: Pick<Job, 'kind' | 'id'>;
  request: RegionRequest;
}

/** What is to be installed, as of one moment. */
export interface Wish {
  id: string;
  name: string;
  geometry: RegionGeometry;
  geometryHash: string;
  engine: Engine;
  /** What is installed. */
  installed: Pick<RegionDataset, 'version' | 'engine' | 'geometryHash' | 'source' | 'facts'> | null;
}

/** The next status of the region, and what is wished for at this moment. */
export function begin(region: RegionRun): Promise<Wish> {
  return inRun(region, async (em, record) => {
    await moveRegion(em, record, 'running');
    const business = await em.findOneOrFail(Business, { id: region.run.businessId });
    const installed = await em.findOne(RegionDataset, { regionId: record.id, state: 'ready' });
    return { id: record.id, name: record.name, geometry: record.geometry, geometryHash: hashOfGeometry(record.geometry), engine: business.routing.engine, installed };
  });
}

/** The row is there before the directory: whatever becomes of the run, somebody knows what to remove. */
export function beginDataset(region: RegionRun, { version, wish, source }: { version: string; wish: Wish; source: DatasetSource }): Promise<void> {
  return inRun(region, async (em, record) => {
    await moveRegion(em, record, 'building');
    const { businessId, jobId, attempt } = region.run;
    em.persist(em.create(RegionDataset, { businessId, version, regionId: record.id, engine: wish.engine, state: 'building', jobId, attempt, geometryHash: wish.geometryHash, source } as never));
  });
}

export const enter = (region: RegionRun, status: Extract<RegionStatus, 'building' | 'installing'>): Promise<void> => inRun(region, (em, record) => moveRegion(em, record, status));

interface Switch {
  version: string;
  wish: Wish;
  facts: DatasetFacts;
  source: DatasetSource;
  result: Record<string, unknown>;
  /** What else belongs to other roads. */
  alongside: (em: EntityManager, region: Region) => Promise<void>;
}

/** From now on the region is routed on the new dataset. 'changed' where area or engine are not any more what it was built for. */
export function switchDataset(region: RegionRun, { version, wish, facts, source, result, alongside }: Switch): Promise<'switched' | 'changed'> {
  return inRun(region, async (em, record, job) => {
    const business = await em.findOneOrFail(Business, { id: region.run.businessId }, { refresh: true });
    if (business.routing.engine !== wish.engine || hashOfGeometry(record.geometry) !== wish.geometryHash) return 'changed';
    // One after the other: there is never more than one that is ready.
    await retireDatasets(em, record.id);
    const dataset = await em.findOneOrFail(RegionDataset, { version });
    Object.assign(dataset, { state: 'ready', facts, source });
    await moveRegion(em, record, 'ready', { datasetVersion: version, error: null });
    await alongside(em, record);
    await endJob(em, job, { status: 'completed', result });
    return 'switched';
  }, { takesCapacity: true });
}

/** The map is the one that is installed. */
export function endUnchanged(region: RegionRun, result: Record<string, unknown>): Promise<void> {
  return inRun(region, async (em, record, job) => {
    await moveRegion(em, record, restingStatus(record), { error: null });
    await endJob(em, job, { status: 'completed', result });
  });
}

/** Whatever was installed stays. */
export function endFailed(region: RegionRun, { code, message }: Pick<InstallFailure, 'code' | 'message'>): Promise<void> {
  return inRun(region, async (em, record, job) => {
    await moveRegion(em, record, 'failed', { error: message });
    await endJob(em, job, { status: 'failed', error: { code, message } });
    const what = record.datasetVersion ? 'The update of the region' : 'The installation of the region';
    notify(em, region.run.businessId, { kind: 'region_failed', message: `${what} ${record.name} failed: ${message}`, data: { region_id: record.id, job_id: job.id } });
  });
}

export function endCancelled({ store, run, request }: RegionRun): Promise<void> {
  return transaction(store, run.businessId, async (em) => {
    const record = await em.findOne(Region, { id: request.region_id }, { lockMode: rowLock.write });
    const { job, state } = await lockRun(em, run);
    if (state === 'overtaken') return;
    if (record && !record.deletedAt && record.jobId === job.id) await moveRegion(em, record, restingStatus(record), { error: null });
    await endJob(em, job, { status: 'cancelled' });
  });
}

/** A transaction of a run that goes on; throws RunEnded where it does not. Capacity comes before all other locks. */
function inRun<T>({ store, run, request }: RegionRun, work: (em: EntityManager, region: Region, job: Job) => Promise<T>, { takesCapacity = false } = {}): Promise<T> {
  return transaction(store, run.businessId, async (em) => {
    if (takesCapacity) await takeCapacity(em, run.businessId);
    const region = await em.findOne(Region, { id: request.region_id, deletedAt: null }, { lockMode: rowLock.write });
    const { job, state } = await lockRun(em, run);
    if (state === 'overtaken') throw new RunEnded('overtaken');
    if (state === 'cancelled' || region === null) throw new RunEnded('cancelled');
    return work(em, region, job);
  });
}

export type Say = (progress: Pick<JobProgress, 'fraction' | 'phase' | 'message' | 'bytes_done' | 'bytes_total'>) => void;
