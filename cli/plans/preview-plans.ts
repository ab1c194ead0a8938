import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { listAll } from '../derived/list-pages.ts';
import { exitCodes } from '../exit-codes.ts';
import { isStatus, wrongUsage } from '../failures.ts';
import { exitCodeOfJob } from '../jobs/job.ts';
import { showJobEnd } from '../jobs/job-end-view.ts';
import { watchJob } from '../jobs/watch-job.ts';

interface Options {
  vehicles?: string[];
  allVehicles?: boolean;
  from: string;
  to?: string;
  dates?: string[];
  includePlanned?: boolean;
  scheduleLock?: boolean;
  assignmentLock?: boolean;
  objectives?: string[];
  seed?: number;
  iterations?: number;
  timeLimit?: number;
  wait?: boolean;
}

export async function previewPlans({ options: given }: Input, context: Context): Promise<number> {
  const options = given as unknown as Options;
  const body = { vehicle_ids: await vehicleIds(options, context), ...bodyOf(options) };
  const accepted = await context.client.send<{ job_id: string; status: string }>({ method: 'POST', path: fillPath('/api/v1/businesses/{id}/planning/preview', {}, context), body });
  if (options.wait) return followPlanning(accepted.job_id, context);
  if (context.isJson) context.printJson(accepted);
  else context.print(`${accepted.job_id}\n`);
  context.note(`planning; follow it with: milkrun jobs tail ${accepted.job_id}`);
  return exitCodes.ok;
}

async function vehicleIds({ vehicles, allVehicles }: Options, context: Context): Promise<string[]> {
  if (vehicles && allVehicles) throw wrongUsage('--vehicles and --all-vehicles contradict each other');
  if (vehicles) return vehicles;
  if (!allVehicles) throw wrongUsage('which vehicles? give --vehicles a,b or --all-vehicles');
  const all = await listAll<{ id: string }>(context.client, fillPath('/api/v1/businesses/{id}/vehicles', {}, context));
  if (all.length === 0) throw wrongUsage('the business has no vehicles', 'create one with: milkrun vehicles create; or load a scenario');
  return all.map(({ id }) => id);
}

function bodyOf(options: Options): Record<string, unknown> {
  const body = {
    date_start: options.from, date_end: options.to ?? options.from, dates: options.dates,
    include_planned: options.includePlanned, schedule_lock: options.scheduleLock, assignment_lock: options.assignmentLock,
    objectives: options.objectives, seed: options.seed, max_iterations: options.iterations, time_limit_seconds: options.timeLimit,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

async function followPlanning(jobId: string, context: Context): Promise<number> {
  const path = fillPath('/api/v1/businesses/{id}/jobs/{job_id}', { job_id: jobId }, context);
  const leaving = new AbortController();
  let timesAsked = 0;
  const job = await watchJob({
    path, signal: leaving.signal,
    onInterrupt(say) {
      timesAsked += 1;
      if (timesAsked > 1) return leaving.abort();
      say('asked to cancel; Ctrl-C once more leaves without waiting for it');
      // One that has just ended can not be cancelled, and how it ended is about to be seen.
      context.client.send({ method: 'POST', path: `${path}/cancel` }).catch((error: Error) => { if (!isStatus(error, 409)) say(`could not cancel: ${error.message}`); });
    },
  }, context);
  if (!job) {
    context.note(`left; see what became of it with: milkrun jobs get ${jobId}`);
    return exitCodes.interrupted;
  }
  showJobEnd(job, context);
  return exitCodeOfJob(job);
}
