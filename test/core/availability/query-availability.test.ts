import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { at, clock, hoursOf, lineWorld, ok, time, told, type LineWorld } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(() => service.close());

/** A Monday that has not passed. */
const day = '2031-03-03';
const t = (hourAndMinute: string, date = day): string => time(hourAndMinute, date);
const window = (from: string, to: string, date = day) => ({ start: t(from, date), end: t(to, date) });

type Asked = Record<string, unknown>;
const query = (w: LineWorld, minute: number, body: Asked = {}) => w.admin.post(`${w.path}/availability`, { start: t('00:00'), end: t('23:59'), location: at(minute), duration_seconds: 600, ...body });

/** What is said of each window: when the service would start, or why it does not fit. */
async function said(w: LineWorld, minute: number, windows: { start: string; end: string }[], body: Asked = {}): Promise<string[]> {
  const { windows: answers } = ok(await query(w, minute, { candidate_windows: windows, ...body }));
  const found: string[] = [];
  for (const answer of answers) {
    if (!answer.available) found.push(answer.reason);
    else {
      const { vehicle_id: vehicle, scheduled_at: startsAt } = await w.get(`/reservations/${answer.reservation_id}`);
      found.push(`${vehicle} ${clock(startsAt)}`);
    }
  }
  return found;
}

const planDay = (w: LineWorld, request: Asked = {}) => w.plan({ date_start: day, date_end: day, ...request });
const orderOn = (w: LineWorld, id: string, minute: number, fields: Asked = {}) => w.order(id, minute, { window_start: t('08:00'), window_end: t('16:00'), ...fields });

describe('windows', () => {
  test('candidates come back as they were sent, in their order', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    const candidates = [{ start: '2031-03-03T13:00:00+01:00', end: '2031-03-03T15:00:00.000+01:00' }, { start: '2031-03-03T08:00:00Z', end: '2031-03-03T09:00:00Z' }];
    const { windows, group_id: group } = ok(await query(w, 5, { candidate_windows: candidates }));
    expect(windows.map(({ start, end }: Asked) => ({ start, end }))).toEqual(candidates);
    expect(windows.map(({ available }: Asked) => available)).toEqual([true, true]);
    const { items } = await w.get(`/reservations?group_id=${group}`);
    expect(items.map(({ id }: Asked) => id).toSorted()).toEqual(windows.map(({ reservation_id: id }: Asked) => id).toSorted());
  });

  test('discovery lays windows of duration and gap end to end and drops what is left over', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    const { windows } = ok(await query(w, 5, { start: t('07:00'), end: t('10:20'), gap_seconds: 3_000 }));
    expect(windows.map(({ start, end, available }: any) => `${clock(start)}-${clock(end)} ${available}`)).toEqual(['07:00-08:00 false', '08:00-09:00 true', '09:00-10:00 true']);
    expect(ok(await query(w, 5, { start: t('09:00'), end: t('09:20'), gap_seconds: 0 })).windows).toHaveLength(2);
    expect(ok(await query(w, 5, { start: t('09:00'), end: t('09:05'), gap_seconds: 0 })).windows).toEqual([]);
  });

  test('what can not be asked is refused by name', async () => {
    const w = await lineWorld(service);
    const paths = async (body: Asked) => {
      const reply = await query(w, 5, body);
      return [reply.status, ...(reply.body.error.details ?? []).map(({ path }: { path: string }) => path)];
    };
    expect(await paths({})).toEqual([422, '/gap_seconds']);
    expect(await paths({ gap_seconds: -1 })).toEqual([422, '/gap_seconds']);
    expect(await paths({ gap_seconds: 0, duration_seconds: 0 })).toEqual([422, '/duration_seconds']);
    expect(await paths({ gap_seconds: 0, end: t('00:00') })).toEqual([422, '/end']);
    expect(await paths({ gap_seconds: 0, duration_seconds: 60 })).toEqual([422, '/end']);
    expect(await paths({ candidate_windows: [window('08:00', '09:00'), window('09:00', '09:00')] })).toEqual([422, '/candidate_windows/1/end']);
    expect(await paths({ candidate_windows: [{ start: t('08:00'), end: '2031-09-03T08:00:00Z' }], end: '2031-12-03T08:00:00Z' })).toEqual([422, '/end']);
  });

  test('one that is not within start and end, has passed or is too short is not available', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    expect(await said(w, 5, [window('08:00', '09:00'), window('08:30', '10:00'), window('09:00', '09:09')], { start: t('08:30') })).toEqual(['window_outside_dates', 'van 08:30', 'window_too_tight']);
    expect(await said(w, 5, [window('08:00', '12:00', '2024-03-04')], { start: '2024-03-01T00:00:00Z' })).toEqual(['window_outside_dates']);
  });

  test('without a road network there is no answer', async () => {
    const w = await lineWorld(service);
    ok(await w.admin.post(`${w.path}/scenarios/line/deactivate`));
    expect((await query(w, 5, { gap_seconds: 600 })).status).toBe(503);
  });
});

describe('an empty vehicle', () => {
  test('is there in time, serves wholly within the window and is back within its hours', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    // Twenty minutes away: there at 08:20 at the earliest, to be left at 15:40 at the latest.
    expect(await said(w, 20, [window('08:00', '08:30'), window('08:00', '08:29'), window('15:30', '16:00'), window('15:31', '16:00'), window('05:00', '08:00')]))
      .toEqual(['van 08:20', 'window_too_tight', 'van 15:30', 'window_too_tight', 'outside_working_hours']);
  });

  test('nobody, no road', async () => {
    const w = await lineWorld(service, { islandAt: 5 });
    expect(await said(w, 5, [window('08:00', '12:00')])).toEqual(['no_eligible_vehicle']);
    await w.vehicle('van');
    expect(await said(w, 5, [window('08:00', '12:00')], { location: { latitude: 52.5, longitude: at(5).longitude } })).toEqual(['unreachable']);
  });

  test('every vehicle is looked at, and the one that travels least is taken', async () => {
    const w = await lineWorld(service);
    await w.warehouse('east', 30);
    await w.vehicle('west-van');
    await w.vehicle('east-van', { warehouse_id: 'east' });
    await w.vehicle('night-van', { hours: ['22:00-04:00'] });
    expect(await said(w, 20, [window('09:00', '10:00'), window('22:00', '23:30')])).toEqual(['east-van 09:00', 'night-van 22:20']);
    expect(await said(w, 10, [window('09:00', '10:00')])).toEqual(['west-van 09:00']);
    // The night runs on past midnight.
    expect(await said(w, 10, [window('02:00', '03:30', '2031-03-04')], { end: t('12:00', '2031-03-04') })).toEqual(['night-van 02:00']);
  });

  test('spends a gap as its policy says', async () => {
    const w = await lineWorld(service);
    await w.vehicle('home', { hours: ['08:00-10:00', '11:00-16:00'] });
    // Back at ten, out again at eleven: thirty minutes away nothing ends after 09:30 or starts before 11:30.
    expect(await said(w, 30, [window('09:20', '09:30'), window('09:25', '09:40'), window('10:00', '11:40'), window('10:00', '11:39')])).toEqual(['home 09:20', 'window_too_tight', 'home 11:30', 'window_too_tight']);
    ok(await w.admin.patch(`${w.path}/vehicles/home`, { working_hours: { ...hoursOf(['08:00-10:00', '11:00-16:00']), gap_policy: 'wait' } }));
    expect(await said(w, 30, [window('09:25', '10:00'), window('10:00', '11:10')])).toEqual(['home 09:25', 'home 11:00']);
  });
});

describe('a planned vehicle', () => {
  /** Twenty minutes east from 09:00 and from 12:00 on, an hour each; between them nothing. */
  async function busy(fields: Asked = {}): Promise<LineWorld> {
    const w = await lineWorld(service);
    await w.vehicle('van');
    await orderOn(w, 'a', 20, { duration_seconds: 3_600, window_start: t('09:00'), window_end: t('10:30'), ...fields });
    await orderOn(w, 'b', 20, { duration_seconds: 3_600, window_start: t('12:00'), window_end: t('13:00'), ...fields });
    await planDay(w);
    return w;
  }

  test('has room between its stops, travel included', async () => {
    const w = await busy();
    expect(told((await w.plans())[`van ${day}`])).toEqual(['a 09:00-10:00', 'b 12:00-13:00', 'back 13:20']);
    // At 30, ten minutes on: 10:10 to 11:50.
    expect(await said(w, 30, [window('10:10', '10:20'), window('10:09', '10:19'), window('11:40', '11:50'), window('11:41', '11:51')])).toEqual(['van 10:10', 'capacity', 'van 11:40', 'capacity']);
  });

  test('lets others wait where their windows allow it, but not under schedule_lock', async () => {
    const w = await busy();
    // On the spot: before a, when a begins at 09:30.
    expect(await said(w, 20, [window('09:00', '09:10'), window('09:20', '09:30'), window('09:21', '09:31')])).toEqual(['van 09:00', 'van 09:20', 'capacity']);
    expect(await said(w, 20, [window('08:50', '09:00'), window('09:00', '09:10'), window('10:00', '10:10')], { schedule_lock: true })).toEqual(['van 08:50', 'locked_conflict', 'van 10:00']);
  });

  test('keeps what an administrator has put at a time', async () => {
    const w = await busy();
    ok(await w.patchOrder('a', { scheduled_at: t('09:15') }));
    expect(await said(w, 20, [window('09:05', '09:15'), window('09:10', '09:20')])).toEqual(['van 09:05', 'locked_conflict']);
  });

  test('does not move to another vehicle', async () => {
    const w = await busy();
    await w.vehicle('other', { hours: ['12:00-16:00'] });
    // Were a on the other van in the afternoon, the van were free; but nothing is moved.
    for (const locks of [{}, { assignment_lock: true }]) expect(await said(w, 0, [window('09:00', '09:30')], { duration_seconds: 1_800, ...locks })).toEqual(['capacity']);
  });

  test('its breaks are kept, and the driver of another plan is busy', async () => {
    const w = await lineWorld(service, { settings: { planning: { min_rest_seconds: 39_600 } } });
    await w.driver('dora');
    await w.vehicle('van', { driver_id: 'dora', hours: ['08:00-22:00'] });
    await orderOn(w, 'rest', 0, { type: 'break', vehicle_id: 'van', duration_seconds: 7_200, window_start: t('11:00'), window_end: t('13:00') });
    await w.order('early', 10, { window_start: t('08:10', '2031-03-04'), window_end: t('08:20', '2031-03-04') });
    await w.plan({ date_start: day, date_end: '2031-03-04' });
    // The rest of eleven hours before 08:00 on Tuesday begins at nine in the evening.
    expect(await said(w, 0, [window('11:00', '13:00'), window('12:30', '13:10'), window('20:50', '21:00'), window('20:51', '21:30')])).toEqual(['capacity', 'van 13:00', 'van 20:50', 'locked_conflict']);
  });

  test('tentative reservations block nobody', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van');
    const exact = [window('09:00', '09:10')];
    for (let i = 0; i < 3; i++) expect(await said(w, 5, exact)).toEqual(['van 09:00']);
  });

  test('the answer follows each change of the plans, the hours and the roads', async () => {
    const w = await busy();
    const asked = [window('10:10', '10:20')];
    expect(await said(w, 30, asked)).toEqual(['van 10:10']);
    await w.order('c', 20, { duration_seconds: 3_600, window_start: t('10:00'), window_end: t('11:00'), vehicle_id: 'van', scheduled_at: t('10:00') });
    expect(await said(w, 30, asked)).toEqual(['locked_conflict']);
    ok(await w.patchOrder('c', { scheduled_at: null }));
    expect(await said(w, 30, asked)).toEqual(['van 10:10']);
    ok(await w.admin.patch(`${w.path}/warehouses/depot`, { location: at(60) }));
    expect(await said(w, 30, [window('08:05', '08:40')])).toEqual(['van 08:30']);
    ok(await w.admin.patch(`${w.path}/vehicles/van`, { working_hours: hoursOf([]) }));
    expect(await said(w, 30, asked)).toEqual(['outside_working_hours']);
  });

  test('an order that was begun early is where the vehicle goes on from', async () => {
    const w = await busy();
    ok(await w.publishAll());
    await w.sql(`update orders set status = 'completed', actual_started_at = $2, actual_completed_at = $3 where business_id = $1 and id = 'a'`, [w.id, t('08:20'), t('08:40')]);
    // Done at 08:40, twenty minutes east: at 30 from 08:50 on.
    expect(await said(w, 30, [window('08:40', '09:00'), window('08:40', '08:59')])).toEqual(['van 08:50', 'window_too_tight']);
  });
});
