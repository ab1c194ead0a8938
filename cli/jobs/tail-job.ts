import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { exitCodes } from '../exit-codes.ts';
import { exitCodeOfJob } from './job.ts';
import { showJobEnd } from './job-end-view.ts';
import { watchJob } from './watch-job.ts';

export async function tailJob({ operands: [jobId] }: Input, context: Context): Promise<number> {
  const path = fillPath('/api/v1/businesses/{id}/jobs/{job_id}', { job_id: jobId }, context);
  const leaving = new AbortController();
  const job = await watchJob({ path, signal: leaving.signal, onInterrupt: () => { leaving.abort(); } }, context);
  if (!job) {
    context.note(`the job goes on; follow it again with: milkrun jobs tail ${jobId}`);
    return exitCodes.interrupted;
  }
  showJobEnd(job, context);
  return exitCodeOfJob(job);
}
