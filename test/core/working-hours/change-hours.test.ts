import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hoursOf, lineWorld, ok, time, told, type LineWorld } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(() => service.close());

const day = '2031-03-03';
const next = '2031-03-04';
const t = (hourAndMinute: string, date = day): string => time(hourAndMinute, date);

type Fields = Record<string, unknown>;
const exactly = (at: string, date = day) => ({ window_start: t(at, date), window_end: t(`${at.slice(0, 3)}${String(Number(at.slice(3)) + 10).padStart(2, '0')}`, date) });

/** Twenty minutes east at nine, twelve and three, ten minutes each. */
async function planned(hours = ['08:00-16:00']): Promise<LineWorld> {
  const w = await lineWorld(service);
  await w.vehicle('van', { hours });
  for (const [id, at] of [['a', '09:00'], ['b', '12:00'], ['c', '15:00']]) await w.order(id, 20, exactly(at));
  await w.plan({ date_start: day, date_end: day });
  return w;
}

const preview = (w: LineWorld, hours: object, fields: Fields = {}) => w.admin.post(`${w.path}/working-hours/preview`, { vehicle_id: 'van', working_hours: hours, ...fields });
const apply = (w: LineWorld, hours: object, fields: Fields, parameters = '') => w.admin.post(`${w.path}/working-hours/apply${parameters}`, { vehicle_id: 'van', working_hours: hours, accepted: true, ...fields });

/** Previews, applies, and tells who was affected and what is left of the day. */
async function changed(w: LineWorld, hours: object): Promise<{ affected: string[]; left: string[]; warnings: string[] }> {
  const seen = ok(await preview(w, hours));
  const done = ok(await apply(w, hours, { vehicle_revision: seen.vehicle_revision, preview_epoch: seen.preview_epoch }));
  expect(done.affected_order_ids).toEqual(seen.affected_order_ids);
  expect(done.warnings).toEqual(seen.warnings);
  expect(done.affected_orders.map(({ id, scheduled_at: at }: Fields) => [id, at])).toEqual(done.affected_order_ids.map((id: string) => [id, null]));
  expect([done.vehicle_revision, done.preview_epoch]).toEqual([seen.vehicle_revision + 1, seen.preview_epoch + 1]);
  return { affected: done.affected_order_ids, left: told((await w.plans())[`van ${day}`]), warnings: done.warnings };
}

const epochOf = async (w: LineWorld): Promise<number> => (await w.get('')).preview_epoch;

describe('who is affected', () => {
  test('an order that is served after the end', async () => {
    expect(await changed(await planned(), hoursOf(['08:00-14:00']))).toEqual({ affected: ['c'], left: ['a 09:00-09:10', 'b 12:00-12:10', 'back 12:30'], warnings: [] });
  });

  test('an order from which the way home takes too long', async () => {
    const w = await planned();
    expect((await changed(w, hoursOf(['08:00-12:29']))).affected).toEqual(['b', 'c']);
    expect((await changed(await planned(), hoursOf(['08:00-12:30']))).affected).toEqual(['c']);
  });

  test('an order to which the way takes too long', async () => {
    expect((await changed(await planned(), hoursOf(['08:41-16:00']))).affected).toEqual(['a']);
    expect((await changed(await planned(), hoursOf(['08:40-16:00']))).affected).toEqual([]);
  });

  test('an order in a new gap; the others are driven around it', async () => {
    expect(await changed(await planned(), hoursOf(['08:00-11:50', '12:50-16:00']))).toEqual({ affected: ['b'], left: ['a 09:00-09:10', 'warehouse 11:50-12:50', 'c 15:00-15:10', 'back 15:30'], warnings: [] });
  });

  test('all of a day off; and that day alone', async () => {
    const w = await planned();
    await w.order('tuesday', 20, exactly('09:00', next));
    await w.plan({ date_start: next, date_end: next });
    expect(await changed(w, hoursOf(['08:00-16:00'], { [day]: [] }))).toEqual({ affected: ['a', 'b', 'c'], left: [], warnings: [] });
    expect(told((await w.plans())[`van ${next}`])).toEqual(['tuesday 09:00-09:10', 'back 09:30']);
  });

  test('what the night before carries over into an overridden date', async () => {
    const w = await lineWorld(service);
    await w.vehicle('van', { hours: ['22:00-04:00'] });
    await w.order('early', 20, { ...exactly('23:00') });
    await w.order('late', 20, exactly('02:00', next));
    await w.plan({ date_start: day, date_end: day });
    expect(told((await w.plans())[`van ${day}`])).toEqual(['early 23:00-23:10', 'late 02:00-02:10', 'back 02:30']);
    expect((await changed(w, hoursOf(['22:00-04:00'], { [next]: ['22:00-23:00'] })))).toMatchObject({ affected: ['late'], left: ['early 23:00-23:10', 'back 23:30'] });
  });

  test('nobody where the hours grow, and no new version is made', async () => {
    const w = await planned();
    const [before] = (await w.get('/plans')).items;
    expect((await changed(w, hoursOf(['06:00-20:00']))).affected).toEqual([]);
    expect((await w.get('/plans')).items).toEqual([before]);
  });

  test('an order that did not fit the old hours either stays where somebody has put it', async () => {
    const w = await planned();
    ok(await w.patchOrder('c', { scheduled_at: t('18:00') }));
    expect((await changed(w, hoursOf(['08:00-15:00']))).affected).toEqual([]);
  });
});

describe('what an application leaves alone', () => {
  test('work in progress, what drivers see, and the choice of a vehicle', async () => {
    const w = await planned();
    ok(await w.publishAll());
    await w.sql(`update orders set status = 'in_progress', actual_started_at = $2 where business_id = $1 and id = 'a'`, [w.id, t('09:00')]);
    const { affected, warnings } = await changed(w, hoursOf([]));
    expect(affected).toEqual(['b', 'c']);
    expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining('what it has begun there stays'), expect.stringContaining('drivers see the published plan')]));
    const plan = (await w.plans())[`van ${day}`];
    expect(plan.stops.map(({ order_id: id }: Fields) => id)).toEqual(['a']);
    expect(plan.published.stops.map(({ order_id: id }: Fields) => id)).toEqual(['a', 'b', 'c']);
    expect(await w.get('/orders/b?view=published')).toMatchObject({ scheduled_at: expect.anything(), vehicle_id: 'van' });
    expect(await w.get('/orders/a')).toMatchObject({ status: 'in_progress', scheduled_at: expect.anything() });
  });

  test('a preview and a dry run change nothing', async () => {
    const w = await planned();
    const all = () => Promise.all(['', '/plans', '/orders', '/vehicles'].map((path) => w.get(path)));
    const before = await all();
    const seen = ok(await preview(w, hoursOf([])));
    expect(seen).toMatchObject({ affected_order_ids: ['a', 'b', 'c'], vehicle_revision: 1, preview_epoch: before[0].preview_epoch });
    expect(seen.affected_orders.map(({ scheduled_at: at }: Fields) => at)).toEqual(['08:00', '11:00', '14:00'].map((at) => `${day}T${at}:00Z`));
    expect(ok(await apply(w, hoursOf([]), { vehicle_revision: 1, preview_epoch: seen.preview_epoch }, '?validate_only=true'))).toEqual(seen);
    expect(await all()).toEqual(before);
  });

  test('freed time can be had at once', async () => {
    const w = await planned();
    await changed(w, hoursOf(['10:00-16:00']));
    const { windows } = ok(await w.admin.post(`${w.path}/availability`, { start: t('00:00'), end: t('23:00'), location: { latitude: 52, longitude: 13.2 }, duration_seconds: 600, candidate_windows: [{ start: t('10:20'), end: t('10:30') }] }));
    expect(windows[0].available).toBe(true);
  });
});

describe('what is refused', () => {
  test('a stale revision, a stale epoch, and what nobody has accepted', async () => {
    const w = await planned();
    const hours = hoursOf(['08:00-14:00']);
    const { vehicle_revision: revision, preview_epoch: epoch } = ok(await preview(w, hours));
    const refused = async (fields: Fields, parameters = '') => (await apply(w, hours, { vehicle_revision: revision, preview_epoch: epoch, ...fields }, parameters)).status;
    for (const parameters of ['', '?validate_only=true']) {
      expect(await refused({ accepted: false }, parameters)).toBe(422);
      expect(await refused({ vehicle_revision: revision + 1 }, parameters)).toBe(409);
      expect(await refused({ preview_epoch: epoch - 1 }, parameters)).toBe(409);
      expect(await refused({ vehicle_id: 'nobody' }, parameters)).toBe(404);
    }
    ok(await w.patchOrder('c', { scheduled_at: null }));
    expect(await refused({})).toBe(409);
    expect((await w.get('/vehicles/van')).revision).toBe(revision);
  });

  test('hours that contradict themselves, by name', async () => {
    const w = await planned();
    const reply = await preview(w, { weekly: { 0: [{ start: '08:00', end: '12:00' }, { start: '11:00', end: '25:00' }] }, overrides: { someday: [] } });
    expect([reply.status, ...reply.body.error.details.map(({ path }: { path: string }) => path)]).toEqual([422, '/working_hours/weekly/0/1/end', '/working_hours/overrides/someday']);
  });
});

test('each committed change moves the epoch by one, however much it does', async () => {
  const w = await planned();
  const start = await epochOf(w);
  ok(await w.admin.post(`${w.path}/orders/batch`, { items: ['13:00', '14:00'].map((at, index) => ({ id: `d${index}`, location: { latitude: 52, longitude: 13.2 }, duration_seconds: 600, ...exactly(at), vehicle_id: 'van', scheduled_at: t(at) })) }));
  expect(await epochOf(w)).toBe(start + 1);
  ok(await w.admin.patch(`${w.path}/vehicles/van`, { working_hours: hoursOf(['07:00-17:00']) }));
  expect(await epochOf(w)).toBe(start + 2);
  expect((await w.admin.patch(`${w.path}/orders/d0`, { vehicle_id: 'nobody', scheduled_at: t('13:10') })).status).toBe(422);
  expect(await epochOf(w)).toBe(start + 2);
});

test('hours that are what they were change neither vehicle nor epoch', async () => {
  const w = await planned();
  const { working_hours: hours, revision } = await w.get('/vehicles/van');
  const seen = ok(await preview(w, hours));
  const done = ok(await apply(w, hours, { vehicle_revision: revision, preview_epoch: seen.preview_epoch }));
  expect(done).toEqual({ affected_orders: [], affected_order_ids: [], warnings: [], vehicle_revision: revision, preview_epoch: seen.preview_epoch });
  expect(await epochOf(w)).toBe(seen.preview_epoch);
});
