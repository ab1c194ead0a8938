import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long a computation may keep the event loop to itself. */
const holdMsMax = 8;

let lastPauseMs = performance.now();

/** To be awaited between the steps of a longer computation: lets everybody else have a turn when it has been long enough. */
export async function pausing(): Promise<void> {
  if (performance.now() - lastPauseMs < holdMsMax) return;
  await nextTurn();
  lastPauseMs = performance.now();
}
