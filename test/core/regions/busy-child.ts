/** Computes without a pause, beside the thread that watches its parent. */
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const watcher = new Worker(new URL('../../../core/regions/build/die-with-parent.ts', import.meta.url), { workerData: { parent: process.ppid } });
watcher.once('online', () => {
  writeSync(1, 'busy');
  for (;;);
});
