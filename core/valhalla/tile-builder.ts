/**
 * Runs as a child: starts Valhalla's builder, tells what it prints, and ends it when it takes too much memory or when the process that
 * asked for it has gone. That one may be killed at any time, and would leave a builder behind that writes on for an hour.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { memoryOf } from './memory-of.ts';

export interface BuilderTask {
  program: string;
  args: string[];
  /** Where it works; removed when whoever asked goes while the build runs. */
  directory: string;
  memoryLimitMb: number;
}

export type BuilderReport = { kind: 'line'; line: string } | { kind: 'end'; end: BuilderEnd };

export interface BuilderEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  isOverMemory: boolean;
  memoryMbMax: number;
  /** The last of what it printed. */
  output: string;
}

const OUTPUT_BYTES_MAX = 4096;
const MEMORY_CHECK_MS = 50;
/** Below everything that somebody waits for. */
const PRIORITY = 5;

let builder: ChildProcess | null = null;
let directory: string | null = null;

process.once('message', (task: BuilderTask) => { void build(task); });
process.once('disconnect', () => {
  builder?.kill('SIGKILL');
  if (directory !== null) rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  process.exit();
});

async function build(task: BuilderTask): Promise<void> {
  ({ directory } = task);
  let output = '';
  const note = (text: string) => { output = `${output}${text}\n`.slice(-OUTPUT_BYTES_MAX); };
  // It leaves a file in its working directory.
  const running = spawn(task.program, task.args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  builder = running;
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    running.once('error', (error) => { note(error.message); resolve({ code: null, signal: null }); });
    running.once('close', (code, signal) => resolve({ code, signal }));
  });
  if (running.pid !== undefined) setPriority(running.pid, PRIORITY);
  createInterface(running.stdout).on('line', (line) => { note(line); tell({ kind: 'line', line }); });
  createInterface(running.stderr).on('line', note);
  const memory = watchMemory(running, task.memoryLimitMb);
  const how = await ended;
  directory = null;
  tell({ kind: 'end', end: { ...how, ...memory.stop(), output } });
}

function watchMemory(running: ChildProcess, limitMb: number): { stop: () => Pick<BuilderEnd, 'isOverMemory' | 'memoryMbMax'> } {
  let memoryMbMax = 0;
  let isOverMemory = false;
  const timer = setInterval(async () => {
    if (running.pid === undefined) return;
    memoryMbMax = Math.max(memoryMbMax, await memoryOf(running.pid));
    if (memoryMbMax <= limitMb || isOverMemory) return;
    isOverMemory = true;
    running.kill('SIGKILL');
  }, MEMORY_CHECK_MS);
  return { stop: () => { clearInterval(timer); return { isOverMemory, memoryMbMax: Math.round(memoryMbMax) }; } };
}

function tell(report: BuilderReport): void {
  if (process.connected) process.send!(report);
}
