export interface Running {
  /** Where it answers, of those that answer. */
  url?: string;
  close(): Promise<void>;
}

/** What a process started by `milkrun up` tells it. */
export interface ReadyMessage {
  ready: true;
  url?: string;
}

/** How long a process has for stopping, by itself. `up` waits a little longer. */
const STOP_SECONDS_MAX = 20;

/**
 * Runs until SIGINT or SIGTERM, or until the parent that started it with a channel is gone; then stops, and ends with the exit code.
 * A signal during the start is obeyed when the start is over.
 */
export async function serve(start: () => Promise<Running>): Promise<number> {
  const asked = untilAskedToStop();
  const running = await start();
  if (process.send) process.send({ ready: true, url: running.url } satisfies ReadyMessage);
  else if (running.url) process.stdout.write(`Listening on ${running.url}\n`);
  await asked;
  const timer = setTimeout(() => {
    process.stderr.write(`Not everything has stopped after ${STOP_SECONDS_MAX} s; ending all the same.\n`);
    process.exit(1);
  }, STOP_SECONDS_MAX * 1000);
  await running.close();
  clearTimeout(timer);
  return 0;
}

function untilAskedToStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  if (process.connected) process.once('disconnect', () => resolve());
  return promise;
}
