import { emit } from '../events/emit.ts';
import type { EntityManager } from '../db/store.ts';
import type { Region } from './entity.ts';
import { presentRegion } from './present.ts';
import type { RegionStatus } from './schema.ts';

/** What a status leaves open. */
interface Changes {
  jobId?: string;
  datasetVersion?: string | null;
  error?: string | null;
}

/** Gives a locked region its next status, and tells of it. */
export async function moveRegion(em: EntityManager, region: Region, status: RegionStatus, changes: Changes = {}): Promise<void> {
  const previous = region.status;
  Object.assign(region, changes, { status });
  // The event shows the revision that the region has when it is written.
  await em.flush();
  if (status !== previous) emit(em, region.businessId, 'region.status_changed', { ...presentRegion(region), previous_status: previous });
}

/** Where nothing is under way any more and nothing has failed. */
export const restingStatus = (region: Region): RegionStatus => (region.datasetVersion ? 'ready' : 'not_installed');
