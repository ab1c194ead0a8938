import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { datasetDirectory } from '../../core/regions/datasets.ts';
import { valhallaProblem } from '../../core/valhalla/valhalla-problem.ts';
import { startWorkers } from '../../workers/main.ts';
import { closeGate } from '../support/gate.ts';
import { etagOf } from '../support/map-server.ts';
import { osmTown } from '../support/osm-town.ts';
import { writeOsmFile } from '../support/osm-files.ts';
import { regionBusiness, startRegionWorld, type RegionBusiness, type RegionWorld } from '../support/region-world.ts';

jest.setTimeout(240_000);

const valhalla = await valhallaProblem();
const engines = valhalla === null ? ['engine_b', 'engine_a'] : ['engine_b'];
if (valhalla !== null) test.skip(`engine_a needs Valhalla: ${valhalla.message}`, () => {});

let days = 0;
/** Another map each time. */
const newMap = (): Buffer => readFileSync(writeOsmFile(osmTown({ edition: days % 2 === 0 ? 1 : 2 }), { replicationTimestamp: Date.parse('2026-04-04') / 1_000 + 86_400 * days++ }));
const path = '/town.osm.pbf';

let world: RegionWorld;
beforeAll(async () => { world = await startRegionWorld(); });
afterAll(() => world.close());

async function withWorkers<T>(work: () => Promise<T>): Promise<T> {
  const workers = await startWorkers(world.config);
  try {
    return await work();
  } finally {
    await workers.close();
  }
}

function spawnWorker(): ChildProcess {
  const program = fileURLToPath(new URL('../../bin/milkrun.ts', import.meta.url));
  return spawn(process.execPath, [program, 'worker'], { env: { PATH: process.env.PATH, ...world.env }, stdio: 'ignore' });
}

const until = async (isSo: () => Promise<boolean> | boolean) => { while (!(await isSo())) await sleep(5); };

/** All processes below one, where the system tells. */
function descendantsOf(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/task/${pid}/children`)) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe.each(engines)('a worker with %s is killed', (engine) => {
  let w: RegionBusiness;
  beforeAll(async () => {
    w = await regionBusiness(world, { engine });
    world.maps.on[path] = newMap();
    await withWorkers(async () => w.endOf(await w.install()));
  });
  beforeEach(() => { world.maps.seen = []; });

  /** Kills the worker when `isThere`, and has another one do the job. What was installed serves all the time. */
  async function killWhen(isThere: (jobId: string) => Promise<void>, afterwards: () => Promise<void> = async () => {}): Promise<void> {
    const before = (await w.region()).dataset_version;
    const id = await w.install();
    const worker = spawnWorker();
    await isThere(id);
    const children = descendantsOf(worker.pid!);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await until(() => !children.some(isAlive));
    await afterwards();
    expect(await w.region()).toMatchObject({ dataset_version: before });
    expect(existsSync(datasetDirectory(world.config.dataDirectory, before))).toBe(true);
    const job = await withWorkers(() => w.endOf(id));
    expect(job).toMatchObject({ status: 'completed', result: { outcome: 'installed' } });
    expect(await w.sql('select attempt from jobs where id = $1', [id])).toEqual([{ attempt: 2 }]);
    expect(await w.sql(`select type from job_events where job_id = $1 and type <> 'progress'`, [id])).toEqual([{ type: 'completed' }]);
    expect(await w.region()).toMatchObject({ status: 'ready', dataset_version: job.result.dataset_version });
    expect((await w.datasets()).filter(({ state }) => state === 'ready').map(({ version }) => version)).toEqual([job.result.dataset_version]);
    expect((await w.datasets()).filter(({ state }) => state === 'building')).toEqual([]);
    expect(w.files()).toMatchObject({ scratch: [], parts: [] });
    // Nothing but what rows know of.
    const known = (await w.sql('select version from region_datasets')).map(({ version }) => version);
    expect(w.files().datasets.filter((name) => !known.includes(name))).toEqual([]);
  }

  test('in the middle of a download: the next one takes the rest', async () => {
    const map = newMap();
    const half = map.length >> 1;
    let isHalf = false;
    world.maps.on[path] = (_request, response) => {
      response.writeHead(200, { 'content-length': map.length, etag: etagOf(map) });
      response.write(map.subarray(0, half));
      isHalf = true;
    };
    await killWhen(async () => {
      await until(() => isHalf && w.files().parts.length > 0);
      await until(async () => (await w.sql(`select 1 from jobs where progress->>'bytes_done' = $1`, [String(half)])).length > 0);
    }, async () => { world.maps.on[path] = map; });
    expect(world.maps.seen.filter((seen) => seen.path === path).map(({ range }) => range)).toEqual([undefined, `bytes=${half}-`]);
  });

  test('before it begins to build', async () => {
    world.maps.on[path] = newMap();
    const gate = await closeGate(world.service.databaseUrl, 'region_datasets');
    // Behind the sweep, which waits as well.
    await killWhen(() => until(async () => (await gate.waiting()) > 1), () => gate.open());
  });

  test('while it builds, and its processes go with it', async () => {
    world.maps.on[path] = newMap();
    await killWhen(async (id) => {
      await until(() => w.files().scratch.some((name) => name.startsWith(id)));
      if (engine === 'engine_a') await until(async () => (await w.job(id)).progress.phase === 'build');
    });
  });

  test('between the new directory and the switch', async () => {
    world.maps.on[path] = newMap();
    let gate: Awaited<ReturnType<typeof closeGate>>;
    await killWhen(async () => {
      const there = new Set(w.files().datasets);
      await until(async () => (await w.region()).status === 'building');
      gate = await closeGate(world.service.databaseUrl, 'region_datasets');
      await until(async () => w.files().datasets.some((name) => !there.has(name)) && (await gate.waiting()) > 0);
    }, () => gate.open());
  });
});
