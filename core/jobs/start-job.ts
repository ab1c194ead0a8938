import { OutboxEntry } from '../db/outbox-entity.ts';
import type { EntityManager } from '../db/store.ts';
import { newId } from '../records/ids.ts';
import { appendEvent } from './events.ts';
import { Job } from './entity.ts';
import type { QueueName } from './queue-payloads.ts';
import type { JobKind } from './schema.ts';

interface NewJob {
  kind: JobKind;
  queue: QueueName;
  request: Record<string, unknown>;
  requestId?: string;
}

/** The job and the word to the queue are written together: neither is ever without the other. */
export async function startJob(em: EntityManager, businessId: string, { kind, queue, request, requestId }: NewJob): Promise<Job> {
  const job = em.create(Job, {
    businessId, id: newId(), kind, status: 'queued', progress: { fraction: 0, phase: 'queued', message: 'waiting for a worker' }, request, requestId: requestId ?? null,
  } as never) as Job;
  await em.flush();
  tellQueue(em, queue, job.id);
  await appendEvent(em, job, 'progress');
  await em.flush();
  return job;
}

/** Asks the queue to have a job worked on. Asking again is harmless: a job that has ended is not run. */
export function tellQueue(em: EntityManager, queue: QueueName, jobId: string): void {
  em.persist(em.create(OutboxEntry, { queue, key: jobId, payload: { jobId } } as never));
}
