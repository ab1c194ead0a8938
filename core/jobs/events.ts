import type { EntityManager, Store } from '../db/store.ts';
import { bestUntil } from './best-over-time.ts';
import { Job, JobEvent, type JobProgress } from './entity.ts';
import { presentJob } from './present.ts';

export type JobEventType = JobEvent['type'];

/**
 * Adds to what a job's stream replays. The job must be locked or new, so that the numbers have no gap and no twin. The request and
 * the way to the best plan, which can be long, are not kept with each event.
 */
export async function appendEvent(em: EntityManager, job: Job, type: JobEventType): Promise<void> {
  // The revision that the event shows is the one that the job has when it is written.
  await em.flush();
  const [last] = await em.find(JobEvent, { jobId: job.id }, { orderBy: { sequence: 'desc' }, limit: 1, fields: ['sequence'] as never });
  const { request: _request, best_over_time: _best, ...data } = presentJob(job);
  em.persist(em.create(JobEvent, { businessId: job.businessId, jobId: job.id, sequence: (last?.sequence ?? 0) + 1, type, data } as never));
  await em.flush();
}

/** The events of a job after a number, in order. */
export async function eventsAfter(em: EntityManager, jobId: string, sequence: number): Promise<JobEvent[]> {
  const events = await em.find(JobEvent, { jobId, sequence: { $gt: sequence } }, { orderBy: { sequence: 'asc' }, limit: 100 });
  if (events.length === 0) return [];
  const { request, bestOverTime } = await em.findOneOrFail(Job, { id: jobId }, { fields: ['request', 'bestOverTime'] });
  for (const event of events) event.data = { ...event.data, request, best_over_time: bestUntil(bestOverTime, (event.data.progress as JobProgress).elapsed_seconds) };
  return events;
}

/** A job's progress is replayed this long; how it ended as long as there is the job. */
const keptDays = 30;

/** Forgets the progress of long ago; how many events. */
export async function sweepJobEvents(store: Store, now = new Date()): Promise<number> {
  const rows = await store.em.fork().execute<unknown[]>(
    `delete from job_events where (business_id, job_id, sequence) in (
       select business_id, job_id, sequence from job_events where type = 'progress' and created_at < ?::timestamptz - make_interval(days => ?) limit 1000 for update skip locked) returning sequence`,
    [now, keptDays],
  );
  return rows.length;
}
