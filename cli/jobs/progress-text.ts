import { countText, distanceText, durationText, sizeText } from '../units.ts';
import type { Best, Job } from './job.ts';

/** `51 planned, 9 unplanned, 3 h 12 on the road, 184.2 km`. */
export function bestText(best: Best): string {
  const parts = [
    best.planned !== undefined && `${countText(best.planned)} planned`,
    best.unplanned !== undefined && `${countText(best.unplanned)} unplanned`,
    best.travel_seconds !== undefined && `${durationText(best.travel_seconds)} of travel`,
    best.travel_meters !== undefined && distanceText(best.travel_meters),
  ];
  return parts.filter(Boolean).join(', ');
}

/** `1.2 MB of 3.9 MB`, while something is downloaded. */
export const bytesText = ({ progress: { bytes_done: done, bytes_total: total } }: Pick<Job, 'progress'>): string =>
  done === undefined ? '' : `${sizeText(done)}${total === undefined ? '' : ` of ${sizeText(total)}`}`;

/** Travel of the best plan each time that a better one was seen, as far as they served the same number of orders: others do not compare. */
export function travelOverTime({ best_over_time: seen = [] }: Pick<Job, 'best_over_time'>): number[] {
  const planned = seen.at(-1)?.planned;
  return seen.filter((best) => best.planned === planned).map((best) => best.travel_seconds ?? 0);
}

export const percentText = ({ progress }: Pick<Job, 'progress'>): string => `${Math.floor(progress.fraction * 100)} %`;

export const phaseText = ({ status, progress }: Pick<Job, 'status' | 'progress'>): string => [status, progress.phase !== status && progress.phase].filter(Boolean).join(': ');
