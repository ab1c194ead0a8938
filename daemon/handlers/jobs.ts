import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '../../core/contract/errors.ts';
import { reader, transaction } from '../../core/db/store.ts';
import { Job, type JobEvent } from '../../core/jobs/entity.ts';
import { eventsAfter } from '../../core/jobs/events.ts';
import { presentJob } from '../../core/jobs/present.ts';
import { cancelJob } from '../../core/jobs/runs.ts';
import { settleCancelled } from '../../core/regions/region-jobs.ts';
import { isUuid } from '../../core/records/ids.ts';
import { getRecord, listRecords } from '../../core/records/read-records.ts';
import type { Call, Handlers } from '../call.ts';
import { eventText, heartbeatText } from '../event-stream.ts';

const jobKind = { word: 'job', entity: Job, searched: ['kind'] as const };

function jobId({ params }: Call): string {
  if (!isUuid(params.job_id)) throw notFound('job', params.job_id);
  return params.job_id.toLowerCase();
}

const readJob = (call: Call): Promise<Job> => getRecord<Job>(reader(call.service.store, call.businessId), jobKind, jobId(call));

export const jobHandlers: Handlers = {
  'jobs.list': async ({ service, businessId, query }) => {
    const filter = [...(query.kind ? [{ kind: query.kind }] : []), ...(query.status ? [{ status: query.status }] : [])];
    const { records, nextCursor } = await listRecords<Job>(reader(service.store, businessId), jobKind, businessId, query, filter);
    return { body: { items: records.map(presentJob), next_cursor: nextCursor } };
  },
  'jobs.get': async (call) => ({ body: presentJob(await readJob(call)) }),
  'jobs.cancel': async (call) => {
    const job = await transaction(call.service.store, call.businessId, async (em) => {
      const cancelled = await cancelJob(em, jobId(call), { keepsBest: call.query.keep === 'best' });
      await settleCancelled(em, cancelled);
      return cancelled;
    });
    return { body: presentJob(job) };
  },
  'jobs.events': async (call) => {
    const job = await readJob(call);
    return { stream: eventsOf(call, job.id) };
  },
};

const pollMs = 250;
const heartbeatMs = 15_000;

/** Everything after `Last-Event-ID`, then what comes, until the job has ended or the client has gone. */
async function* eventsOf(call: Call, id: string): AsyncGenerator<string> {
  let sequence = resumedAfter(call.lastEventId);
  let spokenMs = Date.now();
  while (!call.signal.aborted) {
    // In this order: what is over has written its last event.
    const isEnded = await isOver(call, id);
    const events = await eventsAfter(reader(call.service.store, call.businessId), id, sequence);
    for (const event of events) {
      yield eventText({ id: event.sequence, type: event.type, data: event.data });
      sequence = event.sequence;
      spokenMs = Date.now();
      if (isLast(event)) return;
    }
    if (events.length === 0 && isEnded) return;
    if (Date.now() - spokenMs > heartbeatMs) {
      yield heartbeatText;
      spokenMs = Date.now();
    }
    await sleep(pollMs, undefined, { signal: call.signal }).catch(() => {});
  }
}

/** Whatever is no number of ours is the beginning. */
const resumedAfter = (lastEventId = ''): number => (/^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0);

const isLast = (event: JobEvent): boolean => event.type !== 'progress';

/** A client that resumes after the last event of an ended job has nothing to wait for. */
async function isOver(call: Call, id: string): Promise<boolean> {
  const job = await getRecord<Job>(reader(call.service.store, call.businessId), jobKind, id);
  return job.finishedAt !== null && job.finishedAt !== undefined;
}
