import { takeCapacity } from '../businesses/capacity.ts';
import type { EntityManager } from '../db/store.ts';
import { pick } from '../records/fields.ts';
import type { Intent, RecordKind } from '../records/kind.ts';
import { deleteRecord } from '../records/write-records.ts';
import { retireDatasets } from './datasets.ts';
import { Region } from './entity.ts';
import { activeJobOf, startRegionJob, stopJob } from './region-jobs.ts';
import { moveRegion } from './move-region.ts';
import { polygonProblems } from './polygon.ts';
import { presentRegion } from './present.ts';

export const regionKind: RecordKind<Region> = {
  word: 'region',
  entity: Region,
  searched: ['name'],
  columns: (body) => pick(body, { name: 'name', geometry: 'geometry' }),
  present: presentRegion,
  problems: (_em, region, before) => (before?.geometry === region.geometry ? [] : polygonProblems(region.geometry)),
  async afterWrite(em, region, before) {
    if (region.deletedAt) return leaveNothing(em, region);
    const hasNewArea = before !== null && before.geometry !== region.geometry;
    // A job that is under way notices by itself.
    if (hasNewArea && region.datasetVersion && (await activeJobOf(em, region)) === null) await startRegionJob(em, region, { kind: 'region_update', reason: 'geometry_changed' });
  },
};

/** Without its job and its dataset. Other roads are another capacity. */
async function leaveNothing(em: EntityManager, region: Region): Promise<void> {
  if (region.datasetVersion) await takeCapacity(em, region.businessId);
  await stopJob(em, region);
  await retireDatasets(em, region.id);
  await moveRegion(em, region, 'not_installed', { datasetVersion: null, error: null });
}

/** What changes capacity locks the business first. */
export async function deleteRegion(em: EntityManager, businessId: string, id: string, intent: Intent): Promise<void> {
  const found = await em.findOne(Region, { id }, { fields: ['datasetVersion'] });
  if (found?.datasetVersion) await takeCapacity(em, businessId);
  em.clear();
  await deleteRecord(em, regionKind, id, intent);
}
