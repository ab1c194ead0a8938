import { defineEntity, p } from '@mikro-orm/postgresql';
import { ofOneBusiness, recordProperties, recordTable } from '../records/entity.ts';
import type { TimedBest } from './best-over-time.ts';
import type { JobKind, JobStatus } from './schema.ts';

export interface JobProgress {
  fraction: number;
  phase: string;
  message: string;
  elapsed_seconds?: number;
  /** Of a download. */
  bytes_done?: number;
  bytes_total?: number;
  best?: BestPlan | null;
}

/** The best plan that a planning job has found so far. */
export interface BestPlan {
  planned: number;
  unplanned: number;
  travel_seconds: number;
  travel_meters: number;
  iterations: number;
}

const schema = defineEntity({
  ...recordTable,
  name: 'Job',
  tableName: 'jobs',
  properties: {
    ...recordProperties,
    kind: p.string().length(20).$type<JobKind>(),
    status: p.string().length(20).$type<JobStatus>(),
    progress: p.json<JobProgress>(),
    /** Of a planning job: each time that a better plan was seen. */
    bestOverTime: p.json<TimedBest[]>().onCreate(() => []),
    result: p.json<Record<string, unknown>>().nullable(),
    error: p.json<{ code: string; message: string }>().nullable(),
    request: p.json<Record<string, unknown>>(),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
    /** Counts the runs. Every write of a run names its attempt: a run that has been overtaken writes nothing. */
    attempt: p.integer().default(0),
    /** When the present run last said that it lives. */
    heartbeatAt: p.datetime().nullable(),
    cancelRequestedAt: p.datetime().nullable(),
    /** The one who cancels wants the best plan so far. */
    cancelKeepsBest: p.boolean().default(false),
    requestId: p.string().length(200).nullable(),
  },
});
export class Job extends schema.class {}
schema.setClass(Job);

/** What a job's event stream replays. */
const eventSchema = defineEntity({
  name: 'JobEvent',
  tableName: 'job_events',
  properties: {
    businessId: p.uuid().primary(),
    jobId: p.string().length(120).primary(),
    sequence: p.integer().primary(),
    type: p.string().length(20).$type<'progress' | 'completed' | 'failed' | 'cancelled'>(),
    data: p.json<Record<string, unknown>>(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
  filters: ofOneBusiness,
});
export class JobEvent extends eventSchema.class {}
eventSchema.setClass(JobEvent);
