import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Store } from '../core/db/store.ts';
import { inRequest } from '../core/events/request-scope.ts';
import type { JobProgress } from '../core/jobs/entity.ts';
import type { WorkOptions } from '../core/jobs/queue.ts';
import { beginRun, reportProgress, type Run } from '../core/jobs/runs.ts';
import { sweepMaps } from '../core/regions/drop-datasets.ts';
import { InstallFailure } from '../core/regions/install-failure.ts';
import { settleCancelled, type RegionRequest } from '../core/regions/region-jobs.ts';
import { endFailed, RunEnded, type Say } from '../core/regions/region-run.ts';
import { runRegionJob } from '../core/regions/run-region-job.ts';
import type { Patience } from '../core/regions/source/http-get.ts';
import { startDueUpdates } from '../core/regions/start-due-updates.ts';
import { repeat, type Repeated } from './repeat.ts';

/** Regions in hand at a time in one process: some may download while one builds. */
const concurrency = 3;
const reportEveryMs = 500;

interface RegionWork {
  config: Config;
  store: Store;
  log: Logger;
  patience?: Patience;
}

/** The regions queue: an entry is the job of one region. */
export function regionWork({ config, store, log, patience }: RegionWork): WorkOptions<'regions'> {
  return {
    concurrency,
    async handle({ jobId }, { signal }) {
      const begun = await beginRun(store, jobId, settleCancelled);
      if (begun === null) return;
      const { run, job } = begun;
      const reporter = startReporter(store, run, log);
      try {
        const outcome = await inRequest(job.requestId, () => runRegionJob({
          store, run, job, config, request: job.request as unknown as RegionRequest, say: reporter.say, patience,
          onTrouble: (error) => log.warn({ err: error, jobId, requestId: job.requestId }, 'region'),
          signal: AbortSignal.any([signal, reporter.ended]),
        }));
        log.info({ jobId, requestId: job.requestId, attempt: run.attempt, outcome }, 'region');
      } finally {
        await reporter.close();
      }
    },
    async giveUp({ jobId }, reason) {
      log.error({ err: reason, jobId }, 'the job of a region is given up');
      const begun = await beginRun(store, jobId, settleCancelled);
      if (begun === null) return;
      const failure = new InstallFailure('unavailable', 'The installation failed for a reason that is ours; the log has it under the id of the job.');
      await endFailed({ store, ...begun, request: begun.job.request as unknown as RegionRequest }, failure).catch((error: unknown) => {
        if (!(error instanceof RunEnded)) throw error;
      });
    },
  };
}

/** Writes the latest progress twice a second, which is also the sign of life, and learns whether the run shall go on. */
function startReporter(store: Store, run: Run, log: Logger) {
  const ending = new AbortController();
  const startedMs = performance.now();
  let latest: JobProgress = { fraction: 0, phase: 'source', message: 'starting' };
  let writing: Promise<void> | null = null;

  const write = async () => {
    try {
      const state = await reportProgress(store, run, latest);
      if (state !== 'going_on' && state !== 'finishing') ending.abort(new RunEnded(state));
    } catch (error) {
      log.warn({ err: error, jobId: run.jobId }, 'progress could not be written');
    }
  };
  const timer = setInterval(() => {
    writing ??= write().finally(() => { writing = null; });
  }, reportEveryMs);

  return {
    ended: ending.signal,
    say: ((progress) => { latest = { ...progress, elapsed_seconds: Math.round(performance.now() - startedMs) / 1_000 }; }) as Say,
    async close() {
      clearInterval(timer);
      await writing;
    },
  };
}

const updatesEveryMs = 5_000;

/** Starts the updates whose time has come. Several processes may do so beside one another. */
export function startRegionUpdates({ store, log }: { store: Store; log: Logger }): Repeated {
  return repeat(async () => {
    const count = await startDueUpdates(store);
    if (count > 0) log.info({ count }, 'updates of regions are started');
    return updatesEveryMs;
  }, { log, failure: 'updates of regions could not be started', failurePauseMs: updatesEveryMs });
}

const sweepEveryMs = 30_000;

/** Removes datasets that have been replaced and that nobody has open, and what dead runs have left. */
export function startMapSweep({ config, store, log }: RegionWork): Repeated {
  return repeat(async () => {
    const count = await sweepMaps(store, config.dataDirectory);
    if (count > 0) log.info({ count }, 'replaced datasets are removed');
    return sweepEveryMs;
  }, { log, failure: 'replaced datasets could not be removed', failurePauseMs: sweepEveryMs });
}
