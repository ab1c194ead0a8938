import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../core/operations.ts';
import { password } from '../support/business.ts';
import type { Client, Reply } from '../support/client.ts';
import { driversDay } from '../support/drivers-day.ts';
import { closeGate } from '../support/gate.ts';
import { at, hoursOf, lineWorld, ok, time, told, type LineWorld, type Plan } from '../support/line-world.ts';
import { orderFields } from '../support/records.ts';
import { unsoundness } from '../support/soundness.ts';
import { startTwoDaemons, type TwoDaemons } from '../support/two-daemons.ts';
import { workingCall } from '../support/working-calls.ts';

/**
 * What many want at once, over two daemons as processes of their own and as many connections as there are tries: as many get it as there
 * is room for, the others are told so, and afterwards everything holds together.
 */

let service: TwoDaemons;
beforeAll(async () => {
  service = await startTwoDaemons();
});
afterAll(async () => {
  await service.close();
  process.stdout.write(`races: ${racesRun}, of ${tries} tries each\n`);
});

const tries = 200;
let racesRun = 0;
const times = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth));

/** To the database, of both daemons. */
const connections = 20;

/**
 * All at once, every other one at the other daemon. Nobody gets past the first lock in the table before all connections stand still,
 * or whoever does not has been answered: so who is first is not who came first, and whoever has looked without a lock has looked too early.
 */
async function race({ of: client, over: table }: { of: Client; over: string }, attempt: (client: Client, nth: number) => Promise<Reply>): Promise<Reply[]> {
  const both = service.both(client);
  const gate = await closeGate(service.databaseUrl, table);
  let answered = 0;
  const replies = Promise.all(times(tries, async (nth) => {
    const reply = await attempt(both[nth % 2], nth);
    answered++;
    return reply;
  }));
  try {
    for (let waiting = 0; waiting < connections && waiting + answered < tries; waiting = await gate.waiting()) await Promise.race([sleep(5), replies]);
  } finally {
    await gate.open();
  }
  racesRun++;
  return replies;
}

/** How many answers of each status. */
function tally(replies: Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const winners = (replies: Reply[]): any[] => replies.filter(({ status }) => status < 300).map(({ body }) => body); // eslint-disable-line @typescript-eslint/no-explicit-any
const epochOf = async (w: LineWorld): Promise<number> => (await w.get('')).preview_epoch;
/** What the audit log says has been done. */
const deeds = async (w: LineWorld, operation: string): Promise<number> => (await w.get(`/audit?operation=${operation}`)).items.length;

const day = '2031-03-03';
const t = (clock: string): string => time(clock, day);
const window = (from: string, to: string) => ({ start: t(from), end: t(to) });

describe('confirmations', () => {
  /** The reservations of all windows, which are alternatives to one another, `minute` minutes east of the depot. */
  const reserve = async (w: LineWorld, minute: number, windows: object[]): Promise<string[]> => {
    const query = { start: t('00:00'), end: t('23:59'), location: at(minute), duration_seconds: 600, candidate_windows: windows };
    return ok(await w.admin.post(`${w.path}/availability`, query)).windows.map(({ reservation_id: id }: { reservation_id: string }) => id);
  };
  const confirmAll = (w: LineWorld, ids: string[]) => race({ of: w.admin, over: 'businesses' }, (client, nth) => client.post(`${w.path}/reservations/${ids[nth]}/confirm`, { order: { id: `order-${nth}` } }));
  const served = async (w: LineWorld): Promise<string[]> => Object.values(await w.plans()).flatMap((plan) => plan.stops.map((stop: { order_id: string }) => stop.order_id)).toSorted();

  test('of 200 for one slot one wins', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    const ids = (await Promise.all(times(50, () => reserve(w, 10, [window('09:00', '09:10'), window('09:01', '09:11'), window('08:59', '09:09'), window('09:05', '09:15')])))).flat();
    const epoch = await epochOf(w);
    const replies = await confirmAll(w, ids);
    expect(tally(replies)).toEqual({ 201: 1, 409: 199 });
    expect(await served(w)).toEqual(winners(replies).map(({ id }) => id));
    expect([await epochOf(w), await deeds(w, 'reservations.confirm'), await unsoundness(w)]).toEqual([epoch + 1, 1, []]);
  });

  test('of 200 for eighteen places eighteen win', async () => {
    const w = await lineWorld(service);
    for (const van of ['van-1', 'van-2', 'van-3']) await w.vehicle(van, { hours: ['08:00-09:00'] });
    // At the depot an hour holds six of ten minutes.
    const ids = (await Promise.all(times(50, () => reserve(w, 0, times(4, () => window('08:00', '09:00')))))).flat();
    const epoch = await epochOf(w);
    const replies = await confirmAll(w, ids);
    expect(tally(replies)).toEqual({ 201: 18, 409: 182 });
    expect(await served(w)).toEqual(winners(replies).map(({ id }) => id).toSorted());
    expect([await epochOf(w), await deeds(w, 'reservations.confirm'), await unsoundness(w)]).toEqual([epoch + 18, 18, []]);
  });

  test('of 200 for the alternatives of one order one wins', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van', { hours: ['08:00-18:00'] });
    const ids = await reserve(w, 10, times(25, (nth) => window(`${9 + Math.floor(nth / 4)}:${String((nth % 4) * 15).padStart(2, '0')}`.padStart(5, '0'), '17:30')));
    const replies = await confirmAll(w, times(tries, (nth) => ids[nth % ids.length]));
    expect(tally(replies)).toEqual({ 201: 1, 409: 199 });
    const states = await Promise.all(ids.map(async (id) => (await w.get(`/reservations/${id}?record_status=all`)).status));
    expect(states.toSorted()).toEqual(['confirmed', ...times(24, () => 'dropped')]);
    expect([await deeds(w, 'reservations.confirm'), await unsoundness(w)]).toEqual([1, []]);
  });
});

describe('publications', () => {
  /** So many vans, each with one order in its draft. */
  async function drafts(count: number): Promise<{ w: LineWorld; plans: Plan[] }> {
    const w = await lineWorld(service);
    for (const nth of times(count, (each) => each)) {
      await w.vehicle(`van-${nth}`);
      await w.order(`order-${nth}`, nth, { vehicle_id: `van-${nth}`, scheduled_at: time('09:00') });
    }
    return { w, plans: (await w.get('/plans')).items };
  }
  const body = (plans: Plan[]) => ({ plan_ids: plans.map(({ id }) => id), expected_revision: plans.map(({ id, revision }) => ({ id, revision })) });

  test('of 200 of one draft one wins', async () => {
    const { w, plans } = await drafts(1);
    const epoch = await epochOf(w);
    const replies = await race({ of: w.admin, over: 'businesses' }, (client) => client.post(`${w.path}/plans/publish`, body(plans)));
    expect(tally(replies)).toEqual({ 200: 1, 409: 199 });
    expect((await w.get('/publications')).items).toEqual(winners(replies));
    expect(await w.get(`/plans/${plans[0].id}`)).toMatchObject({ state: 'published', revision: plans[0].revision + 1 });
    expect([await epochOf(w), await deeds(w, 'plans.publish'), await unsoundness(w)]).toEqual([epoch + 1, 1, []]);
  });

  test('of 200 that overlap each wins whole or not at all', async () => {
    const { w, plans } = await drafts(10);
    const pairs = plans.map((plan, nth) => [plan, plans[(nth + 1) % plans.length]]);
    const epoch = await epochOf(w);
    const replies = await race({ of: w.admin, over: 'businesses' }, (client, nth) => client.post(`${w.path}/plans/publish`, body(pairs[nth % pairs.length])));
    const won = winners(replies);
    expect(tally(replies)).toEqual({ 200: won.length, 409: tries - won.length });
    const published = new Set<string>(won.flatMap(({ plan_ids: ids }) => ids));
    expect(published.size).toBe(2 * won.length);
    expect((await w.get('/plans?state=published')).items.map(({ id }: Plan) => id).toSorted()).toEqual([...published].toSorted());
    // Whoever lost, lost against somebody.
    expect(pairs.filter((pair) => pair.every(({ id }) => !published.has(id)))).toEqual([]);
    expect([await epochOf(w), await deeds(w, 'plans.publish'), await unsoundness(w)]).toEqual([epoch + won.length, won.length, []]);
  });
});

test('of 200 changes of hours after one preview one wins', async () => {
  const w = await lineWorld(service);
  await w.vehicle('van');
  for (const [id, clock] of [['a', '09:00'], ['b', '12:00'], ['c', '15:30']]) await w.order(id, 20, { vehicle_id: 'van', scheduled_at: t(clock), window_start: t('08:00'), window_end: t('16:00') });
  const choices = times(tries, (nth) => hoursOf([`08:${String(nth % 40).padStart(2, '0')}-15:00`]));
  const { vehicle_revision: revision, preview_epoch: epoch } = ok(await w.admin.post(`${w.path}/working-hours/preview`, { vehicle_id: 'van', working_hours: choices[0] }));
  const replies = await race({ of: w.admin, over: 'businesses' }, (client, nth) => client.post(`${w.path}/working-hours/apply`, { vehicle_id: 'van', working_hours: choices[nth], accepted: true, vehicle_revision: revision, preview_epoch: epoch }));
  expect(tally(replies)).toEqual({ 200: 1, 409: 199 });
  expect(winners(replies)).toMatchObject([{ affected_order_ids: ['c'], vehicle_revision: revision + 1, preview_epoch: epoch + 1 }]);
  expect(await w.get('/vehicles/van')).toMatchObject({ revision: revision + 1, working_hours: choices[replies.findIndex(({ status }) => status === 200)] });
  expect(told((await w.plans())[`van ${day}`]).slice(0, 2)).toEqual(['a 09:00-09:10', 'b 12:00-12:10']);
  expect([await epochOf(w), await deeds(w, 'working-hours.apply'), await unsoundness(w)]).toEqual([epoch + 1, 1, []]);
});

test('of 200 that use one activation code one is signed in', async () => {
  const w = await lineWorld(service);
  await w.driver('anna');
  const { activation_code: code } = ok(await w.admin.post(`${w.path}/drivers/anna/reset`));
  const replies = await race({ of: service.anonymous, over: 'drivers' }, (client) => client.post('/api/v1/driver/sessions', { activation_code: code }));
  expect(tally(replies)).toEqual({ 201: 1, 401: 199 });
  const [{ access_token: token }] = winners(replies);
  for (const client of service.both(service.anonymous.as(token))) expect(ok(await client.get('/api/v1/driver/me')).id).toBe('anna');
  expect(await w.sql('select count(*)::int as sessions from sessions where business_id = $1', [w.id])).toEqual([{ sessions: 1 }]);
  expect(await w.sql('select activation_hash from drivers where business_id = $1', [w.id])).toEqual([{ activation_hash: null }]);
});

test('of 200 that accept one invitation one becomes administrator, with one account', async () => {
  const w = await lineWorld(service);
  const { id, invitation_code: code } = ok(await w.admin.post(`${w.path}/admins`, { email: 'raced@depot.example' }));
  const replies = await race({ of: service.anonymous, over: 'memberships' }, (client, nth) => client.post('/api/v1/invitations/accept', { invitation_code: code, password: `${password} ${nth}` }));
  expect(tally(replies)).toEqual({ 200: 1, 401: 199 });
  expect(winners(replies)).toMatchObject([{ id, state: 'active', email: 'raced@depot.example' }]);
  expect((await w.get('/admins')).items).toHaveLength(2);
  expect(await w.sql(`select count(*)::int as accounts from accounts where email = 'raced@depot.example'`)).toEqual([{ accounts: 1 }]);
  const nth = replies.findIndex(({ status }) => status === 200);
  expect((await service.anonymous.post('/api/v1/sessions', { email: 'raced@depot.example', password: `${password} ${nth}` })).status).toBe(201);
});

describe('idempotency keys', () => {
  const orders = async (w: LineWorld): Promise<string[]> => (await w.get('/orders')).items.map(({ id }: { id: string }) => id).toSorted();

  test.each([1, 12])('of 200 requests under %i of them each key has one effect', async (keys) => {
    const w = await lineWorld(service);
    const post = (client: Client, nth: number) => client.post(`${w.path}/orders`, { ...orderFields, duration_seconds: 60 + (nth % keys) }, { 'idempotency-key': `key-${nth % keys}` });
    const replies = await race({ of: w.admin, over: 'orders' }, post);
    for (const reply of replies.filter(({ status }) => status !== 201)) expect([reply.status, reply.headers.get('retry-after')]).toEqual([409, '1']);
    expect(await orders(w)).toHaveLength(keys);
    // Who was told to try again gets what the others have got, to the letter.
    const again = await race({ of: w.admin, over: 'orders' }, post);
    expect(tally(again)).toEqual({ 201: tries });
    for (const [nth, reply] of replies.entries()) if (reply.status === 201) expect(reply.text).toBe(again[nth].text);
    expect([...new Set(again.map(({ body }) => body.id))].toSorted()).toEqual(await orders(w));
    expect([await deeds(w, 'orders.create'), await unsoundness(w)]).toEqual([keys, []]);
  });
});

describe('edits of one revision', () => {
  let w: LineWorld;
  beforeAll(async () => {
    w = await lineWorld(service);
  });
  const tableOf = (id: string): string => ({ 'settings.update': 'businesses', 'schemas.update': 'custom_schemas' })[id] ?? id.split('.')[0];
  const edits = operations.filter(({ id, method, access }) => method === 'PATCH' && access.kind === 'business' && id !== 'plans.update');

  async function edit(id: string, isInHeader: (nth: number) => boolean): Promise<Record<number, number>> {
    const { path } = await workingCall(edits.find((operation) => operation.id === id)!, w);
    const { revision } = ok(await w.admin.get(path));
    const change = (nth: number) => (id === 'orders.update' ? { duration_seconds: 700 + nth } : { name: `Name ${nth}` });
    const replies = await race({ of: w.admin, over: tableOf(id) }, (client, nth) => (isInHeader(nth) ? client.patch(path, change(nth), { 'if-match': `"${revision}"` }) : client.patch(path, { ...change(nth), revision })));
    const nth = replies.findIndex(({ status }) => status === 200);
    expect(replies[nth].body).toMatchObject({ ...change(nth), revision: revision + 1 });
    expect(ok(await w.admin.get(path))).toEqual(replies[nth].body);
    return tally(replies);
  }

  test('of 200 that name it in the body one wins', async () => {
    expect(await edit('orders.update', () => false)).toEqual({ 200: 1, 409: 199 });
  });

  test('of 200 that name it in If-Match one wins', async () => {
    expect(await edit('orders.update', () => true)).toEqual({ 200: 1, 412: 199 });
  });

  test.each(edits.map(({ id }) => id))('of 200 in both ways one wins: %s', async (id) => {
    const counts = await edit(id, (nth) => nth % 4 < 2);
    expect([counts[200], counts[409] + counts[412]]).toEqual([1, 199]);
  });
});

test('of 200 records with one id one is created', async () => {
  const w = await lineWorld(service);
  const replies = await race({ of: w.admin, over: 'orders' }, (client, nth) => client.post(`${w.path}/orders`, { ...orderFields, id: 'raced', duration_seconds: 60 + nth }));
  expect(tally(replies)).toEqual({ 201: 1, 409: 199 });
  expect((await w.get('/orders')).items).toEqual(winners(replies));
  expect(await unsoundness(w)).toEqual([]);
});

describe('what drivers do', () => {
  test('of 200 starts by five drivers each driver has one', async () => {
    const w = await lineWorld(service);
    const apps: Client[] = [];
    for (const nth of times(5, (each) => each)) {
      await w.driver(`driver-${nth}`);
      await w.vehicle(`van-${nth}`, { driver_id: `driver-${nth}` });
      for (const [order, clock] of [['first', '09:00'], ['second', '10:00']]) await w.order(`${order}-${nth}`, nth, { vehicle_id: `van-${nth}`, scheduled_at: time(clock) });
      apps.push(await w.as(`driver-${nth}`));
    }
    ok(await w.publishAll());
    for (const app of apps) ok(await app.post('/api/v1/driver/duty', { online: true }));
    const epoch = await epochOf(w);
    const both = apps.map((app) => service.both(app));
    const replies = await race({ of: w.admin, over: 'businesses' }, (_, nth) => both[nth % 5][nth % 2].post(`/api/v1/driver/orders/${nth % 3 === 0 ? 'second' : 'first'}-${nth % 5}/start`, {}));
    expect(tally(replies)).toEqual({ 200: 5, 409: 195 });
    expect(winners(replies).map(({ id }) => id).toSorted()).toEqual(times(5, (nth) => `first-${nth}`));
    const statuses = Object.fromEntries((await w.get('/orders')).items.map(({ id, status }: { id: string; status: string }) => [id, status]));
    expect(statuses).toEqual(Object.fromEntries(times(5, (nth) => [[`first-${nth}`, 'in_progress'], [`second-${nth}`, 'created']]).flat()));
    // Work is no change of capacity.
    expect([await epochOf(w), await unsoundness(w)]).toEqual([epoch, []]);
  });

  test('one action that is sent 200 times is done once, and answered alike', async () => {
    const w = await driversDay(service);
    await w.place('first', 5, '09:00');
    ok(await w.publishAll());
    ok(await w.act('/duty', { online: true }));
    const replies = await race({ of: w.app, over: 'businesses' }, (client) => client.post('/api/v1/driver/orders/first/start', { action_id: 'a-1' }));
    expect(tally(replies)).toEqual({ 200: 200 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await w.get('/orders/first/actions')).items).toHaveLength(1);
    expect(await unsoundness(w)).toEqual([]);
  });

  test('100 starts and 100 publications that take the order away leave one truth', async () => {
    const w = await driversDay(service);
    await w.place('first', 5, '09:00');
    await w.place('second', 10, '10:00');
    ok(await w.publishAll());
    ok(await w.act('/duty', { online: true }));
    ok(await w.patchOrder('first', { scheduled_at: null }));
    const { van } = await w.plans();
    const [drivers, admins] = [service.both(w.app), service.both(w.admin)];
    const replies = await race({ of: w.admin, over: 'businesses' }, (_, nth) => (nth % 4 < 2 ? drivers[nth % 2].post('/api/v1/driver/orders/first/start', {}) : admins[nth % 2].post(`${w.path}/plans/publish`, { plan_ids: [van.id], acknowledge_warnings: true })));
    const [starts, publications] = [0, 2].map((from) => tally(replies.filter((_, nth) => Math.floor((nth % 4) / 2) === from / 2)));
    // Either a start came first, and the version without the order is stale; or the order had gone before anybody started it.
    if (publications[200] === 1) {
      expect([starts, publications]).toEqual([{ 404: 100 }, { 200: 1, 409: 99 }]);
      expect(await w.statuses()).toEqual({ first: 'created', second: 'on_road' });
    } else {
      expect([starts, publications]).toEqual([{ 200: 1, 409: 99 }, { 409: 100 }]);
      expect(await w.statuses()).toEqual({ first: 'in_progress', second: 'created' });
    }
    expect(await unsoundness(w)).toEqual([]);
  });
});
