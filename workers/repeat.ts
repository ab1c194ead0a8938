import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface Repeated {
  /** Lets the round in hand end, and begins no other. */
  close(): Promise<void>;
}

interface RepeatOptions {
  log: Logger;
  /** What is said of a round that failed. */
  failure: string;
  /** How long to wait after one. */
  failurePauseMs: number;
}

/** Rounds one after another for as long as the process runs; each says how many milliseconds to wait before the next. */
export function repeat(round: (stopping: AbortSignal) => Promise<number>, { log, failure, failurePauseMs }: RepeatOptions): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;

  const running = (async () => {
    while (!signal.aborted) {
      let pauseMs = failurePauseMs;
      try {
        pauseMs = await round(signal);
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, failure);
      }
      // Even rounds that wait for nothing leave the event loop a turn.
      await (pauseMs > 0 ? sleep(pauseMs, undefined, { signal }).catch(() => {}) : turn());
    }
  })();

  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}
