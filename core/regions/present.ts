import { instantOrNull, presentCommon } from '../records/present.ts';
import type { Region } from './entity.ts';

export const presentRegion = (region: Region) => ({
  ...presentCommon(region),
  name: region.name,
  geometry: region.geometry,
  status: region.status,
  job_id: region.jobId ?? null,
  dataset_version: region.datasetVersion ?? null,
  error: region.error ?? null,
  approved: region.approved,
  next_map_update_at: region.approved ? instantOrNull(region.nextMapUpdateAt) : null,
});
