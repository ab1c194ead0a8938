import type { Context } from '../context.ts';
import { followJob, isFinal } from './follow-job.ts';
import type { Job } from './job.ts';
import { plainProgress } from './plain-progress.ts';

export interface ProgressView {
  show(job: Job): void;
  /** A word to the person who waits. */
  say(text: string): void;
  close(): Promise<void> | void;
}

interface WatchOptions {
  path: string;
  signal: AbortSignal;
  onInterrupt(say: ProgressView['say']): void;
}

/** Follows a job with a view that fits the terminal; its final state, or null when the watcher left before. */
export async function watchJob({ path, signal, onInterrupt }: WatchOptions, context: Context): Promise<Job | null> {
  const view = await openView(context);
  const release = context.onInterrupt(() => { onInterrupt((text) => { view.say(text); }); });
  try {
    for await (const job of followJob({ client: context.client, clock: context.clock, path, signal })) {
      view.show(job);
      if (isFinal(job)) return job;
    }
    return null;
  } finally {
    release();
    await view.close();
  }
}

/** ink takes a moment to load, so that only a live view pays for it. */
async function openView(context: Context): Promise<ProgressView> {
  if (!context.isLive) return plainProgress(context);
  const { liveProgress } = await import('./live-progress.ts');
  return liveProgress(context);
}
