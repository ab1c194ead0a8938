import { conflict, invalid, notFound } from '../contract/errors.ts';
import { rowLock, transaction, type EntityManager, type Store } from '../db/store.ts';
import { withBest } from './best-over-time.ts';
import { appendEvent } from './events.ts';
import { Job, type JobProgress } from './entity.ts';
import { finalStatuses } from './schema.ts';

/**
 * One attempt at a job. Every write names the attempt: once another worker has taken the job over (its number is higher then), a run
 * that was thought dead writes nothing more.
 */
export interface Run {
  businessId: string;
  jobId: string;
  attempt: number;
}

export const isFinal = (job: Pick<Job, 'status'>): boolean => finalStatuses.includes(job.status);

/**
 * Takes the job; null when there is nothing left to do. A job whose cancellation was asked for ends here, and `onCancelled` puts right
 * what hangs on it, in the same transaction.
 */
export async function beginRun(store: Store, jobId: string, onCancelled?: (em: EntityManager, job: Job) => Promise<void>): Promise<{ run: Run; job: Job } | null> {
  const businessId = await businessOf(store, jobId);
  if (businessId === null) return null;
  return transaction(store, businessId, async (em) => {
    const job = await lockJob(em, jobId);
    if (isFinal(job)) return null;
    if (job.cancelRequestedAt) {
      await endJob(em, job, { status: 'cancelled' });
      await onCancelled?.(em, job);
      return null;
    }
    const now = new Date();
    Object.assign(job, { status: 'running', attempt: job.attempt + 1, startedAt: job.startedAt ?? now, heartbeatAt: now });
    await appendEvent(em, job, 'progress');
    return { run: { businessId, jobId, attempt: job.attempt }, job };
  });
}

async function businessOf(store: Store, jobId: string): Promise<string | null> {
  const [row] = await store.em.fork().execute<{ business_id: string }[]>('select business_id from jobs where id = ?', [jobId]);
  return row?.business_id ?? null;
}

/** `finishing`: no more is to be searched, but the best plan so far is wanted. */
export type RunState = 'going_on' | 'finishing' | 'cancelled' | 'overtaken';

/** The job of a run, locked; 'overtaken' when the run is not the present one any more. */
export async function lockRun(em: EntityManager, run: Run): Promise<{ job: Job; state: RunState }> {
  const job = await lockJob(em, run.jobId);
  if (job.attempt !== run.attempt || isFinal(job)) return { job, state: 'overtaken' };
  if (!job.cancelRequestedAt) return { job, state: 'going_on' };
  return { job, state: job.cancelKeepsBest ? 'finishing' : 'cancelled' };
}

/** Says how far the run is, and learns whether it shall go on. Nobody is shown less than before, though a run may have begun again. */
export async function reportProgress(store: Store, run: Run, progress: JobProgress): Promise<RunState> {
  return transaction(store, run.businessId, async (em) => {
    const { job, state } = await lockRun(em, run);
    if (state === 'cancelled' || state === 'overtaken') return state;
    const next = { ...progress, fraction: Math.max(progress.fraction, job.progress.fraction) };
    const isNews = JSON.stringify(next) !== JSON.stringify(job.progress);
    Object.assign(job, { progress: next, bestOverTime: withBest(job.bestOverTime, next), heartbeatAt: new Date() });
    if (isNews) await appendEvent(em, job, 'progress');
    return state;
  });
}

export type JobEnd =
  /** `progress`: the last of the run, which may not have been reported yet. */
  | { status: 'completed'; result: Record<string, unknown>; progress?: JobProgress }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'cancelled' };

/** Ends a run in a transaction of its own, unless somebody has overtaken it. */
export async function endRun(store: Store, run: Run, end: JobEnd): Promise<void> {
  await transaction(store, run.businessId, async (em) => {
    const { job, state } = await lockRun(em, run);
    if (state !== 'overtaken') await endJob(em, job, end);
  });
}

/** Ends a job that is locked. */
export async function endJob(em: EntityManager, job: Job, end: JobEnd): Promise<void> {
  const words = { completed: 'done', failed: 'failed', cancelled: 'cancelled' } as const;
  const last = (end.status === 'completed' && end.progress) || job.progress;
  Object.assign(job, {
    status: end.status,
    finishedAt: new Date(),
    bestOverTime: withBest(job.bestOverTime, last),
    progress: { ...last, fraction: end.status === 'completed' ? 1 : job.progress.fraction, phase: end.status, message: end.status === 'failed' ? end.error.message : words[end.status] },
    result: end.status === 'completed' ? end.result : null,
    error: end.status === 'failed' ? end.error : null,
  });
  await appendEvent(em, job, end.status);
}

/**
 * A queued job ends at once; a running one is told, and ends within a second. One that is asked to keep its best plan so far
 * completes with it; who has asked for nothing to be kept is not overruled by somebody who asks later.
 */
export async function cancelJob(em: EntityManager, id: string, { keepsBest = false } = {}): Promise<Job> {
  const job = await lockJob(em, id);
  if (isFinal(job)) throw conflict(`the job is ${job.status} already`);
  if (keepsBest && job.kind !== 'planning') throw invalid('?keep', 'only a planning job has a best plan');
  job.cancelKeepsBest = keepsBest && (job.cancelKeepsBest || !job.cancelRequestedAt);
  job.cancelRequestedAt ??= new Date();
  if (job.status === 'queued') await endJob(em, job, { status: 'cancelled' });
  await em.flush();
  return job;
}

async function lockJob(em: EntityManager, id: string): Promise<Job> {
  const job = await em.findOne(Job, { id, deletedAt: null }, { lockMode: rowLock.write });
  if (job === null) throw notFound('job', id);
  return job;
}
