import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startWorkers, type Workers } from '../../workers/main.ts';
import { readEvents } from '../support/event-stream.ts';
import { osmTown } from '../support/osm-town.ts';
import { writeOsmFile } from '../support/osm-files.ts';
import { regionBusiness, startRegionWorld, type RegionBusiness, type RegionWorld } from '../support/region-world.ts';

const engines = ['engine_a'];
const town = readFileSync(writeOsmFile(osmTown(), { replicationTimestamp: Date.parse('2026-04-04') / 1_000 }));
const nextTown = readFileSync(writeOsmFile(osmTown({ edition: 2 }), { replicationTimestamp: Date.parse('2026-04-11') / 1_000 }));

let world: RegionWorld;
let workers: Workers;
beforeAll(async () => {
  world = await startRegionWorld();
  workers = await startWorkers(world.config);
});
afterAll(async () => {
  await workers.close();
  await world.close();
});
beforeEach(() => {
  Object.assign(world.maps, { seen: [], on: { '/town.osm.pbf': town } });
});

describe.each(engines)('with %s', (engine) => {
  let w: RegionBusiness;
  beforeEach(async () => { w = await regionBusiness(world, { engine }); });

  test('a region goes through every status, and says how far it is', async () => {
    const id = await w.install();
    const events = await readEvents(w.admin, `${w.path}/jobs/${id}/events`);
    const job = await w.endOf(id);
    expect(job).toMatchObject({ status: 'completed', error: null, result: {
      outcome: 'installed', engine, source: { address: `${world.maps.url}/town.osm.pbf`, size_bytes: town.length, map_date: '2026-04-04' }, facts: { nodes: expect.any(Number), edges: expect.any(Number), bytes: expect.any(Number) },
    } });
    expect(await w.region()).toMatchObject({ status: 'ready', dataset_version: job.result.dataset_version, error: null, approved: true, job_id: id });
    expect(await w.statuses()).toEqual(['queued', 'running', 'building', 'installing', 'ready']);
    const fractions = events.map(({ data }) => data.progress.fraction);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(events.at(-1)!.type).toBe('completed');
    expect(await w.datasets()).toEqual([{ version: job.result.dataset_version, engine, state: 'ready', facts: expect.objectContaining({ nodes: job.result.facts.nodes }) }]);
    expect(w.files()).toMatchObject({ scratch: [], parts: [] });
    expect(w.files().datasets).toContain(job.result.dataset_version);
  });

  test('a map that has not changed is not built again', async () => {
    const first = await w.endOf(await w.install());
    const second = await w.endOf(await w.install());
    expect(second).toMatchObject({ status: 'completed', result: { outcome: 'unchanged', dataset_version: first.result.dataset_version } });
    expect((await w.statuses()).slice(5)).toEqual(['queued', 'running', 'ready']);
  });

  test('a new map takes the place of the old one, which is removed', async () => {
    const first = await w.endOf(await w.install());
    world.maps.on['/town.osm.pbf'] = nextTown;
    const second = await w.endOf(await w.install());
    expect(second.result).toMatchObject({ outcome: 'installed', source: { map_date: '2026-04-11' } });
    expect(second.result.dataset_version).not.toBe(first.result.dataset_version);
    expect((await w.region()).dataset_version).toBe(second.result.dataset_version);
    expect(await w.datasets()).toMatchObject([{ version: first.result.dataset_version, state: 'retired' }, { version: second.result.dataset_version, state: 'ready' }]);
  });
});
