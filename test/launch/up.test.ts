import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { commandOf } from '../../launch/command-of.ts';
import type { UpFile } from '../../launch/up.ts';
import { openTmpdir } from '../support/open-tmpdir.ts';

let base: string;
let started: Up[];

beforeEach(() => {
  base = mkdtempSync(join(openTmpdir(), 'milkrun-test-up-'));
  chmodSync(base, 0o711);
  started = [];
});

afterEach(async () => {
  for (const up of started) up.process.kill('SIGKILL');
  await Promise.all(started.map((up) => up.exited));
  await untilGone(started.flatMap((up) => up.family()));
  rmSync(base, { recursive: true, force: true });
});

test('everything starts, says where it is, and stops in order', async () => {
  const up = start();
  const file = await up.ready();
  expect(statSync(join(base, 'data/up.json')).mode & 0o777).toBe(0o600);
  expect(await (await fetch(file.url)).json()).toMatchObject({ registration: 'open' });
  const family = up.family();
  expect(family.length).toBe(3);

  up.process.kill('SIGTERM');
  expect(await up.exited).toBe(0);
  expect(up.output()).toBe(`Milkrun is ready at ${file.url} (Ctrl-C stops it; logs in ${join(base, 'data/log')})\n`);
  expect(up.log().slice(-2)).toEqual(['daemon stopped', 'worker stopped']);
  expect(family.filter(commandOf)).toEqual([]);
  expect(existsSync(join(base, 'data/up.json'))).toBe(false);
});

test('a part that ends takes the rest along', async () => {
  const up = start();
  await up.ready();
  process.kill(Number(up.log().find((line) => line.startsWith('worker'))!.split(' ')[1]), 'SIGKILL');
  expect(await up.exited).toBe(1);
  expect(up.errors()).toContain('The worker has ended (SIGKILL)');
  expect(up.log().at(-1)).toBe('daemon stopped');
  expect(up.family().filter(commandOf)).toEqual([]);
});

test('a part that cannot start is reported with its own words', async () => {
  const up = start({ TINY_BROKEN: 'daemon' });
  expect(await up.exited).toBe(1);
  expect(up.errors()).toMatch(/The daemon has ended \(exit code 1\)[^]*daemon is broken/);
  expect(up.output()).toBe('');
});

test('killed, it takes its parts and the database along, and starts again', async () => {
  const up = start();
  await up.ready();
  const family = up.family();
  up.process.kill('SIGKILL');
  await up.exited;
  await untilGone(family);
  const again = start();
  await again.ready();
});

test('a second one with the same data directory is refused', async () => {
  const up = start();
  const { url } = await up.ready();
  const second = start();
  expect(await second.exited).toBe(1);
  expect(second.errors()).toContain(`Milkrun is already running with this data directory: ${url}`);
  expect(await up.ready()).toMatchObject({ url });
});

test('a wrong environment is refused before anything starts', async () => {
  const up = start({ MILKRUN_PORT: 'http', MILKRUN_HOST: 'a b' });
  expect(await up.exited).toBe(2);
  expect(up.errors().trim().split('\n').map((line) => line.split(' ')[0])).toEqual(['MILKRUN_HOST', 'MILKRUN_PORT']);
  expect(existsSync(join(base, 'data'))).toBe(false);
});

interface Up {
  process: ChildProcess;
  exited: Promise<number | null>;
  /** The content of up.json as soon as it is there. */
  ready(): Promise<UpFile>;
  /** Process numbers of database, daemon and worker. */
  family(): number[];
  log(): string[];
  output(): string;
  errors(): string;
}

function start(env: Record<string, string> = {}): Up {
  const module = new URL('../../launch/run-process.ts', import.meta.url).href;
  const tiny = fileURLToPath(new URL('./tiny-process.ts', import.meta.url));
  const program = `
    const { runProcess } = await import(${JSON.stringify(module)});
    process.exit(await runProcess(['up'], { program: ${JSON.stringify(tiny)} }));
  `;
  const tinyLog = join(base, 'tiny.log');
  // The name of the program is part of what tells a second one that the first still runs.
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, 'milkrun'], {
    env: { PATH: process.env.PATH, MILKRUN_DATA: join(base, 'data'), MILKRUN_PORT: '0', TINY_LOG: tinyLog, ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => { output += data; });
  child.stderr.on('data', (data) => { errors += data; });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  let hasExited = false;
  void exited.then(() => { hasExited = true; });

  const up: Up = {
    process: child, exited,
    ready: async () => {
      const file = join(base, 'data/up.json');
      while (!existsSync(file)) {
        if (hasExited) throw new Error(`up has ended: ${errors}`);
        await new Promise((resolve) => { setTimeout(resolve, 20); });
      }
      return JSON.parse(readFileSync(file, 'utf8'));
    },
    family: () => {
      const lock = join(base, 'data/postgres/data/postmaster.pid');
      const database = existsSync(lock) ? [Number.parseInt(readFileSync(lock, 'utf8'), 10)] : [];
      return [...database, ...up.log().filter((line) => line.endsWith('started')).map((line) => Number(line.split(' ')[1]))];
    },
    log: () => (existsSync(tinyLog) ? readFileSync(tinyLog, 'utf8').trim().split('\n') : []),
    output: () => output,
    errors: () => errors,
  };
  started.push(up);
  return up;
}

async function untilGone(processes: number[]): Promise<void> {
  while (processes.some((pid) => commandOf(pid))) await new Promise((resolve) => { setTimeout(resolve, 20); });
}
