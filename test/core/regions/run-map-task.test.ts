import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { runMapTask } from '../../../core/regions/build/run-map-task.ts';
import { InstallFailure } from '../../../core/regions/install-failure.ts';
import { writeOsmFile } from '../../support/osm-files.ts';
import { osmTown } from '../../support/osm-town.ts';
import { aroundTown } from '../../support/region-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const options = { memoryLimitBytes: 1e9, signal: new AbortController().signal };
const clipTask = (source: string) => ({ source, target: join(temporaryFolder(), 'clip.osm.pbf'), geometry: aroundTown as never });

test('a clip has what is in the area, and places all over it', async () => {
  const told: number[] = [];
  const task = clipTask(writeOsmFile(osmTown(), { replicationTimestamp: Date.parse('2026-04-04') / 1_000 }));
  const clip = await runMapTask('clip', task, { ...options, onProgress: (fraction) => told.push(fraction) });
  expect(clip).toMatchObject({ mapDate: '2026-04-04', nodes: expect.any(Number), roads: expect.any(Number) });
  expect(clip.bytes).toBe(readFileSync(task.target).length);
  expect(clip.probes.length).toBeGreaterThan(20);
  expect(clip.probes.length).toBeLessThanOrEqual(60);
  for (const { latitude, longitude } of clip.probes) expect([latitude > 53.53 && latitude < 53.57, longitude > 9.96 && longitude < 10.06]).toEqual([true, true]);
  expect(await runMapTask('clip', task, options)).toEqual(clip);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
});

test('a process that takes more memory than it may is ended, and it is told what to do', async () => {
  await expect(runMapTask('clip', clipTask(writeOsmFile(osmTown())), { ...options, memoryLimitBytes: 8e6 })).rejects.toThrow(/^Building the roads took more than the 8\.0 MB of memory that it may have\. Allow it more by MILKRUN_MAP_MEMORY/);
});

test.each<[string, (path: string) => void]>([
  ['cut off', (path) => truncateSync(path, readFileSync(path).length - 300)],
  ['damaged', (path) => { const bytes = readFileSync(path); bytes.fill(7, bytes.length >> 1, (bytes.length >> 1) + 200); writeFileSync(path, bytes); }],
  ['of other bytes', (path) => writeFileSync(path, 'nothing of a map')],
  ['empty', (path) => writeFileSync(path, '')],
])('a map that is %s is told, and leaves no clip', async (_what, spoil) => {
  const path = writeOsmFile(osmTown());
  spoil(path);
  const task = clipTask(path);
  const failure = await runMapTask('clip', task, options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InstallFailure);
  expect(failure).toMatchObject({ code: 'validation', message: expect.stringMatching(/^The map can not be used: /) });
  expect(existsSync(task.target)).toBe(false);
});

test('an aborted task is over when it says so', async () => {
  const stop = new AbortController();
  const work = runMapTask('clip', clipTask(writeOsmFile(osmTown())), { ...options, signal: stop.signal, onProgress: () => stop.abort(new Error('not wanted any more')) });
  await expect(work).rejects.toThrow('not wanted any more');
  await expect(runMapTask('clip', clipTask('/nowhere'), { ...options, signal: stop.signal })).rejects.toThrow('not wanted any more');
});

test('a child whose parent was killed ends, even in the middle of computing', async () => {
  const parent = fork(fileURLToPath(new URL('./busy-parent.ts', import.meta.url)), { execArgv: ['--no-warnings'], silent: true });
  const [{ pid }] = (await once(parent, 'message')) as [{ pid: number }];
  const isAlive = () => { try { process.kill(pid, 0); return true; } catch { return false; } };
  expect(isAlive()).toBe(true);
  parent.kill('SIGKILL');
  while (isAlive()) await sleep(20);
});
