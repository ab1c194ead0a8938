import type { Context } from '../context.ts';
import { visible } from '../display-width.ts';
import type { Job } from './job.ts';
import { bestText, bytesText, percentText, phaseText } from './progress-text.ts';
import type { ProgressView } from './watch-job.ts';

/** A log that nobody watches live needs no more than this many lines. */
const pauseMs = 2_000;

/** A line each time that the phase changes, and now and then when the best plan or the bytes of a download do. */
export function plainProgress(context: Pick<Context, 'note' | 'clock'>): ProgressView {
  let saidPhase = '';
  let saidBest = '';
  let saidAtMs = -Infinity;
  return {
    show(job) {
      const phase = phaseText(job);
      const best = job.progress.best ? bestText(job.progress.best) : bytesText(job);
      const nowMs = context.clock.nowMs();
      const isNews = phase !== saidPhase || (best !== saidBest && nowMs - saidAtMs >= pauseMs);
      if (!isNews) return;
      context.note(visible(lineOf(job, phase, best)));
      [saidPhase, saidBest, saidAtMs] = [phase, best, nowMs];
    },
    say: (text) => { context.note(text); },
    close() {},
  };
}

function lineOf({ progress }: Pick<Job, 'progress'>, phase: string, best: string): string {
  const elapsed = progress.elapsed_seconds === undefined ? '' : `${progress.elapsed_seconds.toFixed(1)} s`;
  return [elapsed, percentText({ progress }), phase, best].filter((part) => part !== '').join('  ');
}
