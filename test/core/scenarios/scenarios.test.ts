import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createBusiness, signedIn, type TestBusiness } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { rowsOf } from '../../support/database.ts';
import { driverSession, graph, pathsOf, scenario, vehicle, warehouse, type Made } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let admin: Client;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  admin = await signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  business = await createBusiness(service, {}, admin);
});

const node = (id: string, rest: Made = {}) => ({ id, x: 0, y: 0, ...rest });
const edge = (rest: Made = {}) => ({ id: 'ab', from: 'a', to: 'b', time_seconds: 1, distance_meters: 1, ...rest });
const list = async (plural: string): Promise<Made[]> => (await business.admin.get(`${business.path}/${plural}`)).body.items;
const load = (id: string, body: Made = {}) => business.admin.post(`${business.path}/scenarios/${id}/load`, body);
const read = async (id: string): Promise<Made> => (await business.admin.get(`${business.path}/scenarios/${id}`)).body;

const samples = {
  warehouses: [{ id: 'depot', name: ' Depot ', node_id: 'a' }],
  drivers: [{ id: 'driver', name: 'Driver', email: 'driver@drivers.example' }],
  vehicles: [{ id: 'van', name: 'Van', warehouse_id: 'depot', driver_id: 'driver', working_hours: { weekly: {}, overrides: { '2026-03-28': [{ start: '08:00', end: '12:00' }] } } }],
  orders: [
    { id: 'order', node_id: 'b', duration_seconds: 60, window_start: '2026-03-28T09:00:00+01:00', window_end: '2026-03-28T10:00:00+01:00' },
    { id: 'pause', type: 'break', vehicle_id: 'van', replacement_driver_id: 'driver', location: { latitude: 1, longitude: 2 }, duration_seconds: 60, window_start: '2026-03-29T09:00:00+02:00', window_end: '2026-03-29T10:00:00+02:00' },
  ],
};
const counts = { orders: 2, warehouses: 1, vehicles: 1, drivers: 1 };

describe('graphs', () => {
  test.each<[string, Made, string[]]>([
    ['an edge to nowhere', { nodes: [node('a')], edges: [edge()] }, ['/edges/0/to']],
    ['a node twice', { nodes: [node('a'), node('a')], edges: [] }, ['/nodes/1/id']],
    ['an edge twice', { nodes: [node('a'), node('b')], edges: [edge(), edge()] }, ['/edges/1/id']],
    ['nodes off the globe', { nodes: [node('a', { x: 180.1 }), node('b', { y: -90.1 })], edges: [] }, ['/nodes/0/x', '/nodes/1/y']],
    ['negative costs', { nodes: [node('a'), node('b')], edges: [edge({ time_seconds: -1, distance_meters: -0.1 })] }, ['/edges/0/time_seconds', '/edges/0/distance_meters']],
    ['endless costs', { nodes: [node('a'), node('b')], edges: [edge({ time_seconds: null })] }, ['/edges/0/time_seconds']],
    ['a way back of a one-way street', { nodes: [node('a'), node('b')], edges: [edge({ reverse_time_seconds: 1 })] }, ['/edges/0/reverse_time_seconds']],
    ['no node at all', { nodes: [], edges: [] }, ['/nodes']],
    ['nothing', {}, ['/nodes', '/edges']],
    ['a node of another shape', { nodes: [{ id: 'a', x: '0' }], edges: [] }, ['/nodes/0/y', '/nodes/0/x']],
  ])('%s', async (_what, fields, paths) => {
    const reply = await business.admin.post(`${business.path}/scenarios`, { name: 'Wrong', ...fields });
    expect([reply.status, pathsOf(reply).toSorted()]).toEqual([422, paths.toSorted()]);
  });

  test('an edit is judged together with what is there', async () => {
    const { id } = await scenario(business);
    expect(pathsOf(await business.admin.patch(`${business.path}/scenarios/${id}`, { nodes: [node('a')] }))).toEqual(['/edges/0/to']);
    expect((await business.admin.patch(`${business.path}/scenarios/${id}`, { nodes: [node('a')], edges: [] })).body).toMatchObject({ nodes: [node('a')], edges: [], name: 'Two corners' });
  });

  test('of a million faults some are named, and the service lives on', async () => {
    const reply = await business.admin.post(`${business.path}/scenarios`, { name: 'Wrong', nodes: Array.from({ length: 1_000_000 }, () => ({})), edges: [] });
    expect(reply.status).toBe(422);
    expect(pathsOf(reply)[0]).toMatch(/^\/nodes\/0\//);
    expect(reply.text.length).toBeLessThan(20_000);
  });
});

describe('the active one', () => {
  test('is shown as such, is one at a time, and stays until it is deactivated', async () => {
    const [first, second] = [await scenario(business), await scenario(business)];
    const act = (id: string, verb: string) => business.admin.post(`${business.path}/scenarios/${id}/${verb}`);
    expect([first.active, second.active]).toEqual([false, false]);
    expect((await act(first.id, 'activate')).body).toEqual({ ...first, active: true });
    expect((await act(second.id, 'activate')).body.active).toBe(true);
    expect((await list('scenarios')).map(({ active }) => active)).toEqual([false, true]);
    expect((await act(first.id, 'deactivate')).body.active).toBe(false);
    expect((await read(second.id)).active).toBe(true);
    expect((await business.admin.patch(`${business.path}/scenarios/${second.id}`, { name: 'Renamed', active: false })).body).toMatchObject({ name: 'Renamed', active: true });
    const kept = await business.admin.delete(`${business.path}/scenarios/${second.id}`);
    expect([kept.status, kept.body.error.code]).toEqual([409, 'conflict']);
    expect((await business.admin.delete(`${business.path}/scenarios/${first.id}`)).status).toBe(204);
    expect((await act(second.id, 'deactivate')).body.active).toBe(false);
    expect((await business.admin.delete(`${business.path}/scenarios/${second.id}`)).status).toBe(204);
    for (const verb of ['activate', 'deactivate', 'load']) expect((await act(second.id, verb)).status).toBe(404);
  });

  test('changes the capacity of the business', async () => {
    const epoch = async () => (await business.admin.get(`${business.path}/settings`)).body.preview_epoch;
    const { id } = await scenario(business);
    const before = await epoch();
    await business.admin.post(`${business.path}/scenarios/${id}/activate`);
    expect(await epoch()).toBe(before + 1);
  });
});

describe('loading', () => {
  test('creates the samples and activates the graph', async () => {
    const made = await scenario(business, samples);
    const { status, body } = await load(made.id);
    expect([status, body]).toEqual([200, {
      created: counts, existing: { orders: 0, warehouses: 0, vehicles: 0, drivers: 0 }, renamed: {}, vehicle_ids: ['van'], dates: { start: '2026-03-28', end: '2026-03-29' },
      activation_codes: { driver: expect.stringMatching(/^ma_/) },
    }]);
    expect((await list('warehouses'))[0]).toMatchObject({ name: 'Depot', location: { latitude: 52.5, longitude: 13.4 } });
    expect(await list('orders')).toMatchObject([{ id: 'order', type: 'task', location: { latitude: 52.5, longitude: 13.41 } }, { id: 'pause', vehicle_id: 'van', replacement_driver_id: 'driver' }]);
    expect((await (await driverSession(business, body.activation_codes.driver)).get('/api/v1/driver/me')).body.id).toBe('driver');
    // The scenario itself stays as it was given.
    expect(await read(made.id)).toEqual({ ...made, active: true });
  });

  test('merging again leaves what is there as it is', async () => {
    const { id } = await scenario(business, samples);
    await load(id);
    await business.admin.patch(`${business.path}/warehouses/depot`, { name: 'Mine now' });
    const { body } = await load(id, { mode: 'merge' });
    expect(body).toMatchObject({ created: { orders: 0, warehouses: 0, vehicles: 0, drivers: 0 }, existing: counts, renamed: {}, activation_codes: {}, vehicle_ids: ['van'] });
    expect((await list('warehouses')).map(({ name }) => name)).toEqual(['Mine now']);
  });

  test('merging meets the id of a deleted record and says which', async () => {
    const { id } = await scenario(business, samples);
    await warehouse(business, { id: 'depot' });
    await business.admin.delete(`${business.path}/warehouses/depot`);
    const reply = await load(id);
    expect([reply.status, pathsOf(reply)]).toEqual([409, ['/warehouses/0/id']]);
    expect((await read(id)).active).toBe(false);
  });

  test('replacing twice gives new ids, that refer to one another, and the old records are history', async () => {
    const { id } = await scenario(business, { ...samples, warehouses: [...samples.warehouses, { id: 'depot~2', name: 'Taken', node_id: 'b' }] });
    await vehicle(business, { id: 'other' });
    expect((await load(id, { mode: 'replace' })).body).toMatchObject({ renamed: {}, vehicle_ids: ['van'] });
    for (const [round, suffix] of [[2, '~2'], [3, '~3']] as const) {
      const { body } = await load(id, { mode: 'replace' });
      expect(body.vehicle_ids).toEqual([`van${suffix}`]);
      expect(body.renamed.vehicles).toEqual({ van: `van${suffix}` });
      const [van] = await list('vehicles');
      expect(await list('vehicles')).toHaveLength(1);
      expect([van.id, van.driver_id, van.warehouse_id]).toEqual([`van${suffix}`, `driver${suffix}`, body.renamed.warehouses.depot]);
      expect((await list('orders')).map((order) => [order.id, order.vehicle_id])).toEqual([[`order${suffix}`, null], [`pause${suffix}`, `van${suffix}`]]);
      expect((await list('warehouses')).map((depot) => depot.id).toSorted()).toEqual(Object.values(body.renamed.warehouses).toSorted());
      expect((await business.admin.get(`${business.path}/vehicles?record_status=deleted`)).body.items).toHaveLength(round);
    }
  });

  test('a renamed id is no longer than an id may be', async () => {
    const long = 'x'.repeat(120);
    const { id } = await scenario(business, { warehouses: [{ id: long, name: 'Depot', node_id: 'a' }] });
    await load(id, { mode: 'replace' });
    expect((await load(id, { mode: 'replace' })).body.renamed).toEqual({ warehouses: { [long]: `${'x'.repeat(118)}~2` } });
  });

  test.each(['constructor', '__proto__', 'toString'])('a sample may be called %j', async (name) => {
    const warehouses = [{ id: name, name: 'Depot', node_id: 'a' }];
    const { id } = await scenario(business, { warehouses, vehicles: [{ id: name, name: 'Van', warehouse_id: name }], drivers: [{ id: name, name: 'Driver', email: 'd@drivers.example' }] });
    for (let round = 0; round < 2; round++) {
      const { status, body } = await load(id, { mode: 'replace' });
      expect([status, body.vehicle_ids]).toEqual([200, [round === 0 ? name : `${name}~2`]]);
      expect(Object.keys(body.activation_codes)).toEqual(body.vehicle_ids);
    }
  });

  test('samples without an id get one, and vehicles are told by it', async () => {
    const { id } = await scenario(business, { warehouses: samples.warehouses, vehicles: [{ name: 'Van', warehouse_id: 'depot' }] });
    const { body } = await load(id);
    expect((await list('vehicles')).map((van) => van.id)).toEqual(body.vehicle_ids);
  });

  test('nothing is replaced while an order is in progress', async () => {
    const { id } = await scenario(business, samples);
    await load(id);
    await rowsOf(service.databaseUrl, `update orders set status = 'in_progress' where business_id = $1 and id = 'order'`, [business.id]);
    expect((await load(id, { mode: 'replace' })).status).toBe(409);
    expect(await list('orders')).toHaveLength(2);
  });

  test.each<[string, Made, number, string[]]>([
    ['a node that is not there', { warehouses: [{ id: 'depot', name: 'Depot', node_id: 'nowhere' }] }, 422, ['/warehouses/0/node_id']],
    ['a node besides a location', { orders: [{ ...samples.orders[1], node_id: 'a' }] }, 422, ['/orders/0/node_id']],
    ['neither', { warehouses: [{ id: 'depot', name: 'Depot' }] }, 422, ['/warehouses/0/location']],
    ['a warehouse that is not there', { vehicles: [{ name: 'Van', warehouse_id: 'nowhere' }] }, 422, ['/vehicles/0/warehouse_id']],
    ['a window that is too short', { warehouses: samples.warehouses, orders: [{ ...samples.orders[0], duration_seconds: 3_601 }] }, 422, ['/orders/0/duration_seconds']],
    ['another shape', { drivers: [{ name: 7, email: 'nobody' }], orders: [{}] }, 422, ['/drivers/0/name', '/orders/0/location', '/orders/0/duration_seconds', '/orders/0/window_start', '/orders/0/window_end']],
    ['no address', { drivers: [samples.drivers[0], { name: 'D', email: 'nobody' }] }, 422, ['/drivers/1/email']],
    ['the same id twice', { drivers: [samples.drivers[0], samples.drivers[0]] }, 409, ['/drivers/1/id']],
  ])('a sample with %s leaves nothing behind', async (_what, fields, status, paths) => {
    const { id } = await scenario(business, fields);
    for (const mode of ['merge', 'replace']) {
      const reply = await load(id, { mode });
      expect([reply.status, pathsOf(reply)]).toEqual([status, paths]);
      expect(reply.body.error.message).toContain(paths[0].replace(/\/id$/, ''));
    }
    for (const plural of ['warehouses', 'drivers', 'vehicles', 'orders']) expect(await list(plural)).toEqual([]);
    expect((await read(id)).active).toBe(false);
  });

  test('what can not be asked for', async () => {
    const { id } = await scenario(business);
    expect(pathsOf(await load(id, { mode: 'append', anchor_date: 'tomorrow' })).toSorted()).toEqual(['/anchor_date', '/mode']);
    expect((await business.admin.post(`${business.path}/scenarios/${id}/load`)).status).toBe(200);
  });
});

describe('an anchor date', () => {
  test('moves all dates, and clock times stay through a change of the clocks', async () => {
    const { id } = await scenario(business, samples);
    // From the day before the clocks go forward to the day before they go back.
    const { body } = await load(id, { anchor_date: '2026-10-24' });
    expect(body.dates).toEqual({ start: '2026-10-24', end: '2026-10-25' });
    expect((await list('orders')).map((order) => [order.window_start, order.window_end])).toEqual([
      ['2026-10-24T07:00:00Z', '2026-10-24T08:00:00Z'], ['2026-10-25T08:00:00Z', '2026-10-25T09:00:00Z'],
    ]);
    expect((await list('vehicles'))[0].working_hours.overrides).toEqual({ '2026-10-24': [{ start: '08:00', end: '12:00' }] });
    expect((await read(id)).orders).toEqual(samples.orders);
  });

  test('that leads out of the calendar is refused at the sample', async () => {
    const { id } = await scenario(business, samples);
    for (const [date, field] of [['9999-12-31', 'window_start'], ['0000-01-01', 'window_start']]) {
      const reply = await load(id, { anchor_date: date });
      expect([reply.status, pathsOf(reply)]).toEqual([422, expect.arrayContaining([`/orders/1/${field}`])]);
    }
  });
});

test('a graph may lack edges', async () => {
  expect((await scenario(business, { nodes: graph.nodes, edges: [] })).edges).toEqual([]);
});
