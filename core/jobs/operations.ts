import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery } from '../contract/schemas.ts';
import { job, jobKinds, jobStatuses } from './schema.ts';

const path = `${businessPath}/jobs`;
const one = `${path}/{job_id}`;
const common = { tag: 'jobs', errors: usualErrors } as const;

const listJobs = operation({
  ...common, id: 'jobs.list', method: 'GET', path, summary: 'List background jobs', access: inBusiness('planning.read'), status: 200, answer: listOf(job),
  query: { ...listQuery, kind: { type: 'string', enum: jobKinds }, status: { type: 'string', enum: jobStatuses } },
});
const getJob = operation({ ...common, id: 'jobs.get', method: 'GET', path: one, summary: 'Read a job', access: inBusiness('planning.read'), status: 200, answer: job });
const cancelJob = operation({
  ...common, id: 'jobs.cancel', method: 'POST', path: `${one}/cancel`, summary: 'Cancel a job',
  description: 'A queued job is cancelled at once, a running one within a second; what was there before stays. With `keep=best` a planning job that is searching completes within a second with the best plan that it has found; one that has found none yet is cancelled. A job that has ended answers 409.',
  query: { keep: { type: 'string', enum: ['nothing', 'best'], default: 'nothing', description: 'What becomes of the best plan so far.' } },
  access: inBusiness('planning.run'), status: 200, answer: job,
});
const watchJob = operation({
  ...common, id: 'jobs.events', method: 'GET', path: `${one}/events`, summary: 'Follow a job as server-sent events',
  description: 'Events `progress`, `completed`, `failed`, `cancelled`; the data is the job. `Last-Event-ID` resumes. The stream ends with the job.',
  access: inBusiness('planning.read'), status: 200, produces: 'text/event-stream',
});

export const jobOperations = [listJobs, getJob, cancelJob, watchJob];
