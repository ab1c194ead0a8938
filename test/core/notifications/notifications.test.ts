import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inBusiness, openStore, type Store } from '../../../core/db/store.ts';
import { notify } from '../../../core/notifications/notify.ts';
import { createBusiness, keyClient } from '../../support/business.ts';
import { lineWorld, type LineWorld } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let world: LineWorld;
let store: Store;

beforeAll(async () => {
  service = await startService({ workers: true });
  world = await lineWorld(service);
  store = await openStore(service.databaseUrl);
  await world.vehicle('van');
  await world.order('here', 5);
});
afterAll(async () => {
  await store.close();
  await service.close();
});

const list = async (query = '') => (await world.get(`/notifications${query}`)).items;

test('orders that could not be planned are told where the settings ask for it', async () => {
  await world.order('too-far', 60, { window_start: '2026-03-02T08:00:00+01:00', window_end: '2026-03-02T08:20:00+01:00' });
  await world.plan();
  expect(await list()).toEqual([]);
  await world.admin.patch(`${world.path}/settings`, { planning: { notify_unplanned: true } });
  const job = await world.plan();
  expect(await list()).toMatchObject([{ kind: 'unplanned_orders', message: 'The order too-far could not be planned.', data: { job_id: job.id, order_ids: ['too-far'] }, read_at: null, revision: 1 }]);
  await world.admin.delete(`${world.path}/orders/too-far`);
  await world.plan();
  expect(await list()).toHaveLength(1);
});

test('a notification is read once, one by one or all together', async () => {
  const [{ id }] = await list();
  const read = await world.admin.post(`${world.path}/notifications/${id}/read`);
  expect(read.body).toMatchObject({ id, read_at: expect.any(String), revision: 2 });
  expect((await world.admin.post(`${world.path}/notifications/${id}/read`)).body).toEqual(read.body);
  for (const webhook of ['one', 'two']) {
    const em = inBusiness(store.em.fork(), world.id);
    notify(em, world.id, { kind: 'webhook_disabled', message: `The webhook ${webhook} is off.`, data: { webhook_id: webhook } });
    await em.flush();
  }
  expect((await list('?unread=true')).map((each: { message: string }) => each.message)).toEqual(['The webhook one is off.', 'The webhook two is off.']);
  expect(await list('?kind=unplanned_orders&unread=false')).toHaveLength(1);
  expect(await list('?q=TWO')).toHaveLength(1);
  const counts = [await world.admin.post(`${world.path}/notifications/read-all`), await world.admin.post(`${world.path}/notifications/read-all`)];
  expect(counts.map(({ body }) => body.count)).toEqual([2, 0]);
  expect(await list('?unread=true')).toEqual([]);
});

test('they are of one business, and nobody writes them but the service', async () => {
  const other = await createBusiness(service);
  const [{ id }] = await list();
  expect((await other.admin.post(`${other.path}/notifications/${id}/read`)).status).toBe(404);
  expect((await other.admin.get(`${other.path}/notifications`)).body.items).toEqual([]);
  expect((await (await keyClient(world, ['resources.read'])).post(`${world.path}/notifications/${id}/read`)).status).toBe(403);
  expect((await world.admin.post(`${world.path}/notifications`, { kind: 'webhook_disabled' })).status).toBe(405);
});
