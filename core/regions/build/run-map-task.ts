import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../valhalla/child-environment.ts';
import { memoryOf } from '../../valhalla/memory-of.ts';
import { InstallFailure, megabytes, unavailableMap } from '../install-failure.ts';
import type { FromChild, MapTask, MapTasks } from './tasks.ts';

export interface MapTaskOptions {
  /** What the process may have of its own; files that it has mapped do not count. */
  memoryLimitBytes: number;
  signal: AbortSignal;
  onProgress?: (fraction: number, message: string) => void;
}

const memoryCheckMs = 50;
const outputBytesMax = 4_096;
const mebibyte = 1024 * 1024;

/**
 * Does a task in a process of its own. Throws InstallFailure where the map, the machine or the limit is the reason, and the signal's
 * reason when it aborts; the process has ended then. What it has half written is left to the caller.
 */
export async function runMapTask<Task extends MapTask>(kind: Task, task: MapTasks[Task]['task'], options: MapTaskOptions): Promise<MapTasks[Task]['result']> {
  const { signal, memoryLimitBytes } = options;
  signal.throwIfAborted();
  const child = fork(fileURLToPath(new URL('./map-child.ts', import.meta.url)), {
    execArgv: [`--max-old-space-size=${Math.ceil(memoryLimitBytes / mebibyte)}`, '--no-warnings'], env: childEnvironment(), stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let output = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => { output = (output + text).slice(-outputBytesMax); });
  const memory = watchMemory(child, memoryLimitBytes);
  try {
    const end = await endOf(child, { kind, ...task }, options);
    if (end.kind === 'done') return end.result as MapTasks[Task]['result'];
    if (end.kind === 'refused') throw new InstallFailure(end.code, end.message);
    if (end.kind === 'broken') throw Object.assign(new Error(`a map task failed: ${end.message}`), { stack: end.stack });
    throw deathOf(end, { isOverMemory: memory.isOver(), memoryLimitBytes, output });
  } finally {
    memory.stop();
    await endChild(child);
  }
}

type End = Exclude<FromChild, { kind: 'progress' }> | { kind: 'died'; code: number | null; killedBy: NodeJS.Signals | null };

function endOf(child: ChildProcess, task: object, { signal, onProgress }: MapTaskOptions): Promise<End> {
  const { promise, resolve, reject } = Promise.withResolvers<End>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  child.on('message', (message: FromChild) => {
    if (message.kind === 'progress') onProgress?.(message.fraction, message.message);
    else resolve(message);
  });
  child.once('error', reject);
  child.once('exit', (code, killedBy) => resolve({ kind: 'died', code, killedBy }));
  child.send(task, () => {});
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

function deathOf({ code, killedBy }: { code: number | null; killedBy: NodeJS.Signals | null }, { isOverMemory, memoryLimitBytes, output }: { isOverMemory: boolean; memoryLimitBytes: number; output: string }): Error {
  if (isOverMemory || /heap out of memory|Array buffer allocation failed/.test(output)) {
    return unavailableMap(`Building the roads took more than the ${megabytes(memoryLimitBytes)} of memory that it may have. Allow it more by MILKRUN_MAP_MEMORY, or make the region smaller.`);
  }
  if (killedBy === 'SIGKILL') return unavailableMap('The process that builds the roads was killed, most likely because the machine had no memory left. Free some, or make the region smaller.');
  return new Error(`the process that builds the roads ended with ${killedBy ?? `code ${code}`}: ${output}`);
}

function watchMemory(child: ChildProcess, limitBytes: number): { isOver: () => boolean; stop: () => void } {
  let isOver = false;
  const timer = setInterval(async () => {
    if (child.pid === undefined || isOver || (await memoryOf(child.pid)) * mebibyte <= limitBytes) return;
    isOver = true;
    child.kill('SIGKILL');
  }, memoryCheckMs);
  return { isOver: () => isOver, stop: () => clearInterval(timer) };
}

/** Whatever it has started ends with it. */
async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
