import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createBusiness, signedIn, type TestBusiness } from '../../support/business.ts';
import type { Client } from '../../support/client.ts';
import { rowsOf } from '../../support/database.ts';
import { customSchema, driver, location, order, orderFields, pathsOf, scenario, vehicle, type Made } from '../../support/records.ts';
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

const post = (fields: Made) => business.admin.post(`${business.path}/orders`, { ...orderFields, ...fields });
const patch = (id: string, fields: Made) => business.admin.patch(`${business.path}/orders/${id}`, fields);
const read = async (id: string): Promise<Made> => (await business.admin.get(`${business.path}/orders/${id}`)).body;
const workday = { weekly: { 0: [{ start: '08:00', end: '18:00' }] }, overrides: {} };

describe('the window', () => {
  test.each<[string, Made, string[]]>([
    ['ends before it starts', { window_end: '2026-03-02T07:00:00Z' }, ['/window_end']],
    ['is empty', { window_end: orderFields.window_start }, ['/window_end']],
    ['is shorter than the service', { window_end: '2026-03-02T08:14:59Z' }, ['/duration_seconds']],
    ['has no offset', { window_start: '2026-03-02T08:00:00' }, ['/window_start']],
    ['is on a day that does not exist', { window_end: '2026-02-30T08:00:00Z' }, ['/window_end']],
    ['begins in the year 0', { window_start: '0000-12-31T23:59:59Z' }, ['/window_start']],
    ['is of another type', { window_start: 1_772_438_400 }, ['/window_start']],
  ])('one that %s', async (_what, fields, paths) => {
    const reply = await post(fields);
    expect([reply.status, pathsOf(reply)]).toEqual([422, paths]);
  });

  test('one that just holds the service, written with an offset, is shown in UTC', async () => {
    const made = await order(business, { window_start: '2026-03-02T09:00:00.5+01:00', window_end: '2026-03-02T09:15:00.500+01:00' });
    expect([made.window_start, made.window_end]).toEqual(['2026-03-02T08:00:00.500Z', '2026-03-02T08:15:00.500Z']);
  });

  test.each([['0001-01-01T00:00:00Z', '0099-01-01T00:00:00Z'], ['9999-12-31T00:00:00Z', '9999-12-31T23:59:59.999Z']])('from %s to %s is kept', async (start, end) => {
    const { id } = await order(business, { window_start: start, window_end: end });
    expect(await read(id)).toMatchObject({ window_start: start, window_end: end });
  });

  test('an edit is judged together with what is there', async () => {
    const { id } = await order(business);
    expect(pathsOf(await patch(id, { duration_seconds: 4 * 3_600 + 1 }))).toEqual(['/duration_seconds']);
    expect((await patch(id, { duration_seconds: 4 * 3_600 })).status).toBe(200);
    expect(pathsOf(await patch(id, { window_end: '2026-03-02T11:59:59Z' }))).toEqual(['/duration_seconds']);
  });
});

describe('fields', () => {
  test.each<[string, Made, string[]]>([
    ['a place off the globe', { location: { latitude: 90.1, longitude: -180.1 } }, ['/location/latitude', '/location/longitude']],
    ['a place with more than a place has', { location: { ...location, altitude: 3 } }, ['/location/altitude']],
    ['no service', { duration_seconds: 0 }, ['/duration_seconds']],
    ['half a second', { duration_seconds: 0.5 }, ['/duration_seconds']],
    ['an endless service', { duration_seconds: 1e300 }, ['/duration_seconds']],
    ['another kind', { type: 'errand' }, ['/type']],
    ['another status', { status: 'done', pending_status: 'never' }, ['/status', '/pending_status']],
  ])('%s', async (_what, fields, paths) => {
    const reply = await post(fields);
    expect([reply.status, pathsOf(reply)]).toEqual([422, paths]);
  });

  test('all that are missing are named', async () => {
    expect(pathsOf(await business.admin.post(`${business.path}/orders`, {}))).toEqual(['/location', '/duration_seconds', '/window_start', '/window_end']);
  });

  test('the kind stays', async () => {
    const { id } = await order(business);
    expect((await patch(id, { type: 'task' })).status).toBe(200);
    expect(pathsOf(await patch(id, { type: 'break' }))).toEqual(['/type']);
  });

  test('what only drivers do is ignored', async () => {
    const made = await order(business, { actual_started_at: '2026-03-02T08:00:00Z', actual_completed_at: 7, schema_snapshot: 'mine' });
    expect([made.actual_started_at, made.actual_completed_at, made.schema_snapshot]).toEqual([null, null, { schemas: [] }]);
  });

  test('vehicles and drivers must be there', async () => {
    const reply = await post({ vehicle_id: 'nobody', driver_id: 'nobody' });
    expect(reply.body.error.details).toEqual([{ path: '/vehicle_id', message: 'names no vehicle' }, { path: '/driver_id', message: 'names no driver' }]);
    const { id } = await order(business);
    expect(pathsOf(await patch(id, { vehicle_id: 'nobody', driver_id: 'nobody' }))).toEqual(['/vehicle_id', '/driver_id']);
  });
});

describe('breaks', () => {
  test('belong to a vehicle, and alone have a replacement driver', async () => {
    expect(pathsOf(await post({ type: 'break' }))).toEqual(['/vehicle_id']);
    const [van, other] = [await vehicle(business), await driver(business)];
    const made = await order(business, { type: 'break', vehicle_id: van.id, replacement_driver_id: other.id });
    expect([made.vehicle_id, made.replacement_driver_id]).toEqual([van.id, other.id]);
    expect(pathsOf(await patch(made.id, { vehicle_id: null }))).toEqual(['/vehicle_id']);
    expect(pathsOf(await patch(made.id, { replacement_driver_id: 'nobody' }))).toEqual(['/replacement_driver_id']);
    expect(pathsOf(await post({ replacement_driver_id: other.id }))).toEqual(['/replacement_driver_id']);
  });
});

describe('status', () => {
  test('what an administrator wants waits, and what was read can be edited in either field', async () => {
    const made = await order(business);
    expect([made.status, made.pending_status]).toEqual(['created', null]);
    const cancelled = (await business.admin.put(`${business.path}/orders/${made.id}`, { ...made, status: 'cancelled' })).body;
    expect([cancelled.status, cancelled.pending_status]).toEqual(['created', 'cancelled']);
    expect((await business.admin.put(`${business.path}/orders/${made.id}`, cancelled)).body).toEqual(cancelled);
    expect((await patch(made.id, { pending_status: null })).body.pending_status).toBeNull();
    expect((await patch(made.id, { pending_status: 'completed' })).body.pending_status).toBe('completed');
    expect((await patch(made.id, { status: 'created' })).body.pending_status).toBeNull();
    expect((await order(business, { status: 'cancelled' })).pending_status).toBe('cancelled');
    expect((await order(business, { status: 'created' })).pending_status).toBeNull();
  });

  test('work under way or done is not moved, and work under way not deleted', async () => {
    const { id } = await order(business);
    for (const status of ['in_progress', 'completed', 'unable_to_complete', 'cancelled']) {
      await rowsOf(service.databaseUrl, 'update orders set status = $1 where business_id = $2', [status, business.id]);
      for (const fields of [{ location: { latitude: 1, longitude: 1 } }, { duration_seconds: 1 }, { window_end: '2026-03-03T00:00:00Z' }]) expect([status, (await patch(id, fields)).status]).toEqual([status, 409]);
      const same = await read(id);
      expect((await business.admin.put(`${business.path}/orders/${id}`, same)).body).toEqual(same);
      if (status === 'in_progress') expect((await business.admin.delete(`${business.path}/orders/${id}`)).status).toBe(409);
    }
    expect((await business.admin.delete(`${business.path}/orders/${id}`)).status).toBe(204);
  });
});

describe('custom fields', () => {
  const fields = [
    { id: 'note', name: 'Note', type: 'text' }, { id: 'weight', name: 'Weight', type: 'number', required: true }, { id: 'due', name: 'Due', type: 'date' }, { id: 'at', name: 'At', type: 'datetime' },
    { id: 'fragile', name: 'Fragile', type: 'boolean' }, { id: 'floor', name: 'Floor', type: 'select', choices: [{ id: 'one', label: '1' }, { id: 'two', label: '2' }] },
    { id: 'gear', name: 'Gear', type: 'select', multiple: true, choices: [{ id: 'cart', label: 'Cart' }, { id: 'lift', label: 'Lift' }] },
  ];
  const right = { note: 'ring twice', weight: 1.5, due: '2028-02-29', at: '2026-03-02T08:00:00+01:00', fragile: false, floor: 'two', gear: ['lift', 'cart'] };

  test('values of every type are kept', async () => {
    await customSchema(business, fields);
    const made = await order(business, { custom_fields: right });
    expect((await read(made.id)).custom_fields).toEqual(right);
  });

  test.each<[string, unknown[]]>([
    ['note', [1, true, [], {}, 'x'.repeat(10_001)]], ['weight', ['1', true, [1]]], ['due', ['2026-02-29', '2026-2-1', 20260201, '']], ['at', ['2026-03-02', '2026-03-02T08:00:00', 0]],
    ['fragile', ['true', 0]], ['floor', ['three', ['one'], 1, '']], ['gear', ['cart', ['cart', 'cart'], ['boat'], [1]]], ['unknown', [1]], ['__proto__', [1]], ['constructor', [1]],
  ])('%s takes no other', async (id, values) => {
    await customSchema(business, fields);
    for (const value of values) {
      const reply = await business.admin.post(`${business.path}/orders`, `${JSON.stringify(orderFields).slice(0, -1)}, "custom_fields": {"weight": 1, ${JSON.stringify(id)}: ${JSON.stringify(value)}}}`);
      expect([value, reply.status, pathsOf(reply)]).toEqual([value, 422, [`/custom_fields/${id}`]]);
    }
  });

  test.each(['note', 'a/b~c', '__proto__', 'constructor', 'toString'])('the required field %j is required, whatever objects have by themselves', async (id) => {
    await customSchema(business, [{ id, name: 'Must', type: 'text', required: true }]);
    const missing = await post({});
    expect(missing.body.error.details).toEqual([{ path: `/custom_fields/${id.replace('~', '~0').replace('/', '~1')}`, message: 'is required' }]);
    const reply = await post({ custom_fields: { [id]: 'there' } });
    expect([reply.status, Object.entries(reply.body.custom_fields)]).toEqual([201, [[id, 'there']]]);
  });

  test('merge one level deep; null clears, but not what is required', async () => {
    await customSchema(business, fields);
    const { id } = await order(business, { custom_fields: right });
    expect((await patch(id, { custom_fields: { gear: ['cart'], note: null, due: '2026-01-01' } })).body.custom_fields).toEqual({ weight: 1.5, due: '2026-01-01', at: right.at, fragile: false, floor: 'two', gear: ['cart'] });
    expect(pathsOf(await patch(id, { custom_fields: { weight: null } }))).toEqual(['/custom_fields/weight']);
  });

  test('an order keeps the fields of its creation', async () => {
    const first = await customSchema(business, [{ id: 'note', name: 'Note', type: 'text' }]);
    const second = await customSchema(business, [{ id: 'weight', name: 'Weight', type: 'number' }], { name: 'More' });
    const old = await order(business, { custom_fields: { note: 'old', weight: 1 } });
    expect(old.schema_snapshot.schemas.map(({ id, name, revision }: Made) => ({ id, name, revision }))).toEqual([{ id: first.id, name: 'Fields', revision: 1 }, { id: second.id, name: 'More', revision: 1 }]);
    await business.admin.patch(`${business.path}/schemas/${first.id}`, { fields: [{ id: 'note', name: 'Note', type: 'number', required: true }] });
    await business.admin.delete(`${business.path}/schemas/${second.id}`);
    expect(await read(old.id)).toEqual(old);
    expect((await patch(old.id, { custom_fields: { note: 'still a text', weight: 2 } })).status).toBe(200);
    expect((await read(old.id)).schema_snapshot).toEqual(old.schema_snapshot);
    expect(pathsOf(await post({ custom_fields: { note: 'a text', weight: 1 } }))).toEqual(['/custom_fields/note', '/custom_fields/weight']);
    expect((await order(business, { custom_fields: { note: 1 } })).schema_snapshot.schemas[0].revision).toBe(2);
  });
});

describe('batches', () => {
  const batch = (items: unknown[]) => business.admin.post(`${business.path}/orders/batch`, { items });
  const list = async () => (await business.admin.get(`${business.path}/orders`)).body.items;

  test('a thousand come in their order', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({ ...orderFields, id: `order-${index}`, duration_seconds: index + 1 }));
    const reply = await batch(items);
    expect([reply.status, reply.body.items.map((item: Made) => item.id)]).toEqual([201, items.map((item) => item.id)]);
    expect(await list()).toHaveLength(1_000);
  });

  test('one wrong order keeps all out, and its place is told', async () => {
    const reply = await batch([orderFields, { ...orderFields, window_end: orderFields.window_start }, { ...orderFields, vehicle_id: 'nobody', custom_fields: { x: 1 } }]);
    expect([reply.status, pathsOf(reply)]).toEqual([422, ['/items/1/window_end', '/items/2/custom_fields/x', '/items/2/vehicle_id']]);
    expect(pathsOf(await batch([orderFields, { ...orderFields, id: ' ' }, {}]))).toEqual(['/items/1/id', '/items/2/location', '/items/2/duration_seconds', '/items/2/window_start', '/items/2/window_end']);
    expect(await list()).toEqual([]);
  });

  test('ids are taken once, in the batch and before it', async () => {
    await order(business, { id: 'there' });
    for (const items of [[orderFields, { ...orderFields, id: 'a' }, { ...orderFields, id: ' a ' }], [orderFields, { ...orderFields, id: 'b' }, { ...orderFields, id: 'there' }]]) {
      const reply = await batch(items);
      expect([reply.status, pathsOf(reply)]).toEqual([409, ['/items/2/id']]);
    }
    expect(await list()).toHaveLength(1);
  });

  test('of two that share an id one comes through', async () => {
    const items = (own: string) => ['shared', own].map((id) => ({ ...orderFields, id }));
    const replies = await Promise.all([batch(items('a')), batch(items('b'))]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, 409]);
    expect(await list()).toHaveLength(2);
  });

  test('neither none nor more than a thousand', async () => {
    for (const items of [[], Array.from({ length: 1_001 }, () => orderFields)]) expect(pathsOf(await batch(items))).toEqual(['/items']);
  });
});

describe('a vehicle that orders are on', () => {
  let van: Made;
  beforeEach(async () => {
    const { id } = await scenario(business);
    await business.admin.post(`${business.path}/scenarios/${id}/activate`);
    van = await vehicle(business, { working_hours: workday });
  });
  const scheduled = (fields: Made = {}) => order(business, { vehicle_id: van.id, scheduled_at: '2026-03-02T09:00:00Z', ...fields });

  test('a planned order can be put back as it was read', async () => {
    const made = await scheduled();
    const before = await read(made.id);
    expect(before).toMatchObject({ vehicle_id: van.id, scheduled_at: '2026-03-02T09:00:00Z' });
    expect((await business.admin.put(`${business.path}/orders/${made.id}`, before)).body).toEqual(before);
    expect(await read(made.id)).toEqual(before);
  });

  test('null takes an order off its vehicle, and out of its plan', async () => {
    const made = await scheduled();
    expect((await patch(made.id, { vehicle_id: null })).body).toMatchObject({ vehicle_id: null, scheduled_at: null });
    const again = await scheduled();
    expect((await patch(again.id, { scheduled_at: null })).body).toMatchObject({ vehicle_id: van.id, scheduled_at: null });
  });

  test('null does not take a break off its vehicle, planned or not', async () => {
    const made = await scheduled({ type: 'break' });
    expect(pathsOf(await patch(made.id, { vehicle_id: null }))).toEqual(['/vehicle_id']);
    expect(await read(made.id)).toEqual(made);
  });

  test('a time needs a vehicle', async () => {
    expect(pathsOf(await post({ scheduled_at: '2026-03-02T09:00:00Z' }))).toEqual(['/scheduled_at']);
    const { id } = await order(business);
    expect(pathsOf(await patch(id, { scheduled_at: '2026-03-02T09:00:00Z' }))).toEqual(['/scheduled_at']);
  });

  test('takes its drafts along when it is deleted', async () => {
    const [planned, meant] = [await scheduled(), await order(business, { vehicle_id: van.id })];
    expect((await business.admin.delete(`${business.path}/vehicles/${van.id}`)).status).toBe(204);
    for (const { id } of [planned, meant]) expect(await read(id)).toMatchObject({ vehicle_id: null, scheduled_at: null });
    expect((await business.admin.get(`${business.path}/plans`)).body.items).toEqual([]);
    expect((await patch(planned.id, { duration_seconds: 60 })).status).toBe(200);
  });

  test('stays while it has a break, or published work', async () => {
    const pause = await order(business, { type: 'break', vehicle_id: van.id });
    expect((await business.admin.delete(`${business.path}/vehicles/${van.id}`)).status).toBe(409);
    await business.admin.delete(`${business.path}/orders/${pause.id}`);
    const made = await scheduled();
    const { body: { items: [plan] } } = await business.admin.get(`${business.path}/plans`);
    expect((await business.admin.post(`${business.path}/plans/publish`, { plan_ids: [plan.id], acknowledge_warnings: true })).status).toBe(200);
    const kept = await business.admin.delete(`${business.path}/vehicles/${van.id}`);
    expect([kept.status, kept.body.error.message]).toEqual([409, 'the vehicle has published work that is not finished']);
    await rowsOf(service.databaseUrl, `update orders set status = 'completed' where id = $1`, [made.id]);
    expect((await business.admin.delete(`${business.path}/vehicles/${van.id}`)).status).toBe(204);
  });

  test('an edit that does not touch a vehicle or driver asks no more for them', async () => {
    const someone = await driver(business);
    const { id } = await order(business, { driver_id: someone.id });
    expect((await business.admin.delete(`${business.path}/drivers/${someone.id}`)).status).toBe(204);
    const before = await read(id);
    expect((await business.admin.put(`${business.path}/orders/${id}`, { ...before, duration_seconds: 60 })).status).toBe(200);
  });
});
