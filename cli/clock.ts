import { setTimeout as wait } from 'node:timers/promises';

/** Time, passed in so that tests do not have to wait for it. */
export interface Clock {
  nowMs(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  async sleep(milliseconds, signal) {
    await wait(milliseconds, undefined, { signal }).catch(() => {});
  },
};
