import type { EntityManager } from '../db/store.ts';
import { JobEvent, type Job } from './entity.ts';
import { presentJob } from './present.ts';

export type JobEventType = JobEvent['type'];

/** Adds to what a job's stream replays. The job must be locked or new, so that the numbers have no gap and no twin. */
export async function appendEvent(em: EntityManager, job: Job, type: JobEventType): Promise<void> {
  const [last] = await em.find(JobEvent, { jobId: job.id }, { orderBy: { sequence: 'desc' }, limit: 1, fields: ['sequence'] as never });
  em.persist(em.create(JobEvent, { businessId: job.businessId, jobId: job.id, sequence: (last?.sequence ?? 0) + 1, type, data: presentJob(job) } as never));
  await em.flush();
}

/** The events of a job after a number, in order. */
export const eventsAfter = (em: EntityManager, jobId: string, sequence: number): Promise<JobEvent[]> =>
  em.find(JobEvent, { jobId, sequence: { $gt: sequence } }, { orderBy: { sequence: 'asc' }, limit: 100 });
