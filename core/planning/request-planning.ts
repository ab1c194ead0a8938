import { randomInt } from 'node:crypto';
import { throwIfAny, type Problem } from '../contract/errors.ts';
import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import type { Job } from '../jobs/entity.ts';
import { startJob } from '../jobs/start-job.ts';
import { activeNetwork } from '../networks/active-network.ts';
import { recordsById } from '../records/read-records.ts';
import { instant } from '../records/present.ts';
import { datesBetween, daysUntil } from '../time/local-dates.ts';
import { Vehicle } from '../vehicles/entity.ts';
import type { PlanningRequest } from './facts.ts';
import { planningDatesMax, type PreviewInput } from './schema.ts';

const objectivesDefault = ['completed_tasks', 'travel'] as const;

/** Checks what was asked for, fills in what was left open, and starts the job. */
export async function requestPlanning(em: EntityManager, business: Business, input: PreviewInput, requestId: string): Promise<Job> {
  const vehicles = await recordsById<Vehicle>(em, Vehicle, input.vehicle_ids);
  throwIfAny([
    ...dateProblems(input),
    ...input.vehicle_ids.flatMap((id, index) => (vehicles.has(id) ? [] : [{ path: `/vehicle_ids/${index}`, message: `names no vehicle: ${JSON.stringify(id)}` }])),
  ]);
  await activeNetwork(em, business);
  const configured = business.planning.objectives;
  const request: PlanningRequest = {
    vehicle_ids: [...input.vehicle_ids],
    dates: [...(input.dates ?? datesBetween(input.date_start, input.date_end))].sort(),
    schedule_lock: input.schedule_lock ?? false,
    assignment_lock: input.assignment_lock ?? false,
    include_planned: input.include_planned ?? false,
    objectives: [...(input.objectives ?? (configured.length > 0 ? configured : objectivesDefault))],
    seed: input.seed ?? randomInt(2 ** 32),
    ...(input.max_iterations === undefined ? {} : { max_iterations: input.max_iterations }),
    ...(input.time_limit_seconds === undefined ? {} : { time_limit_seconds: input.time_limit_seconds }),
    as_of: instant(new Date()),
  };
  return startJob(em, business.id, { kind: 'planning', queue: 'planning', request: { ...request }, requestId });
}

function dateProblems({ date_start: start, date_end: end, dates }: PreviewInput): Problem[] {
  if (end < start) return [{ path: '/date_end', message: 'is before date_start' }];
  const span = daysUntil(start, end) + 1;
  if (span > planningDatesMax) return [{ path: '/date_end', message: `makes ${span} dates; a run plans ${planningDatesMax} at most` }];
  return (dates ?? []).flatMap((date, index) => (date < start || date > end ? [{ path: `/dates/${index}`, message: 'is not between date_start and date_end' }] : []));
}
