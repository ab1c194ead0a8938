import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { valhallaProblem } from '../../core/valhalla/valhalla-problem.ts';
import { startWorkers, type Workers } from '../../workers/main.ts';
import { describeExtracts, extractPath } from '../support/osm-files.ts';
import { regionBusiness, startRegionWorld, type RegionWorld } from '../support/region-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

jest.setTimeout(300_000);

const engines = (await valhallaProblem()) === null ? ['engine_b', 'engine_a'] : ['engine_b'];
const andorra = { type: 'Polygon', coordinates: [[[1.4, 42.42], [1.8, 42.42], [1.8, 42.67], [1.4, 42.67], [1.4, 42.42]]] };

describeExtracts('a country from a directory of dated maps', ['andorra'], (names) => {
  const folder = temporaryFolder();
  let world: RegionWorld;
  let workers: Workers;
  beforeAll(async () => {
    world = await startRegionWorld({ MILKRUN_MAP_SOURCE: folder });
    workers = await startWorkers(world.config);
  });
  afterAll(async () => {
    await workers.close();
    await world.close();
  });

  test('is installed and brought up to date, and rebuilt for the other engine without the old one going away', async () => {
    const [first, latest] = [names[0], names[names.length - 1]];
    copyFileSync(extractPath(first), join(folder, first));
    const w = await regionBusiness(world, { engine: engines[0], regionId: 'andorra', geometry: andorra });
    const installed = await w.endOf(await w.install());
    expect(installed).toMatchObject({ status: 'completed', result: { outcome: 'installed', source: { address: join(folder, first), map_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } } });
    copyFileSync(extractPath(latest), join(folder, latest));
    const updated = await w.endOf(await w.install());
    expect(updated.result).toMatchObject({ outcome: first === latest ? 'unchanged' : 'installed', source: { address: join(folder, latest) } });
    if (engines.length < 2) return;
    await w.admin.patch(`${w.path}/settings`, { routing: { engine: engines[1] } });
    const region = await w.region();
    expect(region).toMatchObject({ status: expect.stringMatching(/queued|running/), dataset_version: updated.result.dataset_version });
    const rebuilt = await w.endOf(region.job_id);
    expect(rebuilt).toMatchObject({ kind: 'region_update', status: 'completed', request: { reason: 'engine_changed' }, result: { outcome: 'installed', engine: engines[1] } });
    expect((await w.region()).dataset_version).toBe(rebuilt.result.dataset_version);
    // For those who read the log of the tests: how long each took on this machine.
    const seconds = [installed, updated, rebuilt].map((job) => (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1_000);
    if (process.env.MILKRUN_LOG_LEVEL) process.stderr.write(`${JSON.stringify({ installed: seconds[0], updated: seconds[1], rebuilt: seconds[2], facts: [installed, updated, rebuilt].map((job) => job.result.facts) })}\n`);
  });
});
