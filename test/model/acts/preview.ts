import fc from 'fast-check';
import { ok } from '../../support/line-world.ts';
import { agree, at, type Model, type Wire } from '../state.ts';
import { answers, refusal, type Act, type Refusal, type Step } from '../act.ts';
import { followRun, type Run } from '../planning-rules.ts';
import type { Real } from '../world.ts';
import { some } from './pick.ts';

const requests = fc.record({
  vehicles: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 31 }) }),
  dates: fc.constantFrom([0, 2], [0, 0], [1, 2], [0, 1], [2, 1]), schedule_lock: fc.boolean(), assignment_lock: fc.boolean(), include_planned: fc.boolean(),
  objectives: fc.constantFrom(undefined, ['completed_tasks'], ['travel', 'completed_tasks'], ['completed_tasks', 'travel']),
  isCancelled: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** Plans, waits for the end, and looks at what has come of it; or cancels the job at once. */
export const preview: fc.Arbitrary<Act> = requests.map((wanted) => planning(wanted));

type Wanted = typeof requests extends fc.Arbitrary<infer T> ? T : never;

export const planning = ({ vehicles, dates: [first, last], isCancelled, ...options }: Wanted): Act => (model) => {
  const all = Object.values(model.vehicles);
  const chosen = vehicles === 0 ? all.filter(({ isDeleted }) => !isDeleted) : some(all, vehicles);
  if (chosen.length === 0) return null;
  const body = { vehicle_ids: chosen.map(({ id }) => id), date_start: model.season.dates[first], date_end: model.season.dates[last], seed: 1, max_iterations: 60, ...options };
  return {
    text: `plan ${JSON.stringify(body)}${isCancelled ? ' and cancel it' : ''}`,
    async send(real) {
      const asOfMs = model.nowMs;
      const reply = await real.admin.post(`${real.path}/planning/preview`, body);
      const asked: Step = (now) => void answers(reply, 202, refusePreview(now, body));
      if (reply.status !== 202) return [asked];
      const id = reply.body.job_id;
      const cancelled = isCancelled ? await real.admin.post(`${real.path}/jobs/${id}/cancel`) : null;
      const job = await endOf(real, id);
      if (cancelled?.status === 200) return [asked, () => agree(job.status === 'cancelled', () => `the job that was cancelled ended as ${job.status}`)];
      const wasLate: Step = () => agree(cancelled === null || (cancelled.status === 409 && job.status !== 'cancelled'), () => `cancelling was answered ${cancelled!.status}, but the job is ${job.status}`);
      return [asked, wasLate, (now, seen) => followRun(now, seen, { job, body, asOfMs } as Run)];
    },
  };
};

function refusePreview(model: Model, { vehicle_ids: ids, date_start: start, date_end: end }: Wire): Refusal {
  if (end < start) return refusal(422, 'the dates are reversed');
  return ids.every((id: string) => at(model.vehicles, id)) ? null : refusal(422, 'it names a vehicle that has been deleted');
}

const patienceMs = 30_000;

/** The clock of the service stands still, so this one is another. */
async function endOf({ admin, path }: Real, id: string): Promise<Wire> {
  const startedMs = performance.now();
  for (;;) {
    const job = ok(await admin.get(`${path}/jobs/${id}`));
    if (job.finished_at) return job;
    agree(performance.now() - startedMs < patienceMs, () => `the job does not come to an end: ${JSON.stringify(job)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
