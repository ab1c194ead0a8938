import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startDueUpdates } from '../../core/regions/start-due-updates.ts';
import { sweepMaps } from '../../core/regions/drop-datasets.ts';
import { openDatasetHolds } from '../../core/regions/dataset-holds.ts';
import { datasetDirectory } from '../../core/regions/datasets.ts';
import { buildsHere, inTurn } from '../../core/regions/in-turn.ts';
import { openStore, type Store } from '../../core/db/store.ts';
import { valhallaProblem } from '../../core/valhalla/valhalla-problem.ts';
import { startWorkers, type Workers } from '../../workers/main.ts';
import { signedIn } from '../support/business.ts';
import type { Client } from '../support/client.ts';
import { readEvents } from '../support/event-stream.ts';
import { osmTown, townPlace } from '../support/osm-town.ts';
import { writeOsmFile } from '../support/osm-files.ts';
import { aroundTown, regionBusiness, startRegionWorld, type RegionBusiness, type RegionWorld } from '../support/region-world.ts';

const valhalla = await valhallaProblem();
const engines = valhalla === null ? ['engine_b', 'engine_a'] : ['engine_b'];
if (valhalla !== null) test.skip(`engine_a needs Valhalla: ${valhalla.message}`, () => {});

const mapOf = (edition: 1 | 2, day: string): Buffer => readFileSync(writeOsmFile(osmTown({ edition }), { replicationTimestamp: Date.parse(day) / 1_000 }));
const town = mapOf(1, '2026-04-04');
const nextTown = mapOf(2, '2026-04-11');
const southOnly = { type: 'Polygon', coordinates: [[[9.96, 53.53], [10.06, 53.53], [10.06, 53.545], [9.96, 53.545], [9.96, 53.53]]] };

jest.setTimeout(240_000);

let world: RegionWorld;
let workers: Workers;
let store: Store;
let admin: Client;
beforeAll(async () => {
  world = await startRegionWorld();
  workers = await startWorkers(world.config);
  store = await openStore(world.service.databaseUrl);
  admin = await signedIn(world.service);
});
afterAll(async () => {
  await workers.close();
  await store.close();
  await world.close();
});
beforeEach(() => {
  Object.assign(world.maps, { seen: [], on: { '/town.osm.pbf': town } });
});

describe.each(engines)('with %s', (engine) => {
  let w: RegionBusiness;
  beforeEach(async () => { w = await regionBusiness(world, { engine, admin }); });
  const installed = async () => (await w.endOf(await w.install())).result.dataset_version as string;
  const notifications = async () => (await w.admin.get(`${w.path}/notifications`)).body.items;

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

  test('a map that has not changed is not built again, unless its roads have gone or are of another form', async () => {
    const version = await installed();
    expect((await w.endOf(await w.install())).result).toMatchObject({ outcome: 'unchanged', dataset_version: version });
    expect((await w.statuses()).slice(5)).toEqual(['queued', 'running', 'ready']);
    rmSync(datasetDirectory(world.config.dataDirectory, version), { recursive: true });
    const second = await w.endOf(await w.install());
    expect(second.result).toMatchObject({ outcome: 'installed' });
    await w.sql(`update region_datasets set facts = facts || '{"format": "of old"}' where version = $1`, [second.result.dataset_version]);
    expect((await w.endOf(await w.install())).result).toMatchObject({ outcome: 'installed' });
    // The bytes were there all the time.
    expect(world.maps.seen.filter(({ path, ifNoneMatch }) => path === '/town.osm.pbf' && ifNoneMatch === undefined).length).toBeLessThanOrEqual(1);
  });

  test('a new map takes the place of the old one, which goes when nobody has it open any more', async () => {
    const first = await installed();
    const holds = openDatasetHolds(store, world.config.dataDirectory);
    const [one, another] = [(await holds.hold(first))!, (await holds.hold(first))!];
    world.maps.on['/town.osm.pbf'] = nextTown;
    const second = await installed();
    expect(second).not.toBe(first);
    expect((await w.region()).dataset_version).toBe(second);
    const late = openDatasetHolds(store, world.config.dataDirectory);
    // Who has read the old version a moment ago still gets it.
    const latecomer = (await late.hold(first))!;
    const later = Date.now() + 3_600_000;
    for (const hold of [one, another, latecomer]) {
      await sweepMaps(store, world.config.dataDirectory, later);
      expect(w.files().datasets).toContain(first);
      await hold.release();
      await hold.release();
    }
    // Somebody may have read of it just before it was replaced, and come for it now.
    await sweepMaps(store, world.config.dataDirectory);
    expect(w.files().datasets).toContain(first);
    await sweepMaps(store, world.config.dataDirectory, later);
    expect(w.files().datasets).not.toContain(first);
    expect(await w.datasets()).toMatchObject([{ version: second, state: 'ready' }]);
    expect(await late.hold(first)).toBeNull();
    await Promise.all([holds.close(), late.close()]);
  });

  test('regions of one map fetch it once', async () => {
    const others = await Promise.all(['town', 'town'].map((regionId) => regionBusiness(world, { engine, regionId, admin })));
    const jobs = await Promise.all(others.map(async (other) => other.endOf(await other.install())));
    expect(jobs.map(({ result }) => result?.outcome)).toEqual(['installed', 'installed']);
    expect(world.maps.seen.filter(({ path, ifNoneMatch }) => path === '/town.osm.pbf' && ifNoneMatch === undefined).length).toBeLessThanOrEqual(1);
  });

  test('a failed update is told, and keeps what is installed', async () => {
    const version = await installed();
    world.maps.on['/town.osm.pbf'] = town.subarray(0, town.length - 500);
    const job = await w.endOf(await w.install());
    expect(job).toMatchObject({ status: 'failed', error: { code: 'validation', message: expect.stringMatching(/^The map can not be used: /) } });
    expect(await w.region()).toMatchObject({ status: 'failed', dataset_version: version, error: job.error.message });
    expect(await notifications()).toMatchObject([{ kind: 'region_failed', message: expect.stringContaining('The update of the region Town failed: The map can not be used'), data: { region_id: 'town', job_id: job.id } }]);
    expect(w.files()).toMatchObject({ scratch: [] });
    expect(w.files().datasets).toContain(version);
    world.maps.on['/town.osm.pbf'] = town;
    expect((await w.endOf(await w.install())).result).toMatchObject({ outcome: 'unchanged' });
    expect(await w.region()).toMatchObject({ status: 'ready', dataset_version: version, error: null });
  });

  test.each<[string, object, RegExp]>([
    ['lies beside the map', { type: 'Polygon', coordinates: [[[14, 35], [15, 35], [15, 36], [14, 36], [14, 35]]] }, /^The map and the region do not meet/],
    ['has no roads', { type: 'Polygon', coordinates: [[[9.9903, 53.5404], [9.9905, 53.5404], [9.9905, 53.5406], [9.9903, 53.5406], [9.9903, 53.5404]]] }, /do not meet|There are no roads within the polygon/],
  ])('a polygon that %s is told', async (_what, geometry, message) => {
    await w.admin.patch(`${w.path}/regions/town`, { geometry });
    expect(await w.endOf(await w.install())).toMatchObject({ status: 'failed', error: { code: 'validation', message: expect.stringMatching(message) } });
    expect(await w.region()).toMatchObject({ status: 'failed', dataset_version: null });
    expect(await w.datasets()).toEqual([]);
  });

  test('a map of half the region is taken by hand, and not by the schedule', async () => {
    const version = await installed();
    const half = osmTown();
    const kept = new Set(half.nodes.filter(({ latitude }) => latitude < townPlace(0, 3.5).latitude).map(({ id }) => id));
    const content = { nodes: half.nodes.filter(({ id }) => kept.has(id)), ways: half.ways.filter(({ refs }) => refs.every((ref) => kept.has(ref))), relations: [] };
    world.maps.on['/town.osm.pbf'] = readFileSync(writeOsmFile(content));
    await w.sql(`update businesses set next_map_update_at = now() - interval '1 minute' where id = $1`, [w.id]);
    await startDueUpdates(store);
    const job = await w.endOf((await w.region()).job_id);
    expect(job).toMatchObject({ kind: 'region_update', status: 'failed', error: { message: expect.stringMatching(/^The new map looks incomplete: the region has \d+ nodes/) } });
    expect((await w.region()).dataset_version).toBe(version);
    expect((await w.endOf(await w.install())).result).toMatchObject({ outcome: 'installed' });
  });

  describe('while it is under way', () => {
    /** Holds the machine's turn, so that the job stops between download and build. */
    async function betweenDownloadAndBuild<T>(work: () => Promise<T>): Promise<T> {
      return inTurn({ databaseUrl: world.service.databaseUrl, name: buildsHere(), signal: new AbortController().signal, onWait: () => {} }, work);
    }
    const until = async (isSo: () => Promise<boolean>) => { while (!(await isSo())) await sleep(10); };
    const isWaiting = (id: string) => async () => (await w.job(id)).progress.message.startsWith('waiting for another build');
    const nothingIsLeft = async (id: string) => {
      expect(w.files()).toMatchObject({ scratch: [], parts: [] });
      expect(await w.sql(`select 1 from region_datasets where job_id = $1 and state <> 'ready'`, [id])).toEqual([]);
    };
    const cancel = async (id: string) => expect((await w.admin.post(`${w.path}/jobs/${id}/cancel`)).status).toBe(200);

    test('a download can be cancelled', async () => {
      let isHalf = false;
      world.maps.on['/town.osm.pbf'] = (_request, response) => {
        response.writeHead(200, { 'content-length': town.length });
        response.write(town.subarray(0, 2_000), () => { isHalf = true; });
      };
      const id = await w.install();
      await until(async () => isHalf);
      await cancel(id);
      expect(await w.endOf(id)).toMatchObject({ status: 'cancelled' });
      expect(await w.region()).toMatchObject({ status: 'not_installed', error: null });
      await nothingIsLeft(id);
    });

    test('waiting for the machine can be cancelled, and what is installed stays', async () => {
      const version = await installed();
      world.maps.on['/town.osm.pbf'] = nextTown;
      await betweenDownloadAndBuild(async () => {
        const id = await w.install();
        await until(isWaiting(id));
        expect(await w.region()).toMatchObject({ status: 'running', dataset_version: version });
        await cancel(id);
        expect(await w.endOf(id)).toMatchObject({ status: 'cancelled' });
        await nothingIsLeft(id);
      });
      expect(await w.region()).toMatchObject({ status: 'ready', dataset_version: version });
    });

    test('a build can be cancelled', async () => {
      const id = await w.install();
      await until(async () => w.files().scratch.some((name) => name.startsWith(id)));
      await cancel(id);
      const job = await w.endOf(id);
      expect(job.status).toBe('cancelled');
      expect(await w.region()).toMatchObject({ status: 'not_installed', dataset_version: null });
      await nothingIsLeft(id);
    });

    test('a region can be deleted, and nothing is left', async () => {
      const id = await w.install();
      await until(async () => w.files().scratch.some((name) => name.startsWith(id)));
      expect((await w.admin.delete(`${w.path}/regions/town`)).status).toBe(204);
      expect(await w.endOf(id)).toMatchObject({ status: 'cancelled' });
      await nothingIsLeft(id);
      expect((await w.admin.get(`${w.path}/regions/town?record_status=deleted`)).body).toMatchObject({ status: 'not_installed', dataset_version: null });
      expect(await w.datasets()).toEqual([]);
    });

    test('another area is what is built in the end', async () => {
      const whole = await w.endOf(await w.install());
      world.maps.on['/town.osm.pbf'] = nextTown;
      const id = await betweenDownloadAndBuild(async () => {
        const job = await w.install();
        await until(isWaiting(job));
        await w.admin.patch(`${w.path}/regions/town`, { geometry: southOnly });
        return job;
      });
      const job = await w.endOf(id);
      expect(job.result).toMatchObject({ outcome: 'installed' });
      expect(job.result.facts.nodes).toBeLessThan(whole.result.facts.nodes * 0.8);
      expect(await w.region()).toMatchObject({ status: 'ready', geometry: southOnly, job_id: id });
      await nothingIsLeft(id);
    });
  });

  test('of plans on the roads, those whose travel changes are told', async () => {
    await w.admin.post(`${w.path}/warehouses`, { id: 'depot', name: 'Depot', location: townPlace(1, 4) });
    await w.admin.post(`${w.path}/vehicles`, { id: 'van', name: 'Van', warehouse_id: 'depot' });
    const version = await installed();
    const date = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 1 }).toString();
    const stop = (sequence: number, column: number, row: number) => ({ sequence, kind: 'task', order_id: `o${sequence}`, location: townPlace(column, row), travel_seconds: 60, travel_meters: 600 });
    const insert = (id: string, stops: object[]) => w.sql(
      `insert into plans (business_id, id, created_at, updated_at, vehicle_id, shift_date, state, stops, warnings, unplanned_order_ids) values ($1, $2, now(), now(), 'van', $3, 'planning', $4, '[]', '[]')`,
      [w.id, id, id === 'across' ? date : Temporal.PlainDate.from(date).add({ days: 1 }).toString(), JSON.stringify(stops)],
    );
    // Again and again over the bridge that will be closed; and a plan that stays on its bank.
    await insert('across', Array.from({ length: 24 }, (_, index) => stop(index + 1, 1, index % 2 === 0 ? 7 : 4)));
    await insert('here', [stop(1, 1, 3), stop(2, 3, 2)]);
    world.maps.on['/town.osm.pbf'] = nextTown;
    const job = await w.endOf(await w.install());
    expect(job.result.drift).toMatchObject({ plans_compared: 2, changed: [{ plan_id: 'across', vehicle_id: 'van', date, unreachable_legs: 0 }] });
    const [{ seconds_before: before, seconds_after: after }] = job.result.drift.changed;
    expect(after).toBeGreaterThan(before * 1.1);
    const warnings = async (id: string) => (await w.sql('select warnings from plans where business_id = $1 and id = $2', [w.id, id]))[0].warnings;
    expect(await warnings('across')).toEqual([`on the new roads of the region Town the travel of this plan takes ${Math.round(after / 60)} min instead of ${Math.round(before / 60)}`]);
    expect(await warnings('here')).toEqual([]);
    expect(await notifications()).toMatchObject([{ kind: 'roads_changed', data: { region_id: 'town', dataset_version: job.result.dataset_version, plan_ids: ['across'] } }]);
    expect(job.result.dataset_version).not.toBe(version);
  });
});

describe('the schedule', () => {
  const due = (id: string, when = `now() - interval '1 minute'`) => w.sql(`update businesses set next_map_update_at = ${when} where id = $1`, [id]);
  const jobs = async () => (await w.admin.get(`${w.path}/jobs`)).body.items.map(({ kind, request }: { kind: string; request: object }) => ({ kind, request }));
  const nextAt = async () => (await w.sql('select next_map_update_at as at from businesses where id = $1', [w.id]))[0].at as Date;
  let w: RegionBusiness;
  beforeEach(async () => { w = await regionBusiness(world, { engine: 'engine_b', admin }); });

  test('starts an update of approved regions, once, however much was missed', async () => {
    await w.admin.post(`${w.path}/regions`, { id: 'other', name: 'Other', geometry: aroundTown });
    await w.admin.post(`${w.path}/regions/town/approve`);
    await due(w.id, `now() - interval '5 weeks'`);
    const counts = await Promise.all([startDueUpdates(store), startDueUpdates(store), startDueUpdates(store)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await jobs()).toEqual([{ kind: 'region_update', request: { region_id: 'town', reason: 'schedule' } }]);
    expect((await nextAt()).getTime()).toBeGreaterThan(Date.now());
    expect(await startDueUpdates(store)).toBe(0);
  });

  test('leaves a region alone that has a job already, and one that was unapproved', async () => {
    await w.admin.post(`${w.path}/regions/town/install`);
    await due(w.id);
    await startDueUpdates(store);
    expect((await jobs()).filter(({ kind }: { kind: string }) => kind === 'region_update')).toEqual([]);
    await w.admin.post(`${w.path}/regions/town/unapprove`);
    await due(w.id);
    await startDueUpdates(store);
    expect((await jobs()).filter(({ kind }: { kind: string }) => kind === 'region_update')).toEqual([]);
  });

  test('of a business that has none written down yet is written down, and nothing is started', async () => {
    await w.admin.post(`${w.path}/regions/town/approve`);
    await due(w.id, 'null');
    await startDueUpdates(store);
    expect((await nextAt()).getTime()).toBeGreaterThan(Date.now());
    expect(await jobs()).toEqual([]);
  });
});

