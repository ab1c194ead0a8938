import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { at, clock, hoursOf, lineWorld, time, told, tuesday, type LineWorld } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(() => service.close());

const world = (options?: Parameters<typeof lineWorld>[1]): Promise<LineWorld> => lineWorld(service, options);

describe('a plan of one day', () => {
  test('is the best one, and its times are exact', async () => {
    const w = await world();
    await w.driver('dana');
    await w.vehicle('van', { driver_id: 'dana' });
    await w.order('far', 20);
    await w.order('near', 5, { window_start: time('08:30') });
    await w.order('west', -10, { duration_seconds: 1_200, window_end: time('09:30') });
    const job = await w.plan();
    expect(job.result).toMatchObject({ planned: 3, unplanned: [], metrics: { travel_seconds: 3_600, travel_meters: 30_000, service_seconds: 2_400, wait_seconds: 0, vehicles_used: 1 } });
    const { van } = await w.plans();
    expect(job.result.plan_ids).toEqual([van.id]);
    expect(van).toMatchObject({ state: 'planning', driver_id: 'dana', warnings: [], unplanned_order_ids: [], published: null, received_at: null, job_id: job.id, date: '2026-03-02' });
    const first = van.stops[0];
    expect(first).toMatchObject({ sequence: 1, kind: 'task', driver_id: 'dana', wait_seconds: 0 });
    expect(van.stops.map((stop: { travel_seconds: number }) => stop.travel_seconds).reduce((a: number, b: number) => a + b) + van.return_leg.travel_seconds).toBe(3_600);
    // Each leg begins when the stop before it ends, and takes a minute for each kilometre.
    let leftAt = van.start_at;
    for (const stop of [...van.stops, van.return_leg]) {
      expect(Date.parse(stop.arrival_at) - Date.parse(leftAt)).toBe(stop.travel_seconds * 1_000);
      expect(stop.travel_meters).toBe((stop.travel_seconds / 60) * 500);
      leftAt = stop.departure_at;
    }
    expect(van.end_at).toBe(van.return_leg.arrival_at);
    expect(van.return_leg.location).toEqual(at(0));
  });

  test('leaves late enough not to wait at the first stop, and waits where it must', async () => {
    const w = await world();
    await w.vehicle('van');
    await w.order('a', 10, { window_start: time('09:00'), window_end: time('09:10') });
    await w.order('b', 15, { window_start: time('10:00'), window_end: time('10:20') });
    await w.plan();
    const { van } = await w.plans();
    expect(told(van)).toEqual(['a 09:00-09:10', 'b 10:00-10:10', 'back 10:25']);
    expect(clock(van.start_at)).toBe('08:50');
    expect(van.stops[1]).toMatchObject({ wait_seconds: 2_700, travel_seconds: 300, travel_meters: 2_500 });
  });

  test('keeps the whole service within its window', async () => {
    const w = await world();
    await w.vehicle('van');
    await w.order('exact', 10, { window_start: time('08:05'), window_end: time('08:20') });
    await w.order('short', 12, { window_start: time('08:00'), window_end: time('08:15') });
    const { result } = await w.plan();
    expect(told((await w.plans()).van)).toEqual(['exact 08:10-08:20', 'back 08:30']);
    expect(result.unplanned).toMatchObject([{ order_id: 'short', reason: 'window_too_tight', proved: true }]);
  });

  test('uses the depot that is nearer', async () => {
    const w = await world();
    await w.warehouse('east', 40);
    await w.vehicle('van-0');
    await w.vehicle('van-40', { warehouse_id: 'east' });
    await w.order('a', 3);
    await w.order('b', 38);
    const { result } = await w.plan();
    const plans = await w.plans();
    expect(result.metrics).toMatchObject({ travel_seconds: 600, vehicles_used: 2 });
    expect([plans['van-0'], plans['van-40']].map((plan) => plan.stops.map((stop: { order_id: string }) => stop.order_id))).toEqual([['a'], ['b']]);
    expect(plans['van-40'].return_leg.location).toEqual(at(40));
  });

  test('serves what is for one vehicle with that one only', async () => {
    const w = await world();
    await w.driver('dana');
    await w.driver('emil');
    await w.vehicle('van-1', { driver_id: 'dana' });
    await w.vehicle('van-2', { driver_id: 'emil' });
    await w.order('a', 5, { vehicle_id: 'van-1' });
    await w.order('b', 6, { driver_id: 'emil' });
    await w.plan();
    const plans = await w.plans();
    expect(told(plans['van-1'])).toEqual([expect.stringMatching(/^a /), expect.any(String)]);
    expect(told(plans['van-2'])).toEqual([expect.stringMatching(/^b /), expect.any(String)]);
  });
});

describe('shifts', () => {
  test('several days are planned together, one plan for each', async () => {
    const w = await world();
    await w.vehicle('van');
    await w.order('mon', 5, { window_end: time('09:00') });
    await w.order('tue', 5, { window_start: time('08:00', tuesday), window_end: time('09:00', tuesday) });
    const { result } = await w.plan({ date_end: tuesday });
    const plans = await w.plans();
    expect(Object.keys(plans).sort()).toEqual(['van', 'van 2026-03-03']);
    expect(result.plan_ids.toSorted()).toEqual(Object.values(plans).map((plan) => plan.id).sort());
    expect(plans['van 2026-03-03'].stops[0].order_id).toBe('tue');
  });

  test('a night shift belongs to the date on which it begins', async () => {
    const w = await world();
    await w.vehicle('van', { hours: ['20:00-04:00'] });
    await w.order('late', 10, { window_start: time('23:50'), window_end: time('00:20', tuesday) });
    await w.order('small', 20, { window_start: time('02:00', tuesday), window_end: time('02:30', tuesday) });
    await w.plan();
    const plans = await w.plans();
    expect(Object.keys(plans)).toEqual(['van']);
    expect(told(plans.van)).toMatchObject([/^late /, /^small 02:/, /^back 02:/].map((pattern) => expect.stringMatching(pattern)));
    expect(plans.van.date).toBe('2026-03-02');
    expect(plans.van.end_at > '2026-03-03T01:00:00Z').toBe(true);
  });

  const split = ['08:00-10:00', '12:00-16:00'];

  test('a split shift with return_to_warehouse is at the warehouse in its gap', async () => {
    const w = await world();
    await w.vehicle('van', { working_hours: { ...hoursOf(split), gap_policy: 'return_to_warehouse' } });
    await w.order('a', 10, { window_start: time('09:00'), window_end: time('09:10') });
    await w.order('b', 10, { window_start: time('12:10'), window_end: time('12:30') });
    await w.plan();
    const { van } = await w.plans();
    expect(told(van)).toEqual(['a 09:00-09:10', 'warehouse 10:00-12:00', 'b 12:10-12:20', 'back 12:30']);
    expect(van.stops[1]).toMatchObject({ kind: 'warehouse', location: at(0), travel_seconds: 600, wait_seconds: 0 });
    expect(clock(van.stops[1].arrival_at)).toBe('09:20');
    expect(van.stops[1].order_id).toBeUndefined();
  });

  test('with wait it stands at a stop for the gap', async () => {
    const w = await world();
    await w.vehicle('van', { working_hours: { ...hoursOf(split), gap_policy: 'wait' } });
    await w.order('a', 10, { window_start: time('09:00'), window_end: time('09:10') });
    await w.order('b', 10, { window_start: time('12:10'), window_end: time('12:30') });
    await w.plan();
    const { van } = await w.plans();
    expect(told(van)).toEqual(['a 09:00-09:10', 'b 12:10-12:20', 'back 12:30']);
    expect(van.stops[1]).toMatchObject({ travel_seconds: 0 });
  });

  test('neither service nor travel spans a gap', async () => {
    const w = await world();
    await w.vehicle('van', { working_hours: { ...hoursOf(split), gap_policy: 'wait' } });
    await w.order('spans', 10, { duration_seconds: 3_600, window_start: time('09:30'), window_end: time('12:30') });
    const { result } = await w.plan();
    expect(result.unplanned).toMatchObject([{ order_id: 'spans', reason: 'outside_working_hours' }]);
  });

  test('what is done on the day of an override keeps to it', async () => {
    const w = await world();
    await w.vehicle('van', { working_hours: hoursOf(['08:00-16:00'], { '2026-03-02': ['14:00-15:00'] }) });
    await w.order('a', 10);
    await w.plan();
    expect(told((await w.plans()).van)).toEqual(['a 14:10-14:20', 'back 14:30']);
  });
});

describe('breaks and drivers', () => {
  test('a break is taken by its own vehicle', async () => {
    const w = await world();
    await w.vehicle('van-1');
    await w.vehicle('van-2');
    await w.order('pause', 0, { type: 'break', vehicle_id: 'van-2', duration_seconds: 1_800, window_start: time('12:00'), window_end: time('13:00') });
    await w.order('a', 5);
    await w.plan();
    const { 'van-2': plan } = await w.plans();
    expect(plan.stops.find((stop: { kind: string }) => stop.kind === 'break')).toMatchObject({ order_id: 'pause' });
  });

  test('after a handover the replacement drives, and neither driver is taken twice', async () => {
    const w = await world();
    for (const id of ['dana', 'emil']) await w.driver(id);
    await w.vehicle('van', { driver_id: 'dana' });
    await w.vehicle('bus', { driver_id: 'emil', hours: ['10:00-16:00'] });
    await w.order('handover', 5, { type: 'break', vehicle_id: 'van', duration_seconds: 900, window_start: time('12:00'), window_end: time('12:15'), replacement_driver_id: 'emil' });
    await w.order('before', 6, { vehicle_id: 'van', window_end: time('11:00') });
    await w.order('after', 7, { vehicle_id: 'van', window_start: time('13:00') });
    await w.order('clash', 1, { vehicle_id: 'bus', window_start: time('12:00'), window_end: time('12:20') });
    const { result } = await w.plan();
    const { van } = await w.plans();
    expect(van.stops.map((stop: { order_id: string; driver_id: string }) => [stop.order_id, stop.driver_id])).toEqual([['before', 'dana'], ['handover', 'dana'], ['after', 'emil']]);
    expect(van.driver_id).toBe('dana');
    expect(result.unplanned).toMatchObject([{ order_id: 'clash' }]);
    expect((await w.get('/orders/after')).driver_id).toBe('emil');
  });

  test('a driver rests between two shifts, also when the other one is planned already', async () => {
    const w = await world({ settings: { planning: { min_rest_seconds: 11 * 3_600 } } });
    await w.driver('dana');
    await w.vehicle('van', { driver_id: 'dana', hours: ['06:00-23:00'] });
    await w.order('late', 10, { window_start: time('21:40'), window_end: time('21:50') });
    await w.plan();
    await w.order('early', 10, { window_start: time('06:00', tuesday), window_end: time('10:00', tuesday) });
    await w.plan({ date_start: tuesday, date_end: tuesday });
    const plans = await w.plans();
    expect(told(plans.van)).toEqual(['late 21:40-21:50', 'back 22:00']);
    expect(clock(plans['van 2026-03-03'].start_at)).toBe('09:00');
    await w.order('earlier', 10, { window_start: time('06:00', tuesday), window_end: time('08:00', tuesday) });
    const { result } = await w.plan({ date_start: tuesday, date_end: tuesday });
    expect(result.unplanned).toMatchObject([{ order_id: 'earlier', reason: 'locked_conflict', proved: true }]);
  });
});
