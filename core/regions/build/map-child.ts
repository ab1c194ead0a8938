/** Runs as a child: one task, and then it ends. What it reads was made by strangers, and what it takes of memory is limited from outside. */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { InstallFailure } from '../install-failure.ts';
import { clipMap } from './clip-map.ts';
import { engineBuilders } from './engine-builders.ts';
import type { FromChild, ToChild } from './tasks.ts';

/** Below everything that somebody waits for. */
const priority = 5;
const tellEveryMs = 200;

process.once('disconnect', () => process.exit());
process.once('message', (task: ToChild) => { void run(task); });
new Worker(new URL('./die-with-parent.ts', import.meta.url), { workerData: { parent: process.ppid } }).unref();
setPriority(priority);
sacrifice();

async function run(task: ToChild): Promise<void> {
  try {
    tell({ kind: 'done', result: await resultOf(task) });
  } catch (error) {
    if (error instanceof InstallFailure) tell({ kind: 'refused', code: error.code, message: error.message });
    else tell({ kind: 'broken', message: (error as Error).message, stack: (error as Error).stack ?? '' });
  }
}

async function resultOf(task: ToChild): Promise<unknown> {
  const onProgress = throttled((fraction, message) => tell({ kind: 'progress', fraction, message }));
  switch (task.kind) {
    case 'clip': return clipMap(task, { onProgress });
    case 'build': return engineBuilders[task.engine].build(task.pbf, task.directory, { memoryLimitBytes: task.memoryLimitBytes, users: task.users, onProgress });
    case 'travel': {
      const dataset = await engineBuilders[task.engine].open(task.directory);
      try {
        const legs = [];
        for (const [index, chain] of task.chains.entries()) {
          legs.push(await dataset.legs(chain));
          onProgress((index + 1) / task.chains.length, 'travelling');
        }
        return legs;
      } finally {
        await dataset.close();
      }
    }
  }
}

function throttled(say: (fraction: number, message: string) => void): (fraction: number, message: string) => void {
  let saidAtMs = -Infinity;
  let said = '';
  return (fraction, message) => {
    const nowMs = performance.now();
    if (message === said && nowMs - saidAtMs < tellEveryMs) return;
    [saidAtMs, said] = [nowMs, message];
    say(fraction, message);
  };
}

function tell(message: FromChild): void {
  if (process.connected) process.send!(message);
}

/** When the machine runs out of memory, the system shall take this process and not the database. */
function sacrifice(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Other systems have other ways.
  }
}
