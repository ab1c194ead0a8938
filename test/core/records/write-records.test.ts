import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBusiness, keyClient, type TestBusiness } from '../../support/business.ts';
import { graph, location, orderFields, pathsOf, scenario, vehicle, warehouse, type Made } from '../../support/records.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let business: TestBusiness;

beforeAll(async () => {
  service = await startService();
  business = await createBusiness(service);
  await warehouse(business, { id: 'depot' });
  await scenario(business, { id: 'roads' });
  await business.admin.post(`${business.path}/scenarios/roads/activate`);
});
afterAll(() => service.close());

/** The least that a kind of record needs, with all fields that it can have. Field ids of schemas are unique, so each has its own. */
let count = 0;
const kinds: Record<string, () => Made> = {
  warehouses: () => ({ name: 'Depot', location }),
  drivers: () => ({ name: 'Driver', email: 'Some.Body@Drivers.Example', active: true }),
  vehicles: () => ({
    name: 'Van', warehouse_id: 'depot', color: '#123456', height_meters: 2.5, weight_kg: null, driver_id: null,
    working_hours: { weekly: { 6: [{ start: '22:00', end: '02:00' }], 0: [{ start: '08:00', end: '12:00' }] }, overrides: { '2026-03-02': [] }, gap_policy: 'wait' },
  }),
  schemas: () => ({ name: 'Fields', fields: [{ id: `field-${++count}`, name: 'A field', type: 'select', multiple: true, choices: [{ id: 'one', label: 'One' }] }] }),
  orders: () => ({ ...orderFields, window_start: '2026-03-02T09:00:00.123456+01:00' }),
  scenarios: () => ({ name: 'Two corners', ...graph, orders: [{ ...orderFields, id: 'sample', node_id: 'a' }] }),
};
const everyKind = Object.keys(kinds).map((plural) => [plural]);
const named = Object.keys(kinds).filter((plural) => plural !== 'orders').map((plural) => [plural]);

async function create(plural: string, fields: Made = {}): Promise<Made> {
  const { status, body, text } = await post(plural, fields);
  if (status !== 201) throw new Error(text);
  return body;
}
const post = (plural: string, fields: Made = {}) => business.admin.post(`${business.path}/${plural}`, { ...kinds[plural](), ...fields });
const at = (plural: string, id: string) => `${business.path}/${plural}/${encodeURIComponent(id)}`;

describe.each(everyKind)('%s: ids', (plural) => {
  test('a generated one sorts by the time of creation', async () => {
    const ids = [(await create(plural)).id, (await create(plural)).id, (await create(plural)).id];
    expect(ids).toEqual(ids.toSorted());
  });

  test.each(['ordinary', `  ${'x'.repeat(120)}  `, ' trimmed  ', 'ütf-8 and 🚚', 'a/b?c#d%e', '~'.repeat(120), '🚚'.repeat(120), 'constructor', '__proto__'])('%j may be chosen', async (id) => {
    const { status, body, headers } = await post(plural, { ['id']: id });
    expect([status, body.id, headers.get('location')]).toEqual([201, id.trim(), at(plural, id.trim())]);
    expect((await business.admin.get(at(plural, id.trim()))).body).toEqual(withoutCode(body));
  });

  test.each(['', '   ', 'a\u0000b', 'a\nb', 'a\u0085b', 'x'.repeat(121)])('%j may not', async (id) => {
    const reply = await post(plural, { id });
    expect([reply.status, pathsOf(reply)]).toEqual([422, ['/id']]);
  });

  test('one that is taken stays so, even for the same record and after its deletion', async () => {
    const body = { ...kinds[plural](), id: 'taken' };
    expect((await post(plural, body)).status).toBe(201);
    const again = await post(plural, body);
    expect([again.status, again.body.error.code, pathsOf(again)]).toEqual([409, 'conflict', ['/id']]);
    expect((await business.admin.delete(at(plural, 'taken'))).status).toBe(204);
    expect((await post(plural, body)).status).toBe(409);
  });

  test('of two that take one at the same time one gets it', async () => {
    const bodies = [kinds[plural](), kinds[plural](), kinds[plural]()];
    const replies = await Promise.all(bodies.map((body) => post(plural, { ...body, id: 'raced' })));
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, 409, 409]);
  });

  test('the same id in another business is another record', async () => {
    const other = await createBusiness(service);
    const { id } = await create(plural, { id: 'mine alone' });
    expect((await other.admin.get(`${other.path}/${plural}/${encodeURIComponent(id)}`)).status).toBe(404);
    expect((await business.admin.get(at(plural, id))).status).toBe(200);
  });
});

describe.each(everyKind)('%s: reading and writing', (plural) => {
  test('what was read can be put back, and nothing changes', async () => {
    const made = await create(plural);
    const read = await business.admin.get(at(plural, made.id));
    expect([read.body, read.headers.get('etag')]).toEqual([withoutCode(made), '"1"']);
    for (const write of [business.admin.put, business.admin.patch]) {
      const put = await write(at(plural, made.id), read.body);
      expect([put.status, put.body, put.headers.get('etag')]).toEqual([200, read.body, '"1"']);
    }
  });

  test('the same in another order of its keys is the same', async () => {
    const made = await create(plural);
    const { body } = await business.admin.put(at(plural, made.id), reversed(made));
    expect(body).toEqual(withoutCode(made));
  });

  test('an empty patch changes nothing', async () => {
    const made = await create(plural);
    expect((await business.admin.patch(at(plural, made.id), {})).body).toEqual(withoutCode(made));
  });

  test('what the service manages is ignored, whatever it says', async () => {
    const made = withoutCode(await create(plural, { created_at: '1999-01-01T00:00:00Z', revision: 17, deleted_at: '1999-01-01T00:00:00Z', deleted_by: 'me' }));
    expect([made.revision, made.deleted_at, made.deleted_by]).toEqual([1, null, null]);
    const { body } = await business.admin.patch(at(plural, made.id), { id: 'another', created_at: 1, updated_at: [], deleted_at: {}, deleted_by: 'me' });
    expect(body).toEqual(made);
  });

  test('an edit makes a new revision, and a stale one is refused and changes nothing', async () => {
    const made = await create(plural);
    const change = plural === 'orders' ? { duration_seconds: 60 } : { name: 'New name' };
    const changed = await business.admin.patch(at(plural, made.id), { ...change, revision: 1 });
    expect([changed.status, changed.body.revision, changed.headers.get('etag')]).toEqual([200, 2, '"2"']);
    expect(changed.body).toMatchObject(change);
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.updated_at));

    const other = plural === 'orders' ? { duration_seconds: 61 } : { name: 'Another name' };
    const stale = await business.admin.put(at(plural, made.id), { ...other, revision: 1 });
    expect([stale.status, stale.body.error.code, pathsOf(stale)]).toEqual([409, 'conflict', ['/revision']]);
    for (const etag of ['"1"', 'W/"1"', '"nonsense"', '2', '"1", "3"']) {
      const failed = await business.admin.patch(at(plural, made.id), other, { 'if-match': etag });
      expect([etag, failed.status, failed.body.error.code]).toEqual([etag, 412, 'conflict']);
      expect((await business.admin.delete(at(plural, made.id), { 'if-match': etag })).status).toBe(412);
    }
    expect((await business.admin.get(at(plural, made.id))).body).toEqual(changed.body);
    for (const [index, etag] of ['"2"', '*', '"7", "4"'].entries()) {
      const done = await business.admin.patch(at(plural, made.id), plural === 'orders' ? { duration_seconds: 100 + index } : { name: `Name ${index}` }, { 'if-match': etag });
      expect([etag, done.status]).toEqual([etag, 200]);
    }
    expect((await business.admin.delete(at(plural, made.id), { 'if-match': '"5"' })).status).toBe(204);
  });

  test('of two edits of one revision one wins', async () => {
    const made = await create(plural);
    const edit = (index: number) => business.admin.patch(at(plural, made.id), { revision: 1, ...(plural === 'orders' ? { duration_seconds: 100 + index } : { name: `Name ${index}` }) });
    const replies = await Promise.all([edit(1), edit(2), edit(3), edit(4)]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409, 409, 409]);
    const winner = replies.find((reply) => reply.status === 200)!;
    expect((await business.admin.get(at(plural, made.id))).body).toEqual(winner.body);
    expect(winner.body.revision).toBe(2);
  });

  test('edits that name no revision follow one another, and none is lost', async () => {
    const made = await create(plural);
    const replies = await Promise.all([1, 2, 3].map((index) => business.admin.patch(at(plural, made.id), plural === 'orders' ? { duration_seconds: 100 + index } : { name: `Name ${index}` })));
    expect(replies.map((reply) => reply.body.revision).toSorted()).toEqual([2, 3, 4]);
  });

  test('null is no value of a field that must have one', async () => {
    const made = await create(plural);
    const field = plural === 'orders' ? 'location' : 'name';
    const reply = await business.admin.patch(at(plural, made.id), { [field]: null });
    expect([reply.status, pathsOf(reply)]).toEqual([422, [`/${field}`]]);
  });

  test('one that is not there', async () => {
    for (const reply of [await business.admin.get(at(plural, 'nobody')), await business.admin.patch(at(plural, 'nobody'), {}), await business.admin.delete(at(plural, 'nobody')), await business.admin.get(at(plural, 'x'.repeat(5_000)))]) {
      expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
    }
    expect((await fetch(`${service.url}${business.path}/${plural}/%00`, { headers: { authorization: `Bearer ${business.admin.token}` } })).status).toBe(404);
  });
});

describe.each(everyKind)('%s: deletion', (plural) => {
  test('a deleted record is history: found where one asks for it, and read-only', async () => {
    const made = withoutCode(await create(plural));
    const deleted = await business.admin.delete(at(plural, made.id));
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await business.admin.get(at(plural, made.id))).status).toBe(404);
    const { body: account } = await business.admin.get('/api/v1/me');
    for (const status of ['deleted', 'all']) {
      const { body } = await business.admin.get(`${at(plural, made.id)}?record_status=${status}`);
      expect(body).toEqual({ ...made, revision: 2, updated_at: expect.any(String), deleted_at: expect.any(String), deleted_by: account.account.id });
    }
    expect((await business.admin.patch(at(plural, made.id), {})).status).toBe(404);
    expect((await business.admin.put(at(plural, made.id), made)).status).toBe(404);
    expect((await business.admin.delete(at(plural, made.id))).status).toBe(404);
  });

  test('a key that deletes is the one who did it', async () => {
    const key = await keyClient(business, ['orders.write', 'settings.write', 'accounts.manage', 'scenarios.write', 'resources.write']);
    const { body: keys } = await business.admin.get(`${business.path}/api-keys`);
    const { id } = await create(plural);
    await key.delete(at(plural, id));
    const { body } = await business.admin.get(`${at(plural, id)}?record_status=deleted`);
    expect(keys.items.map((item: Made) => item.id)).toContain(body.deleted_by);
  });

  test('of two that delete at the same time one does it', async () => {
    const { id } = await create(plural);
    const replies = await Promise.all([business.admin.delete(at(plural, id)), business.admin.delete(at(plural, id))]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([204, 404]);
  });
});

describe.each(named)('%s: names', (plural) => {
  test('are trimmed, and then neither blank nor too long', async () => {
    expect((await create(plural, { name: `  ${'n'.repeat(200)}\n ` })).name).toBe('n'.repeat(200));
    for (const name of ['', ' \t', 'n'.repeat(201), 'nul \u0000', 'half \ud83d']) {
      const reply = await post(plural, { name });
      expect([name, reply.status, pathsOf(reply)]).toEqual([name, 422, ['/name']]);
    }
  });
});

describe('the whole of a nested value is replaced', () => {
  test('a location and working hours', async () => {
    const depot = await warehouse(business);
    const partial = await business.admin.patch(at('warehouses', depot.id), { location: { latitude: 1 } });
    expect([partial.status, pathsOf(partial)]).toEqual([422, ['/location/longitude']]);
    const van = await create('vehicles');
    const { body } = await business.admin.patch(at('vehicles', van.id), { working_hours: { weekly: {}, overrides: { '2026-01-01': [] } } });
    expect(body.working_hours).toEqual({ weekly: {}, overrides: { '2026-01-01': [] } });
    expect(pathsOf(await business.admin.patch(at('vehicles', van.id), { working_hours: { weekly: {} } }))).toEqual(['/working_hours/overrides']);
  });
});

describe('references', () => {
  test.each(['nobody', 'deleted'])('to a record that is %s', async (id) => {
    await business.admin.post(`${business.path}/warehouses`, { name: 'Gone', location, id: 'deleted' });
    await business.admin.post(`${business.path}/drivers`, { name: 'Gone', email: 'gone@drivers.example', id: 'deleted' });
    for (const plural of ['warehouses', 'drivers']) await business.admin.delete(at(plural, 'deleted'));
    const made = await post('vehicles', { warehouse_id: id, driver_id: id });
    expect([made.status, made.body.error.details]).toEqual([422, [{ path: '/warehouse_id', message: 'names no warehouse' }, { path: '/driver_id', message: 'names no driver' }]]);
    const van = await vehicle(business);
    const edited = await business.admin.patch(at('vehicles', van.id), { driver_id: id });
    expect([edited.status, pathsOf(edited)]).toEqual([422, ['/driver_id']]);
  });

  test('a warehouse with vehicles and a driver with one stay', async () => {
    const depot = await warehouse(business);
    const someone = await create('drivers');
    const vans = [await vehicle(business, { warehouse_id: depot.id, driver_id: someone.id }), await vehicle(business, { warehouse_id: depot.id })];
    const kept = await business.admin.delete(at('warehouses', depot.id));
    expect([kept.status, kept.body.error.message]).toEqual([409, 'the warehouse is the base of 2 active vehicles']);
    const keptDriver = await business.admin.delete(at('drivers', someone.id));
    expect([keptDriver.status, keptDriver.body.error.message]).toEqual([409, 'the driver is assigned to 1 active vehicle']);
    for (const van of vans) await business.admin.delete(at('vehicles', van.id));
    expect((await business.admin.delete(at('warehouses', depot.id))).status).toBe(204);
    expect((await business.admin.delete(at('drivers', someone.id))).status).toBe(204);
  });

  test('a warehouse that is deleted while a vehicle is based on it: one of the two happens', async () => {
    for (let round = 0; round < 5; round++) {
      const depot = await warehouse(business);
      const [made, deleted] = await Promise.all([post('vehicles', { warehouse_id: depot.id }), business.admin.delete(at('warehouses', depot.id))]);
      expect([[201, 409], [422, 204]]).toContainEqual([made.status, deleted.status]);
    }
  });
});

test('what changes the capacity of the business is counted, and nothing else', async () => {
  const epoch = async () => (await business.admin.get(`${business.path}/settings`)).body.preview_epoch;
  const van = await vehicle(business, { name: 'Counted' });
  const changes = async (path: string, body: Made): Promise<number> => {
    const before = await epoch();
    expect((await business.admin.patch(path, body)).status).toBe(200);
    return (await epoch()) - before;
  };
  expect(await changes(at('vehicles', van.id), { name: 'Renamed', color: 'red', working_hours: van.working_hours })).toBe(0);
  expect(await changes(at('vehicles', van.id), { working_hours: { weekly: { 0: [] }, overrides: {} } })).toBe(1);
  expect(await changes(at('vehicles', van.id), { warehouse_id: 'depot' })).toBe(1);
  expect(await changes(at('warehouses', van.warehouse_id), { name: 'Renamed', location: { longitude: location.longitude, latitude: location.latitude } })).toBe(0);
  expect(await changes(at('warehouses', van.warehouse_id), { location: { latitude: 1, longitude: 1 } })).toBe(1);
  const before = await epoch();
  await business.admin.delete(at('vehicles', van.id));
  expect(await epoch()).toBe(before + 1);
});

describe('working hours', () => {
  test('every fault has its path', async () => {
    const reply = await post('vehicles', { working_hours: { weekly: { 0: [{ start: '8:00', end: '25:00' }], 7: [] }, overrides: { tomorrow: [], '2026-03-02': [{ start: '08:00', end: '12:00' }, { start: '11:00', end: '13:00' }] } } });
    expect([reply.status, pathsOf(reply)]).toEqual([422, ['/working_hours/weekly/0/0/start', '/working_hours/weekly/0/0/end', '/working_hours/weekly/7', '/working_hours/overrides/tomorrow', '/working_hours/overrides/2026-03-02/1']]);
    expect(reply.body.error.message).toBe('/working_hours/weekly/0/0/start must be a clock time HH:MM from 00:00 to 23:59, not "8:00"');
  });

  test('a vehicle without any is never available', async () => {
    const van = await vehicle(business);
    expect(van.working_hours).toEqual({ weekly: {}, overrides: {} });
    expect((await business.admin.put(at('vehicles', van.id), van)).body).toEqual(van);
  });
});

describe('drivers', () => {
  test('an address is put into lower case and must be one', async () => {
    expect((await create('drivers', { email: '  Some.Body@Drivers.Example ' })).email).toBe('some.body@drivers.example');
    for (const email of ['nobody', 'a@b', 'a b@c.de', '@c.de', 'a@@c.de']) expect([email, pathsOf(await post('drivers', { email }))]).toEqual([email, ['/email']]);
  });

  test('what only the driver changes is not changed by others', async () => {
    const made = await create('drivers', { duty_status: 'online', location, duty_started_at: '2026-03-02T08:00:00Z' });
    expect([made.duty_status, made.location, made.duty_started_at]).toEqual(['offline', null, null]);
  });
});

/** The same value with the keys of all objects in the reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, reversed(inner)])) : value;
}

function withoutCode({ activation_code: _code, ...record }: Made): Made {
  return record;
}
