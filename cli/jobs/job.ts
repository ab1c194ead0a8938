import type { JobStatus } from '../../core/jobs/schema.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';

/** A job as it came over the wire, as far as the command line looks into it. */
export interface Job {
  id: string;
  kind: string;
  status: JobStatus;
  progress: { fraction: number; phase: string; message: string; elapsed_seconds?: number; bytes_done?: number; bytes_total?: number; best?: Best | null };
  best_over_time?: (Best & { elapsed_seconds: number })[];
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** The best plan so far. */
export interface Best {
  planned?: number;
  unplanned?: number;
  travel_seconds?: number;
  travel_meters?: number;
  iterations?: number;
}

export interface PlanningResult {
  plan_ids: string[];
  planned: number;
  unplanned: Unplanned[];
  stopped_early?: boolean;
  metrics: Partial<Record<'travel_seconds' | 'travel_meters' | 'service_seconds' | 'wait_seconds' | 'vehicles_used' | 'solver_seconds' | 'iterations', number>>;
}

export interface Unplanned {
  order_id: string;
  reason: string;
  proved?: boolean;
  detail?: string;
}

export function exitCodeOfJob({ status }: Pick<Job, 'status'>): ExitCode {
  if (status === 'failed') return exitCodes.jobFailed;
  return status === 'cancelled' ? exitCodes.jobCancelled : exitCodes.ok;
}
