import { conflict } from '../contract/errors.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import { requestIdNow } from '../events/request-scope.ts';
import { Job } from '../jobs/entity.ts';
import { endJob, isFinal } from '../jobs/runs.ts';
import { startJob } from '../jobs/start-job.ts';
import { lockRecord } from '../records/write-records.ts';
import { RegionDataset, Region, type Engine } from './entity.ts';
import { moveRegion, restingStatus } from './move-region.ts';

export type RegionJobKind = 'region_install' | 'region_update';
/** Who or what wants it. */
export type RegionJobReason = 'asked_for' | 'schedule' | 'engine_changed' | 'geometry_changed';

/** What a region's job was asked to do. */
export interface RegionRequest {
  region_id: string;
  reason: RegionJobReason;
}

export const isRegionJob = (job: Pick<Job, 'kind'>): boolean => job.kind !== 'planning';

const regionWord = { word: 'region', entity: Region };

/** Installs or updates. A job that is under way already is what was asked for; everybody may be told of it. */
export async function requestInstall(em: EntityManager, id: string): Promise<Job> {
  const region = await lockRecord<Region>(em, regionWord, id);
  region.approved = true;
  const active = await activeJobOf(em, region);
  if (active?.cancelRequestedAt) throw conflict('the job of this region is being cancelled; try again when it has ended');
  return active ?? startRegionJob(em, region, { kind: 'region_install', reason: 'asked_for' });
}

export async function approveRegion(em: EntityManager, id: string, approved: boolean): Promise<Region> {
  const region = await lockRecord<Region>(em, regionWord, id);
  region.approved = approved;
  await em.flush();
  return region;
}

/** For a locked region that has no job under way. */
export async function startRegionJob(em: EntityManager, region: Region, { kind, reason }: { kind: RegionJobKind; reason: RegionJobReason }): Promise<Job> {
  const request: RegionRequest = { region_id: region.id, reason };
  const job = await startJob(em, region.businessId, { kind, queue: 'regions', request: { ...request }, requestId: requestIdNow() ?? undefined });
  await moveRegion(em, region, 'queued', { jobId: job.id, error: null });
  return job;
}

/** The job of a locked region that has not ended; locked as well, so that it does not end meanwhile. */
export async function activeJobOf(em: EntityManager, region: Region): Promise<Job | null> {
  if (!region.jobId) return null;
  const job = await em.findOne(Job, { id: region.jobId }, { lockMode: rowLock.write, refresh: true });
  return job === null || isFinal(job) ? null : job;
}

/** A queued job ends at once, a running one is told. */
export async function stopJob(em: EntityManager, region: Region): Promise<void> {
  const job = await activeJobOf(em, region);
  if (job === null) return;
  job.cancelRequestedAt ??= new Date();
  if (job.status === 'queued') await endJob(em, job, { status: 'cancelled' });
  await em.flush();
}

/** After the job of a region was cancelled before anybody worked on it, or while nobody did. */
export async function settleCancelled(em: EntityManager, job: Job): Promise<void> {
  if (job.status !== 'cancelled' || !isRegionJob(job)) return;
  const region = await em.findOne(Region, { id: (job.request as unknown as RegionRequest).region_id }, { lockMode: rowLock.write, refresh: true });
  if (region === null || region.deletedAt || region.jobId !== job.id) return;
  await moveRegion(em, region, restingStatus(region), { error: null });
}

/** Installed regions are built again for another engine; what is installed serves until then. */
export async function rebuildForEngine(em: EntityManager, engine: Engine): Promise<void> {
  const others = await em.find(RegionDataset, { state: 'ready', engine: { $ne: engine } }, { fields: ['regionId'] });
  const ids = others.map((dataset) => dataset.regionId).sort();
  for (const id of ids) {
    const region = await em.findOne(Region, { id, deletedAt: null }, { lockMode: rowLock.write });
    // A job that is under way notices by itself.
    if (region && (await activeJobOf(em, region)) === null) await startRegionJob(em, region, { kind: 'region_update', reason: 'engine_changed' });
  }
}
