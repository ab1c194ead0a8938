import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Reply } from '../../support/client.ts';
import { hoursOf, lineWorld, time, type LineWorld } from '../../support/line-world.ts';
import { waitsForLock } from '../../support/lock-waits.ts';
import { startService, type TestService } from '../../support/service.ts';

/**
 * Drivers' actions hold the capacity of the business first and rows after it. Whoever changes capacity has to wait for it
 * empty-handed: with a row in hand the two would stop one another until the database throws one of them out.
 */

let service: TestService;
let db: pg.Client;
let w: LineWorld;
beforeAll(async () => {
  service = await startService();
  db = new pg.Client({ connectionString: service.databaseUrl });
  await db.connect();
  w = await lineWorld(service);
  for (const driver of ['dana', 'emil', 'nobody']) await w.driver(driver);
  await w.vehicle('van', { driver_id: 'dana' });
  await w.vehicle('spare');
  await w.order('placed', 10, { vehicle_id: 'van', scheduled_at: time('09:00') });
  await w.order('free', 10);
});
afterAll(async () => {
  await db.end();
  await service.close();
});

const applyHours = async (): Promise<Reply> => {
  const change = { vehicle_id: 'spare', working_hours: hoursOf(['09:00-12:00']) };
  return w.admin.post(`${w.path}/working-hours/apply`, { ...change, accepted: true, vehicle_revision: 1, preview_epoch: 0 });
};

test.each<[string, () => Promise<Reply>, number]>([
  ['an order is created with a time', () => w.admin.post(`${w.path}/orders`, { id: 'new', location: { latitude: 52, longitude: 13 }, duration_seconds: 600, window_start: time('08:00'), window_end: time('16:00'), vehicle_id: 'van', driver_id: 'dana', scheduled_at: time('10:00') }), 201],
  ['an order is moved', () => w.patchOrder('placed', { scheduled_at: time('09:30') }), 200],
  ['an order is given a driver', () => w.patchOrder('placed', { driver_id: 'dana' }), 200],
  ['what an order takes is edited', () => w.patchOrder('placed', { duration_seconds: 900 }), 200],
  ['an order is deleted', () => w.admin.delete(`${w.path}/orders/free`), 204],
  ['plans are published', () => w.publish({ plan_ids: ['none'] }), 404],
  ['a vehicle is created', () => w.admin.post(`${w.path}/vehicles`, { id: 'bus', name: 'Bus', warehouse_id: 'depot', driver_id: 'emil' }), 201],
  ['a vehicle is edited', () => w.admin.patch(`${w.path}/vehicles/van`, { driver_id: 'emil' }), 200],
  ['hours are changed', applyHours, 409],
  ['a vehicle is deleted', () => w.admin.delete(`${w.path}/vehicles/spare`), 204],
  ['a warehouse is moved', () => w.admin.patch(`${w.path}/warehouses/depot`, { location: { latitude: 52, longitude: 13.01 } }), 200],
  ['a driver is deleted', () => w.admin.delete(`${w.path}/drivers/nobody`), 204],
])('whoever waits while %s holds no record', async (_what, send, status) => {
  await db.query('begin');
  await db.query('select 1 from businesses where id = $1 for share', [w.id]);
  const pending = send();
  try {
    expect(await waitsForLock(db, pending)).toBe(true);
    for (const table of ['orders', 'plans', 'drivers', 'vehicles', 'warehouses']) await db.query(`select 1 from ${table} where business_id = $1 for update nowait`, [w.id]);
  } finally {
    await db.query('rollback');
  }
  expect((await pending).status).toBe(status);
});
