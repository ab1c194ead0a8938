import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createBusiness, signedIn, type TestBusiness } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { rowsOf } from '../../support/database.ts';
import { pathsOf, type Made } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let service: TestService;
let admin: Client;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService({ env: { MILKRUN_MAP_SOURCE: temporaryFolder() } });
  admin = await signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  business = await createBusiness(service, {}, admin);
});

const geometry = { type: 'Polygon', coordinates: [[[14, 35], [15, 35], [15, 36], [14, 36], [14, 35]]] };
const smaller = { type: 'Polygon', coordinates: [[[14, 35], [15, 35], [15, 35.5], [14, 35.5], [14, 35]]] };
const regions = () => `${business.path}/regions`;
const create = async (fields: Made = {}): Promise<Made> => (await admin.post(regions(), { id: 'malta', name: 'Malta', geometry, ...fields })).body;
const read = async (id = 'malta'): Promise<Made> => (await admin.get(`${regions()}/${id}`)).body;
const act = (verb: string, id = 'malta') => admin.post(`${regions()}/${id}/${verb}`);
const job = async (id: string): Promise<Made> => (await admin.get(`${business.path}/jobs/${id}`)).body;
const statuses = async () => (await rowsOf(service.databaseUrl, `select data->>'previous_status' as before, data->>'status' as after from events where business_id = $1 and type = 'region.status_changed' order by position`, [business.id])).map(({ before, after }) => `${before} → ${after}`);
const nextUpdate = async () => (await rowsOf(service.databaseUrl, 'select next_map_update_at as at from businesses where id = $1', [business.id]))[0].at?.toISOString();
/** As a job leaves it that has gone well. */
const pretendInstalled = async (engine = 'engine_b', id = 'malta') => {
  await rowsOf(service.databaseUrl, `insert into region_datasets (business_id, version, region_id, engine, state, job_id, attempt, geometry_hash, source, created_at) values ($1, $2, $3, $4, 'ready', 'j', 1, '', '{}', now())`, [business.id, `v1-${business.id.slice(-12)}`, id, engine]);
  await rowsOf(service.databaseUrl, `update regions set status = 'ready', dataset_version = $3 where business_id = $1 and id = $2`, [business.id, id, `v1-${business.id.slice(-12)}`]);
};

describe('a region', () => {
  test('is stored as it was sent, and nothing is installed', async () => {
    expect(await create()).toMatchObject({ id: 'malta', name: 'Malta', geometry, status: 'not_installed', job_id: null, dataset_version: null, error: null, approved: false });
    expect(await read()).toMatchObject({ name: 'Malta', geometry, revision: 1 });
    expect((await admin.get(`${regions()}?q=malt`)).body.items).toHaveLength(1);
  });

  test('can be sent back as it was read; what the service manages stays', async () => {
    const made = await create();
    const { status, body } = await admin.put(`${regions()}/malta`, { ...made, name: 'Malta and Gozo', status: 'ready', dataset_version: 'mine', approved: true });
    expect([status, body]).toMatchObject([200, { name: 'Malta and Gozo', status: 'not_installed', dataset_version: null, approved: false, revision: 2 }]);
  });

  test('needs a name and an area', async () => {
    expect(pathsOf(await admin.post(regions(), {}))).toEqual(['/name', '/geometry']);
    expect(pathsOf(await admin.post(regions(), { name: 'Malta', geometry: { type: 'Point', coordinates: [14, 35] } }))).toContain('/geometry/type');
  });

  test('whose outline is wrong is told where', async () => {
    await create();
    for (const reply of [await admin.post(regions(), { name: 'Open', geometry: { type: 'Polygon', coordinates: [geometry.coordinates[0].slice(1)] } }), await admin.patch(`${regions()}/malta`, { geometry: { type: 'Polygon', coordinates: [[[14, 35], [15, 36], [15, 35], [14, 36], [14, 35]]] } })]) {
      expect([reply.status, pathsOf(reply)[0]]).toEqual([422, expect.stringMatching(/^\/geometry\/coordinates\/0/)]);
    }
  });
});

describe('installing', () => {
  test('starts a job, approves the region and tells of its status', async () => {
    await create();
    const reply = await act('install');
    expect([reply.status, reply.body]).toEqual([202, { job_id: expect.any(String), status: 'queued' }]);
    expect(reply.headers.get('location')).toBe(`${business.path}/jobs/${reply.body.job_id}`);
    expect(await job(reply.body.job_id)).toMatchObject({ kind: 'region_install', status: 'queued', request: { region_id: 'malta', reason: 'asked_for' } });
    expect(await read()).toMatchObject({ status: 'queued', job_id: reply.body.job_id, approved: true });
    expect(await statuses()).toEqual(['not_installed → queued']);
  });

  test('twice, and at once, is one job', async () => {
    await create();
    const replies = await Promise.all([act('install'), act('install'), act('install')]);
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.job_id}`)).size).toBe(1);
    expect((await admin.get(`${business.path}/jobs`)).body.items).toHaveLength(1);
  });

  test('can be cancelled before anybody has begun', async () => {
    await create();
    const { body: { job_id: id } } = await act('install');
    expect((await admin.post(`${business.path}/jobs/${id}/cancel`)).body.status).toBe('cancelled');
    expect(await read()).toMatchObject({ status: 'not_installed', job_id: id, error: null });
    expect((await act('install')).body.job_id).not.toBe(id);
    expect(await statuses()).toEqual(['not_installed → queued', 'queued → not_installed', 'not_installed → queued']);
  });

  test('while the one before is being cancelled has to wait', async () => {
    await create();
    const { body: { job_id: id } } = await act('install');
    await rowsOf(service.databaseUrl, `update jobs set status = 'running', cancel_requested_at = now() where id = $1`, [id]);
    const reply = await act('install');
    expect([reply.status, reply.body.error.message]).toEqual([409, expect.stringContaining('is being cancelled')]);
  });

  test('of a region that is not there, or was deleted, is 404', async () => {
    await create();
    await admin.delete(`${regions()}/malta`);
    for (const id of ['malta', 'nobody']) for (const verb of ['install', 'approve', 'unapprove']) expect((await act(verb, id)).status).toBe(404);
  });

  test('without a source of maps is told to whoever runs the service', async () => {
    const bare = await startService();
    try {
      const mine = await createBusiness(bare);
      await mine.admin.post(`${mine.path}/regions`, { id: 'malta', name: 'Malta', geometry });
      const reply = await mine.admin.post(`${mine.path}/regions/malta/install`);
      expect([reply.status, reply.body.error.message]).toEqual([503, expect.stringContaining('MILKRUN_MAP_SOURCE')]);
      expect((await mine.admin.get(`${mine.path}/regions/malta`)).body).toMatchObject({ status: 'not_installed', approved: false });
    } finally {
      await bare.close();
    }
  });
});

test('approval is given and taken', async () => {
  await create();
  expect((await act('approve')).body).toMatchObject({ approved: true, status: 'not_installed' });
  expect((await act('unapprove')).body).toMatchObject({ approved: false });
  expect(await statuses()).toEqual([]);
});

describe('a change of what a dataset depends on', () => {
  test('another area of an installed region starts an update; another name does not', async () => {
    await create();
    await pretendInstalled();
    await admin.patch(`${regions()}/malta`, { name: 'Malta and Gozo' });
    expect(await statuses()).toEqual([]);
    await admin.patch(`${regions()}/malta`, { geometry: { ...geometry } });
    expect(await statuses()).toEqual([]);
    const { body } = await admin.patch(`${regions()}/malta`, { geometry: smaller });
    expect(body).toMatchObject({ status: 'queued', dataset_version: expect.stringMatching(/^v1/) });
    expect(await job(body.job_id)).toMatchObject({ kind: 'region_update', request: { reason: 'geometry_changed' } });
    await admin.patch(`${regions()}/malta`, { geometry });
    expect((await admin.get(`${business.path}/jobs`)).body.items).toHaveLength(1);
  });

  test('another area of a region that is not installed starts nothing', async () => {
    await create();
    await admin.patch(`${regions()}/malta`, { geometry: smaller });
    expect(await read()).toMatchObject({ status: 'not_installed', job_id: null });
  });

  test('another engine in the settings starts an update of what is installed, in the same transaction', async () => {
    await create();
    await create({ id: 'gozo' });
    await pretendInstalled('engine_b');
    const settings = `${business.path}/settings`;
    await admin.patch(settings, { routing: { engine: 'engine_b' } });
    expect(await statuses()).toEqual([]);
    await admin.patch(settings, { routing: { engine: 'engine_a' } });
    const region = await read();
    expect([region.status, (await read('gozo')).status]).toEqual(['queued', 'not_installed']);
    expect(await job(region.job_id)).toMatchObject({ kind: 'region_update', request: { region_id: 'malta', reason: 'engine_changed' } });
  });
});

describe('deleting', () => {
  test('ends the job, retires the dataset and moves the capacity on', async () => {
    await create();
    await pretendInstalled();
    const { body: { job_id: id } } = await act('install');
    const before = (await admin.get(`${business.path}/settings`)).body.preview_epoch;
    expect((await admin.delete(`${regions()}/malta`)).status).toBe(204);
    expect(await job(id)).toMatchObject({ status: 'cancelled' });
    expect((await admin.get(`${regions()}/malta?record_status=deleted`)).body).toMatchObject({ status: 'not_installed', dataset_version: null, deleted_by: expect.any(String) });
    expect(await rowsOf(service.databaseUrl, 'select state from region_datasets where business_id = $1', [business.id])).toEqual([{ state: 'retired' }]);
    expect((await admin.get(`${business.path}/settings`)).body.preview_epoch).toBe(before + 1);
    expect(await statuses()).toEqual(['ready → queued', 'queued → not_installed']);
  });

  test('tells a job that is under way', async () => {
    await create();
    const { body: { job_id: id } } = await act('install');
    await rowsOf(service.databaseUrl, `update jobs set status = 'running' where id = $1`, [id]);
    expect((await admin.delete(`${regions()}/malta`)).status).toBe(204);
    expect((await rowsOf(service.databaseUrl, 'select cancel_requested_at is not null as told from jobs where id = $1', [id]))[0].told).toBe(true);
    expect((await admin.get(`${business.path}/settings`)).body.preview_epoch).toBe(0);
  });
});

describe('the next update', () => {
  test('is written down with the business, and anew with schedule and zone', async () => {
    const isDue = async (schedule: string) => {
      const at = Temporal.Instant.from((await nextUpdate())!);
      expect(at.epochMilliseconds).toBeGreaterThan(Date.now());
      const zoned = at.toZonedDateTimeISO((await admin.get(`${business.path}/settings`)).body.time_zone);
      expect(`${zoned.minute} ${zoned.hour} * * ${zoned.dayOfWeek % 7}`).toBe(schedule);
    };
    await isDue('0 3 * * 0');
    await admin.patch(`${business.path}/settings`, { routing: { update_schedule: '30 4 * * 3' } });
    await isDue('30 4 * * 3');
    const berlin = await nextUpdate();
    await admin.patch(`${business.path}/settings`, { name: 'Another' });
    expect(await nextUpdate()).toBe(berlin);
    await admin.patch(`${business.path}/settings`, { time_zone: 'Pacific/Auckland' });
    expect(await nextUpdate()).not.toBe(berlin);
    await isDue('30 4 * * 3');
  });

  test('is shown with the regions that it is for', async () => {
    expect(await create()).toMatchObject({ next_map_update_at: null });
    const shown = async () => { const { next_map_update_at: at } = await read(); return at && new Date(at).toISOString(); };
    expect(await shown()).toBeNull();
    expect((await act('approve')).body.next_map_update_at).not.toBeNull();
    expect(await shown()).toBe(await nextUpdate());
    await admin.patch(`${business.path}/settings`, { routing: { update_schedule: '30 4 * * 3' } });
    expect(await shown()).toBe(await nextUpdate());
    expect((await admin.get(regions())).body.items[0].next_map_update_at).toBe((await read()).next_map_update_at);
    expect((await act('unapprove')).body.next_map_update_at).toBeNull();
  });
});
