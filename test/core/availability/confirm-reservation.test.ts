import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sweepReservations } from '../../../core/availability/sweep-reservations.ts';
import { openStore } from '../../../core/db/store.ts';
import { keyClient } from '../../support/business.ts';
import { at, clock, lineWorld, ok, time, told, type LineWorld } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';
import { complaintsAbout } from '../../support/sound-day.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(() => service.close());

type Fields = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const day = '2031-03-03';
const t = (hourAndMinute: string): string => time(hourAndMinute, day);
const window = (from: string, to: string) => ({ start: t(from), end: t(to) });

const query = async (w: LineWorld, minute: number, windows: object[], body: Fields = {}): Promise<Fields> =>
  ok(await w.admin.post(`${w.path}/availability`, { start: t('00:00'), end: t('23:59'), location: at(minute), duration_seconds: 600, candidate_windows: windows, ...body }));
const reserve = async (w: LineWorld, minute: number, windows: object[], body: Fields = {}): Promise<string[]> =>
  (await query(w, minute, windows, body)).windows.map(({ reservation_id: id }: Fields) => id);
const confirm = (w: LineWorld, id: string, body?: Fields, client = w.admin) => client.post(`${w.path}/reservations/${id}/confirm`, body);
const statuses = async (w: LineWorld, ids: string[]): Promise<string[]> => Promise.all(ids.map(async (id) => (await w.get(`/reservations/${id}?record_status=all`)).status));
const planOf = async (w: LineWorld, van = 'van') => (await w.plans())[`${van} ${day}`];

/** A van with one order twenty minutes east, at nine. */
async function busy(): Promise<LineWorld> {
  const w = await lineWorld(service);
  await w.vehicle('van');
  await w.order('a', 20, { window_start: t('09:00'), window_end: t('10:00') });
  await w.plan({ date_start: day, date_end: day });
  return w;
}

describe('a confirmation', () => {
  test('creates the order in its window and puts it into the planning version', async () => {
    const w = await busy();
    const [id] = await reserve(w, 30, [window('09:00', '11:00'), window('13:00', '14:00')]);
    const reply = await confirm(w, id, { order: { id: 'new', custom_fields: {} } });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${w.path}/orders/new`);
    expect(reply.body).toMatchObject({ id: 'new', type: 'task', status: 'created', vehicle_id: 'van', location: at(30), duration_seconds: 600, window_start: '2031-03-03T08:00:00Z', window_end: '2031-03-03T10:00:00Z' });
    expect(clock(reply.body.scheduled_at)).toBe('09:20');
    const plan = await planOf(w);
    expect(told(plan)).toEqual(['a 09:00-09:10', 'new 09:20-09:30', 'back 10:00']);
    expect(plan).toMatchObject({ state: 'planning', warnings: [] });
    expect(await w.get('/orders/new')).toEqual(reply.body);
  });

  test('keeps its reservation, when the ones that came to nothing have long been forgotten', async () => {
    const w = await busy();
    const [taken, dropped] = await reserve(w, 30, [window('09:00', '11:00'), window('13:00', '14:00')]);
    const [open] = await reserve(w, 40, [window('13:00', '14:00')]);
    expect((await confirm(w, taken, {})).status).toBe(201);
    const shown = async (): Promise<number[]> => Promise.all([taken, dropped, open].map(async (id) => (await w.admin.get(`${w.path}/reservations/${id}?record_status=all`)).status));
    const store = await openStore(service.databaseUrl);
    try {
      await sweepReservations(store, new Date(Date.now() + 29 * 86_400_000));
      expect(await shown()).toEqual([200, 200, 200]);
      while ((await sweepReservations(store, new Date(Date.now() + 31 * 86_400_000))) > 0);
    } finally {
      await store.close();
    }
    expect(await shown()).toEqual([200, 404, 404]);
  });

  test('drops the other windows of its group and is told once', async () => {
    const w = await busy();
    const ids = await reserve(w, 30, [window('09:00', '11:00'), window('13:00', '14:00'), window('14:00', '15:00')]);
    ok(await w.admin.delete(`${w.path}/reservations/${ids[2]}`));
    const others = await reserve(w, 30, [window('13:00', '14:00')]);
    ok(await confirm(w, ids[0]));
    expect(await statuses(w, [...ids, ...others])).toEqual(['confirmed', 'dropped', 'released', 'open']);
    expect((await confirm(w, ids[0])).status).toBe(409);
    expect((await confirm(w, ids[1])).status).toBe(409);
    const events = await w.sql(`select data from events where business_id = $1 and type = 'reservation.confirmed'`, [w.id]);
    expect(events).toEqual([{ data: expect.objectContaining({ id: ids[0], status: 'confirmed', order_id: expect.any(String) }) }]);
    expect((await w.get('/orders')).items).toHaveLength(2);
  });

  test('moves nothing that is locked, and waits for nobody under schedule_lock', async () => {
    const w = await busy();
    const [free] = await reserve(w, 20, [window('08:50', '09:10')]);
    const [locked] = await reserve(w, 20, [window('08:50', '09:10')], { schedule_lock: true });
    expect(told(await planOf(w))).toEqual(['a 09:00-09:10', 'back 09:30']);
    ok(await confirm(w, locked, { order: { id: 'locked' } }));
    expect(told(await planOf(w))).toEqual(['locked 08:50-09:00', 'a 09:00-09:10', 'back 09:30']);
    // Now a has to wait, which it may for a reservation without the lock.
    ok(await confirm(w, free, { order: { id: 'free' } }));
    expect(told(await planOf(w)).toSorted()).toEqual(['a 09:10-09:20', 'back 09:40', 'free 09:00-09:10', 'locked 08:50-09:00'].toSorted());
  });

  test('takes another vehicle where the remembered one has no room any more', async () => {
    const w = await busy();
    await w.warehouse('far', -30);
    await w.vehicle('other', { warehouse_id: 'far' });
    const [id] = await reserve(w, 20, [window('11:00', '11:10')]);
    expect((await w.get(`/reservations/${id}`)).vehicle_id).toBe('van');
    await w.order('taken', 20, { window_start: t('11:00'), window_end: t('11:30'), vehicle_id: 'van', scheduled_at: t('11:05') });
    expect(ok(await confirm(w, id)).vehicle_id).toBe('other');
    expect(await w.get(`/reservations/${id}`)).toMatchObject({ vehicle_id: 'other', status: 'confirmed' });
  });

  test('comes too late where nobody has room any more, and leaves nothing behind', async () => {
    const w = await busy();
    const [id] = await reserve(w, 30, [window('09:20', '09:30')]);
    await w.order('b', 0, { window_start: t('09:15'), window_end: t('10:00'), vehicle_id: 'van', scheduled_at: t('09:30') });
    const before = await w.get('');
    const reply = await confirm(w, id, { order: { id: 'late' } });
    expect([reply.status, reply.body.error.message]).toEqual([409, expect.stringContaining('not available any more')]);
    expect((await w.admin.get(`${w.path}/orders/late`)).status).toBe(404);
    expect(await w.get('')).toEqual(before);
    expect(await statuses(w, [id])).toEqual(['open']);
  });

  test('with an id that is taken is refused, and can be tried again', async () => {
    const w = await busy();
    const [id] = await reserve(w, 30, [window('09:00', '11:00')]);
    expect((await confirm(w, id, { order: { id: 'a' } })).status).toBe(409);
    ok(await confirm(w, id, { order: { id: 'b' } }));
  });

  test('may repeat what was reserved, but not change it', async () => {
    const w = await busy();
    const [id] = await reserve(w, 30, [window('09:00', '11:00')]);
    const paths = async (order: Fields) => {
      const reply = await confirm(w, id, { order });
      return [reply.status, ...(reply.body.error?.details ?? []).map(({ path }: Fields) => path)];
    };
    expect(await paths({ duration_seconds: 1, location: at(31), window_start: t('09:01'), window_end: t('10:59') })).toEqual([422, '/order/location', '/order/duration_seconds', '/order/window_start', '/order/window_end']);
    expect(await paths({ type: 'break' })).toEqual([422, '/order/type']);
    expect(await paths({ vehicle_id: 'van' })).toEqual([422, '/order/vehicle_id']);
    expect(await paths({ custom_fields: { unknown: 1 } })).toEqual([422, expect.stringContaining('/custom_fields')]);
    expect(await paths({ duration_seconds: 600, location: at(30), window_start: t('09:00'), window_end: '2031-03-03T10:00:00Z' })).toEqual([201]);
  });
});

test('what is said to be available can be confirmed while nothing changes, and every plan stays sound', async () => {
  const w = await lineWorld(service);
  await w.vehicle('van', { hours: ['08:00-12:00', '12:30-16:00'] });
  await w.vehicle('other', { hours: ['09:00-14:00'] });
  // The same numbers in every run.
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const clockAt = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  let confirmed = 0;
  for (let round = 0; round < 40; round++) {
    const start = 480 + random(420);
    const [id] = await reserve(w, random(25), [window(clockAt(start), clockAt(start + 15 + random(60)))], { schedule_lock: round % 3 === 0, duration_seconds: 300 + random(900) });
    if (id === null) continue;
    const before = new Map<string, string>((await w.get('/orders')).items.map((order: Fields) => [order.id, order.scheduled_at]));
    expect((await confirm(w, id)).status).toBe(201);
    confirmed++;
    if (round % 3 === 0) for (const order of (await w.get('/orders')).items) if (before.has(order.id)) expect(order.scheduled_at).toBe(before.get(order.id));
  }
  expect(confirmed).toBeGreaterThan(10);
  expect(confirmed).toBeLessThan(40);
  expect(await complaintsAbout(w)).toEqual([]);
});

test('a confirmation that is sent again with its key is answered with the order that it made', async () => {
  const w = await busy();
  const [id] = await reserve(w, 30, [window('09:00', '11:00')]);
  const send = () => w.admin.post(`${w.path}/reservations/${id}/confirm`, { order: { id: 'once' } }, { 'Idempotency-Key': 'confirm-once' });
  const [first, again] = [await send(), await send()];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
});

describe('a reservation', () => {
  test('expires with its window or after a day, judged when it is read', async () => {
    const w = await busy();
    const [id] = await reserve(w, 30, [window('09:00', '11:00')]);
    const { created_at: made, expires_at: expires } = await w.get(`/reservations/${id}`);
    expect(Date.parse(expires) - Date.parse(made)).toBeLessThanOrEqual(24 * 3_600_000);
    expect(Date.parse(expires) - Date.parse(made)).toBeGreaterThan(23 * 3_600_000);
    await w.sql('update reservations set expires_at = now() where business_id = $1 and id = $2', [w.id, id]);
    expect(await statuses(w, [id])).toEqual(['expired']);
    expect((await w.get('/reservations?status=expired')).items).toHaveLength(1);
    expect((await w.get('/reservations?status=open')).items).toHaveLength(0);
    expect((await confirm(w, id)).body.error.message).toContain('expired');
  });

  test('of a window that ends sooner ends with it', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van', { hours: ['00:00-24:00'] });
    const start = Date.now() + 600_000;
    const end = new Date(start + 3_600_000).toISOString();
    const { windows } = await query(w, 0, [{ start: new Date(start).toISOString(), end }], { start: new Date(start).toISOString(), end, duration_seconds: 60 });
    expect(windows).toMatchObject([{ available: true, expires_at: new Date(end).toISOString().replace('.000Z', 'Z') }]);
  });

  test('is released once, and then neither confirmed nor seen', async () => {
    const w = await busy();
    const [id] = await reserve(w, 30, [window('09:00', '11:00')]);
    expect((await w.admin.delete(`${w.path}/reservations/${id}`)).status).toBe(204);
    expect((await w.admin.delete(`${w.path}/reservations/${id}`)).status).toBe(404);
    expect((await w.admin.get(`${w.path}/reservations/${id}`)).status).toBe(404);
    expect((await confirm(w, id)).status).toBe(409);
    expect((await confirm(w, 'unknown')).status).toBe(404);
  });

  test('that has become an order is not released', async () => {
    const w = await busy();
    const [id] = await reserve(w, 30, [window('09:00', '11:00')]);
    ok(await confirm(w, id));
    expect((await w.admin.delete(`${w.path}/reservations/${id}`)).status).toBe(409);
  });

  test('asking and confirming are two scopes', async () => {
    const w = await busy();
    const [id] = await reserve(w, 30, [window('09:00', '11:00')]);
    const asker = await keyClient(w, ['availability.query']);
    const writer = await keyClient(w, ['orders.write']);
    expect((await asker.get(`${w.path}/reservations/${id}`)).status).toBe(200);
    expect((await writer.get(`${w.path}/reservations/${id}`)).status).toBe(403);
    expect((await confirm(w, id, {}, asker)).status).toBe(403);
    expect((await confirm(w, id, {}, writer)).status).toBe(201);
  });
});
