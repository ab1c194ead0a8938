import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { hoursOf, lineWorld, ok, time, told, type LineWorld, type Plan } from '../../support/line-world.ts';
import { waitsForLock } from '../../support/lock-waits.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let w: LineWorld;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  w = await lineWorld(service);
  for (const van of ['van', 'bus']) await w.vehicle(van);
  await w.order('a', 10, { vehicle_id: 'van', scheduled_at: time('09:00') });
  await w.order('b', 15, { vehicle_id: 'van', scheduled_at: time('09:30') });
  await w.order('c', 5, { vehicle_id: 'bus', scheduled_at: time('09:00') });
});

const plan = async (vehicle = 'van'): Promise<Plan> => (await w.plans())[vehicle];
const begin = (id: string) => w.sql(`update orders set status = 'in_progress', actual_started_at = now(), revision = revision + 1 where business_id = $1 and id = $2`, [w.id, id]);
/** Everything that a publication could change. */
const everything = async () => [(await w.get('/plans?record_status=all')).items, (await w.get('/orders')).items, (await w.get('/publications')).items, (await w.get('/settings')).preview_epoch];

/** The request is refused so, and nothing has changed. */
async function refused(status: number, body: object, message: RegExp): Promise<void> {
  const before = await everything();
  const reply = await w.publish(body as never);
  expect([reply.status, reply.body.error?.message]).toEqual([status, expect.stringMatching(message)]);
  expect(await everything()).toEqual(before);
}

describe('what is published', () => {
  test('is what drivers see, with a record of the publication', async () => {
    const before = await plan();
    const { status, body } = await w.publish({ plan_ids: [before.id], expected_revision: [{ id: before.id, revision: before.revision }, { id: 'a', revision: (await w.get('/orders/a')).revision }] });
    expect([status, body]).toMatchObject([200, { plan_ids: [before.id], order_ids: [], acknowledged_warnings: [], revision: 1 }]);
    const after = await w.get(`/plans/${before.id}`);
    expect(after).toMatchObject({ state: 'published', revision: before.revision + 1, received_at: null });
    expect(after.published).toEqual({
      revision: after.revision, published_at: body.created_at, publication_id: body.id, driver_id: null,
      start_at: before.start_at, end_at: before.end_at, stops: before.stops, return_leg: before.return_leg,
    });
    expect(await w.get(`/publications/${body.id}`)).toEqual(body);
    expect((await w.get('/publications')).items).toEqual([body]);
    expect(await w.get('/orders/a?view=published')).toMatchObject({ scheduled_at: '2026-03-02T08:00:00Z', vehicle_id: 'van' });
    expect(await w.get('/orders/c?view=published')).toMatchObject({ scheduled_at: null, vehicle_id: null });
    expect(Object.keys(await w.plans('?view=published'))).toEqual(['van']);
  });

  test('stays in the published view while a draft changes', async () => {
    ok(await w.publishAll());
    const published = await plan();
    ok(await w.patchOrder('a', { scheduled_at: time('10:00') }));
    const draft = await plan();
    expect(draft).toMatchObject({ state: 'planning', published: published.published });
    expect(told((await w.plans('?view=published')).van)).toEqual(['a 09:00-09:10', 'b 09:30-09:40', 'back 09:55']);
    expect(told(draft)).toEqual(['b 09:30-09:40', 'a 10:00-10:10', 'back 10:20']);
    expect(told(await w.get(`/plans/${draft.id}?view=published`))).toEqual(['a 09:00-09:10', 'b 09:30-09:40', 'back 09:55']);
    expect(await w.get('/orders/a')).toMatchObject({ scheduled_at: '2026-03-02T09:00:00Z' });
    expect(await w.get('/orders/a?view=published')).toMatchObject({ scheduled_at: '2026-03-02T08:00:00Z' });
  });

  test('supersedes what was published before it', async () => {
    ok(await w.publishAll());
    const first = await plan();
    ok(await w.patchOrder('a', { scheduled_at: time('10:00') }));
    ok(await w.publish({ plan_ids: [(await plan()).id] }));
    expect(await w.get(`/plans/${first.id}`)).toMatchObject({ state: 'superseded' });
    expect(await w.sql(`select vehicle_id, count(*)::int as n from plans where business_id = $1 and state = 'published' group by 1 order by 1`, [w.id])).toEqual([{ vehicle_id: 'bus', n: 1 }, { vehicle_id: 'van', n: 1 }]);
  });

  test('leaves an unscheduled order without a published place', async () => {
    ok(await w.publishAll());
    ok(await w.patchOrder('a', { scheduled_at: null }));
    ok(await w.publish({ plan_ids: [(await plan()).id] }));
    expect(await w.get('/orders/a?view=published')).toMatchObject({ scheduled_at: null, vehicle_id: null });
  });
});

describe('all or nothing', () => {
  test('a stale revision of a plan or an order', async () => {
    const [van, bus] = [await plan(), await plan('bus')];
    const both = { plan_ids: [van.id, bus.id] };
    await refused(409, { ...both, expected_revision: [{ id: bus.id, revision: bus.revision }, { id: van.id, revision: van.revision + 1 }] }, /^the plan .* has changed/);
    await refused(409, { ...both, expected_revision: [{ id: 'a', revision: 99 }] }, /^the order a has changed/);
  });

  test('a version that is not the current one', async () => {
    const old = await plan();
    ok(await w.patchOrder('a', { scheduled_at: time('10:00') }));
    await refused(409, { plan_ids: [(await plan('bus')).id, old.id] }, /is superseded, not in planning/);
    ok(await w.publishAll());
    await refused(409, { plan_ids: [(await plan()).id] }, /is published, not in planning/);
  });

  test('what is not there', async () => {
    const { id } = await plan();
    await refused(404, { plan_ids: [id, 'ghost'] }, /^no plan with id "ghost"/);
    await refused(404, { order_ids: ['ghost'] }, /^no order with id "ghost"/);
    await refused(422, { plan_ids: [id], expected_revision: [{ id: 'ghost', revision: 1 }] }, /names neither a plan nor an order/);
    await refused(422, {}, /names neither plan_ids nor order_ids/);
    await refused(422, { plan_ids: [], order_ids: [] }, /names neither plan_ids nor order_ids/);
  });

  test('warnings that nobody has acknowledged', async () => {
    ok(await w.patchOrder('a', { window_start: time('10:00') }));
    const { id, warnings } = await plan();
    await refused(409, { plan_ids: [(await plan('bus')).id, id] }, /1 warning that must be acknowledged: .*before its window opens/);
    expect(ok(await w.publish({ plan_ids: [id], acknowledge_warnings: true })).acknowledged_warnings).toEqual(warnings);
  });

  test('warnings that have come up since the plan was made', async () => {
    const { id, warnings } = await plan();
    expect(warnings).toEqual([]);
    ok(await w.admin.patch(`${w.path}/vehicles/van`, { working_hours: hoursOf(['12:00-16:00']) }));
    await refused(409, { plan_ids: [id] }, /must be acknowledged: .* hours of van/);
  });

  test('validate_only runs every check and changes nothing', async () => {
    const { id, revision } = await plan();
    const before = await everything();
    const reply = await w.publish({ plan_ids: [id] }, '?validate_only=true');
    expect([reply.status, reply.body.plan_ids]).toEqual([200, [id]]);
    expect((await w.publish({ plan_ids: [id], expected_revision: [{ id, revision: revision + 1 }] }, '?validate_only=true')).status).toBe(409);
    expect(await everything()).toEqual(before);
  });
});

describe('statuses', () => {
  test('of orders without a route are published by themselves', async () => {
    await w.order('loose', 3);
    expect((await w.patchOrder('loose', { status: 'cancelled' })).body).toMatchObject({ status: 'created', pending_status: 'cancelled' });
    const { body } = await w.publish({ order_ids: ['loose'] });
    expect(body).toMatchObject({ plan_ids: [], order_ids: ['loose'] });
    expect(await w.get('/orders/loose')).toMatchObject({ status: 'cancelled', pending_status: null, actual_completed_at: null });
  });

  test('need to be pending, and the order to have no route', async () => {
    await w.order('loose', 3);
    await refused(422, { order_ids: ['loose'] }, /without a pending status/);
    await w.patchOrder('a', { status: 'cancelled' });
    await refused(409, { order_ids: ['a'] }, /has a place in the plan/);
    await w.patchOrder('a', { status: 'created' });
    ok(await w.publishAll());
    await w.patchOrder('a', { status: 'cancelled', scheduled_at: null });
    await refused(409, { order_ids: ['a'] }, /is still in the published plan/);
    ok(await w.publish({ plan_ids: [(await plan()).id], order_ids: ['a'] }));
    expect(await w.get('/orders/a')).toMatchObject({ status: 'cancelled', pending_status: null });
  });

  test('a confirmed cancellation takes the stop out of the plan that is published', async () => {
    ok(await w.publishAll());
    await w.patchOrder('b', { duration_seconds: 900 });
    await w.patchOrder('a', { status: 'cancelled' });
    const { id } = await plan();
    expect(told(await plan())).toEqual(['a 09:00-09:10', 'b 09:30-09:45', 'back 10:00']);
    const body = ok(await w.publish({ plan_ids: [id] }));
    expect(body.plan_ids).toEqual([id]);
    const after = await plan();
    expect([after.id, after.state, after.revision, told(after)]).toEqual([id, 'published', after.published.revision, ['b 09:30-09:45', 'back 10:00']]);
    for (const view of ['planning', 'published']) expect(await w.get(`/orders/a?view=${view}`)).toMatchObject({ status: 'cancelled', pending_status: null, scheduled_at: null });
  });

  test('other pending statuses become live with their plan', async () => {
    await w.patchOrder('a', { status: 'completed' });
    ok(await w.publish({ plan_ids: [(await plan()).id] }));
    expect(await w.get('/orders/a')).toMatchObject({ status: 'completed', pending_status: null, actual_started_at: null, actual_completed_at: null });
  });
});

describe('live work', () => {
  test('an order that changed vehicles is published for both together', async () => {
    ok(await w.publishAll());
    ok(await w.patchOrder('a', { vehicle_id: 'bus' }));
    await refused(409, { plan_ids: [(await plan('bus')).id], acknowledge_warnings: true }, /the order a is still in the published plan .* of van/);
    ok(await w.publishAll());
    expect(await w.get('/orders/a?view=published')).toMatchObject({ vehicle_id: 'bus' });
  });

  test('a version that takes an order in progress away is stale', async () => {
    ok(await w.publishAll());
    ok(await w.patchOrder('a', { scheduled_at: null }));
    await begin('a');
    await refused(409, { plan_ids: [(await plan()).id], acknowledge_warnings: true }, /the order a is in progress/);
  });

  test('a version that puts other work before an order in progress is stale', async () => {
    ok(await w.publishAll());
    ok(await w.patchOrder('a', { scheduled_at: time('10:00') }));
    await begin('a');
    await refused(409, { plan_ids: [(await plan()).id], acknowledge_warnings: true }, /the order a is in progress/);
  });

  test('an administrator may override the status of work in progress', async () => {
    ok(await w.publishAll());
    ok(await w.patchOrder('b', { scheduled_at: time('09:40') }));
    await begin('a');
    ok(await w.patchOrder('a', { status: 'cancelled' }));
    ok(await w.publishAll());
    expect(await w.get('/orders/a')).toMatchObject({ status: 'cancelled' });
    expect(told(await plan())).toEqual(['b 09:40-09:50', 'back 10:05']);
  });
});

describe('deleting plans', () => {
  const remove = async (id: string): Promise<number> => (await w.admin.delete(`${w.path}/plans/${id}`)).status;

  test('a current one stays, a superseded one goes, a published one goes when its work is done', async () => {
    const first = await plan();
    expect(await remove(first.id)).toBe(409);
    ok(await w.publishAll());
    expect(await remove(first.id)).toBe(409);
    ok(await w.patchOrder('a', { scheduled_at: time('10:00') }));
    ok(await w.publish({ plan_ids: [(await plan()).id] }));
    expect(await remove(first.id)).toBe(204);
    expect(await w.get(`/plans/${first.id}?record_status=deleted`)).toMatchObject({ state: 'superseded' });
    const second = await plan();
    await w.sql(`update orders set status = 'completed' where business_id = $1 and id in ('a', 'b')`, [w.id]);
    expect(await remove(second.id)).toBe(204);
    expect(await remove(second.id)).toBe(404);
  });

  test('plans are not written directly', async () => {
    const present = await plan();
    const body = { id: 'mine', vehicle_id: 'van', revision: 1, state: 'planning', stops: [] };
    for (const reply of [await w.admin.post(`${w.path}/plans`, body), await w.admin.patch(`${w.path}/plans/${present.id}`, { warnings: [] }), await w.admin.put(`${w.path}/plans/${present.id}`, body)]) {
      expect([reply.status, reply.body.error.message]).toEqual([422, expect.stringContaining('they can not be written directly')]);
    }
    expect(await plan()).toEqual(present);
  });
});

describe('an order that has moved to a draft of another vehicle', () => {
  beforeEach(async () => {
    ok(await w.publishAll());
    ok(await w.patchOrder('a', { vehicle_id: 'bus', scheduled_at: time('10:00') }));
  });
  const leaveOut = async () => ({ plan_ids: [(await plan('van')).id] });

  test('is nobody\'s where only the plan that loses it is published, which has to be acknowledged', async () => {
    await refused(409, await leaveOut(), /a leaves the published plan of van, but the plan of bus that has it now is not published with it/);
    ok(await w.publish({ ...(await leaveOut()), acknowledge_warnings: true }));
    expect(await w.get('/orders/a?view=published')).toMatchObject({ scheduled_at: null, vehicle_id: null });
    expect(ok(await w.publish({ plan_ids: [(await plan('bus')).id] })).acknowledged_warnings).toEqual([]);
  });

  test('leaves that draft too when it is cancelled', async () => {
    ok(await w.patchOrder('a', { status: 'cancelled' }));
    ok(await w.publish(await leaveOut()));
    expect(await w.get('/orders/a')).toMatchObject({ status: 'cancelled', scheduled_at: null });
    expect(told(await plan('bus'))).toEqual(['c 09:00-09:10', 'back 09:15']);
  });
});

describe('a driver of two vehicles', () => {
  beforeEach(async () => {
    await w.driver('dana');
    for (const van of ['van', 'bus']) ok(await w.admin.patch(`${w.path}/vehicles/${van}`, { driver_id: 'dana' }));
    ok(await w.patchOrder('c', { scheduled_at: time('11:00') }));
    ok(await w.patchOrder('a', { scheduled_at: time('09:05') }));
    ok(await w.publishAll());
    // The two change places in the drafts: beside one another these are right.
    ok(await w.patchOrder('c', { scheduled_at: time('08:30') }));
    for (const [id, at] of [['a', '11:00'], ['b', '11:30']]) ok(await w.patchOrder(id, { scheduled_at: time(at) }));
    ok(await w.patchOrder('c', { scheduled_at: time('08:35') }));
  });

  test('is not in two places when one of their drafts is published without the other', async () => {
    const { van } = await w.plans();
    expect(van.warnings).toEqual([]);
    await refused(409, { plan_ids: [van.id] }, /driver dana .* the plan of bus on 2026-03-02/);
  });

  test('is where the drafts say when both are published', async () => {
    const { van, bus } = await w.plans();
    expect(ok(await w.publish({ plan_ids: [van.id, bus.id] })).acknowledged_warnings).toEqual([]);
  });
});

test('an order that is cancelled while its plan is published is in one of the two: the plan, or the cancellation', async () => {
  const db = new pg.Client({ connectionString: service.databaseUrl });
  await db.connect();
  try {
    const { id, revision } = await plan();
    const order = await w.get('/orders/a');
    // As the edit of an administrator who has come first and is not done yet.
    await db.query('begin');
    await db.query(`update orders set pending_status = 'cancelled', pending_from = 'created', revision = revision + 1 where business_id = $1 and id = 'a'`, [w.id]);
    const stale = w.publish({ plan_ids: [id], expected_revision: [{ id, revision }, { id: 'a', revision: order.revision }] });
    expect(await waitsForLock(db, stale)).toBe(true);
    const pending = w.publish({ plan_ids: [id], expected_revision: [{ id, revision }] });
    await db.query('commit');
    expect((await stale).body.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('the order a has changed') });
    ok(await pending);
  } finally {
    await db.end();
  }
  expect(told(await plan())).toEqual(['b 09:30-09:40', 'back 09:55']);
  expect(await w.get('/orders/a')).toMatchObject({ status: 'cancelled', scheduled_at: null });
});
