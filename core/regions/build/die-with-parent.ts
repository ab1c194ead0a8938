/**
 * A thread beside the work of a child process, whose event loop may stand still for minutes. When the worker that started it is gone,
 * killed perhaps, nobody wants the work any more; another worker may be about to begin it anew.
 */
import { workerData } from 'node:worker_threads';

const { parent } = workerData as { parent: number };

setInterval(() => {
  // An orphan is given another parent.
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 250);
