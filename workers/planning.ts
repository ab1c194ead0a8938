import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Store } from '../core/db/store.ts';
import { inRequest } from '../core/events/request-scope.ts';
import type { JobProgress } from '../core/jobs/entity.ts';
import type { WorkOptions } from '../core/jobs/queue.ts';
import { beginRun, endRun, reportProgress, type Run } from '../core/jobs/runs.ts';
import type { PlanningRequest } from '../core/planning/facts.ts';
import { endWithoutPlans, runPlanning, wishes } from '../core/planning/run-planning.ts';

const reportEveryMs = 500;

/** The planning queue: one job at a time in one process, so that the solver has the machine to itself. */
export function planningWork({ config, store, log }: { config: Config; store: Store; log: Logger }): WorkOptions<'planning'> {
  return {
    async handle({ jobId }, { signal }) {
      const begun = await beginRun(store, jobId);
      if (begun === null) return;
      const { run, job } = begun;
      const reporter = startReporter(store, run, log);
      signal.addEventListener('abort', reporter.stopRun, { once: true });
      if (signal.aborted) reporter.stopRun();
      try {
        const outcome = await inRequest(job.requestId, () => runPlanning({ store, run, request: job.request as unknown as PlanningRequest, threads: config.solverThreads, cancel: reporter.cancel, onProgress: reporter.report }));
        await reporter.close();
        // A worker that stops gives the job back: the next one begins it again.
        if (signal.aborted) throw new Error('the worker is stopping');
        if (outcome !== 'committed' && outcome !== 'overtaken') await inRequest(job.requestId, () => endWithoutPlans(store, run, outcome));
        log.info({ jobId, requestId: job.requestId, attempt: run.attempt, outcome }, 'planning');
      } finally {
        await reporter.close();
        signal.removeEventListener('abort', reporter.stopRun);
      }
    },
    async giveUp({ jobId }, reason) {
      log.error({ err: reason, jobId }, 'a planning job is given up');
      const begun = await beginRun(store, jobId);
      if (begun) await endRun(store, begun.run, { status: 'failed', error: { code: 'unavailable', message: 'planning failed for a reason that is ours; the log has it under the id of the job' } });
    },
  };
}

/** Writes the latest progress twice a second, which is also the sign of life, and passes on the wish to cancel. */
function startReporter(store: Store, run: Run, log: Logger) {
  const cancel = new Int32Array(new SharedArrayBuffer(4));
  const stopRun = () => void Atomics.store(cancel, 0, wishes.drop);
  const finishRun = () => void Atomics.compareExchange(cancel, 0, 0, wishes.finish);
  let latest: JobProgress = { fraction: 0, phase: 'read', message: 'starting' };
  let writing: Promise<void> = Promise.resolve();
  let isBusy = false;

  const write = async () => {
    isBusy = true;
    try {
      const state = await reportProgress(store, run, latest);
      if (state === 'finishing') finishRun();
      else if (state !== 'going_on') stopRun();
    } catch (error) {
      log.warn({ err: error, jobId: run.jobId }, 'progress could not be written');
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => {
    if (!isBusy) writing = write();
  }, reportEveryMs);

  return {
    cancel,
    stopRun,
    report: (progress: JobProgress) => void (latest = progress),
    async close() {
      clearInterval(timer);
      await writing;
    },
  };
}
