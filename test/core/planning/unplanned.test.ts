import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hoursOf, lineWorld, time, tuesday, type LineWorld } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let w: LineWorld;
let unplanned: Record<string, { reason: string; proved: boolean; detail: string; fix: object | null }>;
let result: { planned: number };

beforeAll(async () => {
  service = await startService({ workers: true });
  w = await lineWorld(service, { islandAt: 3 });
  await w.vehicle('van', { hours: ['08:00-10:00'] });
  await w.vehicle('idle', { hours: [] });
  const at = (start: string, end: string, minutes = 10) => ({ window_start: time(start), window_end: time(end), duration_seconds: minutes * 60 });
  await w.order('locked', 10, { ...at('08:00', '10:00', 60), vehicle_id: 'van', scheduled_at: time('08:30') });
  await w.order('thursday', 5, { window_start: time('08:00', '2026-03-05'), window_end: time('09:00', '2026-03-05') });
  await w.order('evening', 5, at('18:00', '19:00'));
  await w.order('island', 0, { ...at('08:00', '10:00'), location: { latitude: 52.5, longitude: 13.03 } });
  await w.order('for-idle', 5, { ...at('08:00', '10:00'), vehicle_id: 'idle' });
  await w.order('tight', 12, at('08:05', '08:15'));
  await w.order('blocked', 10, at('08:35', '09:25', 40));
  await w.order('first', 9, at('09:35', '09:55', 15));
  await w.order('second', 9, at('09:35', '09:55', 15));
  ({ result } = await w.plan());
  unplanned = Object.fromEntries((result as never as { unplanned: { order_id: string }[] }).unplanned.map(({ order_id: id, ...rest }) => [id, rest as never]));
});
afterAll(() => service.close());

test.each([
  ['thursday', 'window_outside_dates', true, 'its window lies outside of the dates that were planned'],
  ['evening', 'outside_working_hours', true, 'no vehicle that may serve it works long enough within its window'],
  ['island', 'unreachable', true, 'no road leads to it and back for a vehicle that works within its window'],
  ['for-idle', 'no_eligible_vehicle', true, 'no vehicle may serve it on the requested dates'],
  ['tight', 'window_too_tight', true, 'even an empty vehicle can not be there and back within its window and the working hours'],
  ['blocked', 'locked_conflict', true, 'locked stops and the drivers\' other work leave no room for it'],
])('%s: %s', (id, reason, proved, detail) => {
  expect(unplanned[id]).toMatchObject({ reason, proved, detail: expect.stringMatching(`^${detail}`) });
});

test('of two that exclude each other one is planned, and the other one is told so', () => {
  expect(Number('first' in unplanned) + Number('second' in unplanned)).toBe(1);
  expect(unplanned.first ?? unplanned.second).toMatchObject({ reason: 'capacity', proved: false, detail: expect.stringContaining('taken up by other orders') });
  expect(result.planned).toBe(2);
});

test('a fix names the smallest change, its vehicle and its date', () => {
  expect(unplanned.tight).toMatchObject({ fix: { kind: 'window_end_later', seconds: 420, vehicle_id: 'van', date: '2026-03-02' }, detail: expect.stringMatching(/; fits van on 2 March if the window ends 7 min later$/) });
  expect(unplanned['for-idle']).toMatchObject({ fix: { kind: 'other_vehicle', seconds: 0, vehicle_id: 'van' }, detail: expect.stringMatching(/; fits van on 2 March if any vehicle may serve it$/) });
  expect(unplanned.island.fix).toBeNull();
});

test('a fix that is made works', async () => {
  const { seconds } = unplanned.tight.fix as { seconds: number };
  const later = (more: number) => w.patchOrder('tight', { window_end: new Date(Date.parse(time('08:15')) + more * 1_000).toISOString() });
  await later(seconds - 1);
  expect((await w.plan()).result.unplanned.map(({ order_id: id }: { order_id: string }) => id)).toContain('tight');
  await later(seconds);
  expect((await w.plan()).result.unplanned.map(({ order_id: id }: { order_id: string }) => id)).not.toContain('tight');
});

test('plans of the run carry what it left out', async () => {
  const job = await w.plan({ include_planned: true });
  const { van } = await w.plans();
  expect(van.unplanned_order_ids.toSorted()).toEqual(job.result.unplanned.map(({ order_id: id }: { order_id: string }) => id).toSorted());
});

test('no fix has a vehicle work on into its next shift', async () => {
  const world = await lineWorld(service);
  await world.vehicle('night', { working_hours: hoursOf([], { '2026-03-02': ['23:00-24:00'], [tuesday]: ['00:00-01:00'] }) });
  await world.order('far', 30, { window_start: time('23:00'), window_end: time('01:00', tuesday), duration_seconds: 600 });
  const { result: { unplanned: [far] } } = await world.plan({ date_end: tuesday });
  expect(far).toMatchObject({ order_id: 'far', fix: { kind: 'hours_end_later', seconds: 600, vehicle_id: 'night', date: tuesday } });
});
