import type { Context } from '../context.ts';
import { visible } from '../display-width.ts';
import { sparkLine } from '../spark-line.ts';
import { renderTable } from '../table.ts';
import { renderRegionResult, type RegionResult } from '../regions/installed-view.ts';
import { countText, distanceText, durationText } from '../units.ts';
import type { Job, PlanningResult, Unplanned } from './job.ts';
import { travelOverTime } from './progress-text.ts';

const sparkColumns = 40;

/** How a job ended: what it made on stdout, what went wrong on stderr. */
export function showJobEnd(job: Job, context: Context): void {
  if (context.isJson) context.printJson(job);
  if (job.status === 'failed') context.note(visible(`the job has failed: ${job.error ? `${job.error.message} (${job.error.code})` : job.progress.message}`));
  if (job.status === 'cancelled') context.note('the job was cancelled; what was there before stays');
  if (job.status === 'completed' && !context.isJson) showResult(job, context);
}

function showResult(job: Job, context: Context): void {
  const { kind, result } = job;
  if (kind === 'planning' && result) context.print(renderPlanningResult(result as unknown as PlanningResult, { paint: context.paint, widthMax: context.widthMax, travels: travelOverTime(job) }));
  else if (result?.outcome) context.print(renderRegionResult(result as unknown as RegionResult));
  else context.note(`the job has ended${result ? `: ${visible(JSON.stringify(result))}` : ''}`);
}

interface ResultContext extends Pick<Context, 'paint' | 'widthMax'> {
  /** How the travel of the best plan came down. */
  travels?: readonly number[];
}

export function renderPlanningResult({ plan_ids: planIds, planned, unplanned, metrics, stopped_early: isStoppedEarly }: PlanningResult, { travels = [], ...context }: ResultContext): string {
  const { travel_seconds: travel = 0, travel_meters: meters = 0, service_seconds: service = 0, wait_seconds: wait = 0 } = metrics;
  const work = [
    `${countText(planned)} planned, ${countText(unplanned.length)} unplanned; ${planIds.length} plans${metrics.vehicles_used === undefined ? '' : ` for ${metrics.vehicles_used} vehicles`}`,
    `${durationText(travel)} of travel (${distanceText(meters)}), ${durationText(service)} of service, ${durationText(wait)} of waiting`,
  ];
  const search = metrics.iterations === undefined ? [] : [`${countText(metrics.iterations)} iterations in ${(metrics.solver_seconds ?? 0).toFixed(1)} s${isStoppedEarly ? ', stopped early' : ''}`];
  const curve = travels.length > 1 ? [`travel ${sparkLine(travels, sparkColumns)} ${durationText(travels[0])} → ${durationText(travels.at(-1)!)}`] : [];
  return `${[context.paint('bold', work[0]), work[1], ...search, ...curve].join('\n')}\n${renderUnplanned(unplanned, context)}`;
}

/** Every order that could not be planned, and why. */
export function renderUnplanned(unplanned: readonly Unplanned[], context: Pick<Context, 'paint' | 'widthMax'>): string {
  if (unplanned.length === 0) return '';
  return `\n${context.paint('bold', 'Unplanned')}\n${renderTable([
    { title: 'order', value: (row: Unplanned) => row.order_id },
    { title: 'reason', value: (row) => row.reason.replaceAll('_', ' ') },
    { title: 'proved', value: (row) => (row.proved === undefined ? null : row.proved ? 'yes' : 'no') },
    { title: 'detail', value: (row) => row.detail },
  ], unplanned, { paint: context.paint })}`;
}
