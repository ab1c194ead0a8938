import { instantOrNull, presentCommon } from '../records/present.ts';
import type { Job } from './entity.ts';

export const presentJob = (job: Job) => ({
  ...presentCommon(job),
  kind: job.kind,
  status: job.status,
  progress: job.progress,
  best_over_time: job.bestOverTime,
  result: job.result ?? null,
  error: job.error ?? null,
  request: job.request,
  started_at: instantOrNull(job.startedAt),
  finished_at: instantOrNull(job.finishedAt),
});
