import { instantSchema, nullable, recordOf, uuidSchema } from '../contract/schemas.ts';

export const jobKinds = ['planning', 'region_install', 'region_update'] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];
export const finalStatuses: readonly JobStatus[] = ['completed', 'failed', 'cancelled'];

const bestFields = { planned: { type: 'integer' }, unplanned: { type: 'integer' }, travel_seconds: { type: 'integer' }, travel_meters: { type: 'integer' }, iterations: { type: 'integer' } } as const;

const progress = {
  type: 'object', additionalProperties: true, required: ['fraction', 'phase', 'message'],
  properties: {
    fraction: { type: 'number', minimum: 0, maximum: 1 },
    phase: { type: 'string' },
    message: { type: 'string' },
    elapsed_seconds: { type: 'number', minimum: 0 },
    bytes_done: { type: 'integer', minimum: 0, description: 'Of a download.' },
    bytes_total: { type: 'integer', minimum: 0, description: 'Of a download, where the source says so.' },
    best: {
      type: ['object', 'null'], description: 'The best plan so far.', additionalProperties: false, properties: bestFields,
    },
  },
} as const;

const error = {
  type: ['object', 'null'], additionalProperties: false, required: ['code', 'message'],
  properties: { code: { type: 'string' }, message: { type: 'string' } },
} as const;

export const jobFields = {
  kind: { type: 'string', enum: jobKinds },
  status: { type: 'string', enum: jobStatuses },
  progress,
  best_over_time: {
    type: 'array', description: 'Planning: how the best plan came about. Long searches are thinned out.',
    items: { type: 'object', additionalProperties: false, required: ['elapsed_seconds', ...Object.keys(bestFields)], properties: { elapsed_seconds: { type: 'number', minimum: 0 }, ...bestFields } },
  },
  result: { type: ['object', 'null'], additionalProperties: true, description: 'Planning: plan_ids, planned, unplanned with reasons, metrics. Regions: outcome (installed or unchanged), dataset_version, engine, source, facts.' },
  error,
  request: { type: 'object', additionalProperties: true, description: 'What was asked for, with everything that a replay needs.' },
  started_at: nullable(instantSchema),
  finished_at: nullable(instantSchema),
} as const;
export const job = recordOf('Job', jobFields);

export const jobAccepted = {
  title: 'JobAccepted', type: 'object', additionalProperties: false, required: ['job_id', 'status'],
  properties: { job_id: uuidSchema, status: { type: 'string', enum: jobStatuses } },
} as const;
