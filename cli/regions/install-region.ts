import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { exitCodes } from '../exit-codes.ts';
import { tailJob } from '../jobs/tail-job.ts';

export async function installRegion({ operands: [regionId], options }: Input, context: Context): Promise<number> {
  const path = fillPath('/api/v1/businesses/{id}/regions/{record_id}/install', { record_id: regionId }, context);
  const { job_id: jobId, status } = await context.client.send<{ job_id: string; status: string }>({ method: 'POST', path });
  if (options.wait) return tailJob({ operands: [jobId], options: {} }, context);
  if (context.isJson) context.printJson({ job_id: jobId, status });
  else context.print(`${jobId}\n`);
  context.note(`installing; follow it with: milkrun jobs tail ${jobId}`);
  return exitCodes.ok;
}
