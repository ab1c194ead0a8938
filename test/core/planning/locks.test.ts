import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lineWorld, time, told, tuesday, type LineWorld, type Plan } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(() => service.close());

const world = (options?: Parameters<typeof lineWorld>[1]): Promise<LineWorld> => lineWorld(service, options);
const served = (plan: Plan): string[] => plan.stops.map((stop: { order_id?: string }) => stop.order_id ?? 'warehouse');
const revisions = async (w: LineWorld): Promise<Record<string, number>> => Object.fromEntries((await w.get('/orders')).items.map((order: { id: string; revision: number }) => [order.id, order.revision]));

describe('what is planned already', () => {
  /** Two stops on each of two vans, by hand in an order that is not the best. */
  async function planned(): Promise<LineWorld> {
    const w = await world();
    await w.vehicle('van');
    await w.order('far', 20, { vehicle_id: 'van', scheduled_at: time('09:00') });
    await w.order('near', 5, { vehicle_id: 'van', scheduled_at: time('10:00') });
    await w.patchOrder('far', { scheduled_at: time('09:00') });
    return w;
  }

  test('stays in its order without include_planned, and new orders come in between', async () => {
    const w = await planned();
    await w.order('between', 12);
    await w.plan();
    expect(served((await w.plans()).van)).toEqual(['far', 'between', 'near']);
  });

  test('keeps a start that an administrator chose', async () => {
    const w = await planned();
    await w.order('between', 12);
    await w.plan();
    expect(told((await w.plans()).van)).toEqual(expect.arrayContaining(['far 09:00-09:10', 'near 10:00-10:10']));
  });

  test('is planned anew with include_planned', async () => {
    const w = await world();
    for (const van of ['van-1', 'van-2']) await w.vehicle(van);
    await w.order('a', 20);
    await w.plan({ vehicle_ids: ['van-2'] });
    expect(served((await w.plans())['van-2'])).toEqual(['a']);
    await w.order('b', 21, { vehicle_id: 'van-1' });
    await w.plan();
    expect(Object.keys(await w.plans()).sort()).toEqual(['van-1', 'van-2']);
    const { result } = await w.plan({ include_planned: true });
    const plans = await w.plans();
    expect(served(plans['van-1']).toSorted()).toEqual(['a', 'b']);
    expect(plans['van-2']).toMatchObject({ stops: [], start_at: null, end_at: null, return_leg: null });
    expect(result.metrics.travel_seconds).toBe(2 * 21 * 60);
  });

  test('keeps its vehicle under assignment_lock', async () => {
    const w = await world();
    for (const van of ['van-1', 'van-2']) await w.vehicle(van);
    await w.order('a', 20);
    await w.plan({ vehicle_ids: ['van-2'] });
    await w.order('b', 21, { vehicle_id: 'van-1' });
    await w.plan({ include_planned: true, assignment_lock: true });
    const plans = await w.plans();
    expect([served(plans['van-1']), served(plans['van-2'])]).toEqual([['b'], ['a']]);
  });

  test('keeps its driver under assignment_lock, whoever has the vehicle by now', async () => {
    const w = await world();
    for (const driver of ['dana', 'emil']) await w.driver(driver);
    await w.vehicle('van', { driver_id: 'dana' });
    await w.order('a', 10);
    await w.plan();
    const { van: before } = await w.plans();
    await w.admin.patch(`${w.path}/vehicles/van`, { driver_id: 'emil' });
    await w.order('b', 12);
    for (const include_planned of [false, true]) {
      expect((await w.plan({ assignment_lock: true, include_planned })).result.unplanned).toMatchObject([{ order_id: 'b' }]);
      expect((await w.plans()).van).toEqual(before);
    }
    await w.plan();
    expect((await w.plans()).van.stops.map((stop: { driver_id: string }) => stop.driver_id)).toEqual(['emil', 'emil']);
  });

  test('keeps its driver under assignment_lock where a new handover would come before it', async () => {
    const w = await world();
    for (const driver of ['dana', 'emil']) await w.driver(driver);
    await w.vehicle('van', { driver_id: 'dana' });
    await w.order('a', 10, { window_start: time('14:00') });
    await w.plan();
    await w.order('pause', 5, { type: 'break', vehicle_id: 'van', replacement_driver_id: 'emil', window_end: time('12:00') });
    for (const include_planned of [false, true]) expect((await w.plan({ assignment_lock: true, include_planned })).result.unplanned).toMatchObject([{ order_id: 'pause' }]);
    expect(await w.get('/orders/a')).toMatchObject({ driver_id: 'dana' });
    expect((await w.plan()).result.unplanned).toEqual([]);
    expect(await w.get('/orders/a')).toMatchObject({ driver_id: 'emil' });
  });

  test('keeps its times and its order under schedule_lock', async () => {
    const w = await world();
    await w.vehicle('van');
    await w.order('a', 20);
    await w.order('b', 10);
    await w.plan();
    const before = told((await w.plans()).van);
    await w.order('c', 30);
    await w.plan({ include_planned: true, schedule_lock: true });
    const after = told((await w.plans()).van);
    expect(after).toEqual(expect.arrayContaining(before.slice(0, 2)));
    expect(after).toHaveLength(4);
  });

  /** Out east twice with a call in the west in between, which costs 100 minutes there and 40 by itself. */
  async function eastWestEast(w: LineWorld): Promise<void> {
    await w.order('east-1', 30, { window_start: time('09:00'), window_end: time('09:10') });
    await w.order('east-2', 30, { window_start: time('11:00'), window_end: time('11:10') });
    await w.order('west', -20, { window_start: time('10:00'), window_end: time('10:10') });
  }

  test('travel first leaves out what costs more than a trip made for it alone', async () => {
    const w = await world();
    await w.vehicle('van');
    await eastWestEast(w);
    const { result } = await w.plan({ objectives: ['travel'] });
    expect(result).toMatchObject({ planned: 2, metrics: { travel_seconds: 3_600 } });
    expect(result.unplanned).toEqual([{ order_id: 'west', reason: 'capacity', proved: false, detail: expect.stringMatching(/^serving it costs 60 min more travel than a trip for it alone/), fix: { kind: 'window_end_later', seconds: 7_200, vehicle_id: 'van', date: '2026-03-02' } }]);
    const everything = await w.plan();
    expect(everything.result).toMatchObject({ planned: 3, metrics: { travel_seconds: 9_600 } });
  });

  test('what is planned is never dropped for travel', async () => {
    const w = await world();
    await w.vehicle('van');
    await eastWestEast(w);
    await w.plan();
    for (const include of [false, true]) {
      const { result } = await w.plan({ objectives: ['travel'], include_planned: include });
      expect(result).toMatchObject({ planned: 3, unplanned: [] });
    }
  });
});

describe('what a run changes', () => {
  test('only orders with another result get a new revision', async () => {
    const w = await world();
    await w.vehicle('van');
    await w.order('a', 10, { window_start: time('08:30'), window_end: time('08:40') });
    await w.plan();
    const before = await revisions(w);
    await w.order('b', 12, { window_start: time('09:00'), window_end: time('09:10') });
    const first = (await w.plans()).van;
    await w.plan();
    const second = (await w.plans()).van;
    expect(second.id).not.toBe(first.id);
    expect((await revisions(w)).a).toBe(before.a);
    expect(await w.get(`/plans/${first.id}`)).toMatchObject({ state: 'superseded' });
    expect(await w.sql(`select count(*)::int as n from plans where business_id = $1 and state = 'planning'`, [w.id])).toEqual([{ n: 1 }]);
    expect(await w.sql('select plan_id from orders where business_id = $1', [w.id])).toEqual([{ plan_id: second.id }, { plan_id: second.id }]);
  });

  test('nothing, where there is nothing to do', async () => {
    const w = await world();
    await w.vehicle('van');
    await w.order('a', 10);
    const first = await w.plan();
    const all = async () => [await w.plans(), await revisions(w), (await w.get('/settings')).preview_epoch];
    const before = await all();
    const second = await w.plan();
    expect(await all()).toEqual(before);
    expect(second.result.plan_ids).toEqual(first.result.plan_ids);
    expect(second.result.planned).toBe(1);
  });

  test('nothing at all, where no vehicle works on the dates', async () => {
    const w = await world();
    await w.vehicle('van', { hours: [] });
    await w.order('a', 10);
    const { result } = await w.plan();
    expect(result).toMatchObject({ plan_ids: [], planned: 0, unplanned: [{ order_id: 'a' }] });
    expect(await w.plans()).toEqual({});
  });

  test('a plan that no longer fits the hours is left alone', async () => {
    const w = await world();
    for (const van of ['van', 'bus']) await w.vehicle(van);
    await w.order('a', 10, { vehicle_id: 'van', window_end: time('09:00') });
    await w.plan();
    const before = (await w.plans()).van;
    await w.admin.patch(`${w.path}/vehicles/van`, { working_hours: { weekly: { 0: [{ start: '13:00', end: '16:00' }] }, overrides: {} } });
    await w.order('b', 12, { window_start: time('14:00') });
    const { result } = await w.plan();
    const plans = await w.plans();
    expect(plans.van).toEqual(before);
    expect(served(plans.bus)).toEqual(['b']);
    expect(result.plan_ids.toSorted()).toEqual([plans.van.id, plans.bus.id].toSorted());
  });

  test.each([
    ['a start that an administrator chose', { scheduled_at: time('06:00') }, {}],
    ['a locked schedule', {}, { schedule_lock: true }],
    ['a locked assignment', {}, { assignment_lock: true }],
  ])('what %s holds is not left out because it fits nowhere', async (_what, fields, request) => {
    const w = await world();
    for (const van of ['van', 'bus']) await w.vehicle(van);
    await w.order('a', 10, { vehicle_id: 'van', ...fields });
    if (!('scheduled_at' in fields)) await w.plan();
    await w.admin.patch(`${w.path}/vehicles/van`, { working_hours: { weekly: { 0: [{ start: '15:30', end: '15:40' }] }, overrides: {} } });
    await w.order('b', 12);
    const before = (await w.plans()).van;
    const { result } = await w.plan({ include_planned: true, ...request });
    const plans = await w.plans();
    expect([plans.van, served(plans.bus), result.unplanned]).toEqual([before, ['b'], []]);
  });

  test('a stop that was put outside of its window by hand does not stand in the way', async () => {
    const w = await world();
    await w.vehicle('van');
    await w.order('a', 10, { window_end: time('09:00'), vehicle_id: 'van', scheduled_at: time('11:00') });
    expect((await w.plans()).van.warnings).toEqual([expect.stringContaining('after its window closes')]);
    await w.order('b', 12);
    await w.plan();
    const { van } = await w.plans();
    expect(told(van)).toContain('a 11:00-11:10');
    expect(served(van)).toEqual(expect.arrayContaining(['a', 'b']));
    expect(van.warnings).toEqual([expect.stringContaining('after its window closes')]);
    await w.plan({ include_planned: true });
    expect(told((await w.plans()).van)).toContain('a 11:00-11:10');
  });
});

describe('what is asked for', () => {
  test('only the dates that are named', async () => {
    const w = await world();
    await w.vehicle('van');
    await w.order('mon', 5, { window_end: time('09:00') });
    await w.order('tue', 5, { window_start: time('08:00', tuesday), window_end: time('09:00', tuesday) });
    await w.order('wed', 5, { window_start: time('08:00', '2026-03-04'), window_end: time('09:00', '2026-03-04') });
    const { result, request } = await w.plan({ date_end: '2026-03-04', dates: ['2026-03-04', '2026-03-02'] });
    expect(request.dates).toEqual(['2026-03-02', '2026-03-04']);
    expect(Object.keys(await w.plans()).sort()).toEqual(['van', 'van 2026-03-04']);
    expect(result.unplanned).toMatchObject([{ order_id: 'tue', reason: 'window_outside_dates' }]);
  });

  test('only the vehicles that are named', async () => {
    const w = await world();
    for (const van of ['van-1', 'van-2']) await w.vehicle(van);
    await w.order('a', 5, { vehicle_id: 'van-1' });
    const { result } = await w.plan({ vehicle_ids: ['van-2'] });
    expect(result.unplanned).toMatchObject([{ order_id: 'a', reason: 'no_eligible_vehicle', proved: true }]);
  });

  test.each([
    ['time', 'van', { travel_seconds: 1_200, travel_meters: 60_000 }],
    ['distance', 'bus', { travel_seconds: 2_400, travel_meters: 20_000 }],
  ])('travel in the metric of the settings: %s', async (metric, vehicle, travel) => {
    // From the depot a fast road leads far around; from the east the way is slow and short.
    const w = await world({ settings: { planning: { travel_metric: metric } }, shortcuts: [{ from: 0, to: 20, seconds: 600, metres: 30_000 }] });
    await w.warehouse('east', 40);
    await w.vehicle('van');
    await w.vehicle('bus', { warehouse_id: 'east' });
    await w.order('a', 20);
    const { result } = await w.plan();
    expect(result.metrics).toMatchObject(travel);
    expect(await w.get('/orders/a')).toMatchObject({ vehicle_id: vehicle });
  });
});
