import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { driversDay, type DriversDay } from '../../support/drivers-day.ts';
import { ok, time } from '../../support/line-world.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** `first` at 9:00 and `second` at 10:00, published; Anna is on duty. */
async function twoOrders(settings: Record<string, unknown> = {}): Promise<DriversDay> {
  const day = await driversDay(service, settings);
  await day.place('first', 5, '09:00');
  await day.place('second', 10, '10:00');
  ok(await day.publishAll());
  ok(await day.act('/duty', { online: true }));
  return day;
}

describe('a day of work', () => {
  test('goes from stop to stop, and everybody sees it at once', async () => {
    const day = await driversDay(service);
    await day.place('first', 5, '09:00');
    await day.place('second', 10, '10:00');
    expect((await day.act('/orders/first/start')).status).toBe(404);
    ok(await day.publishAll());
    expect(await day.statuses()).toEqual({ first: 'created', second: 'created' });

    const before = Date.now();
    const driver = ok(await day.act('/duty', { online: true, vehicle_id: 'van' }));
    expect(driver).toMatchObject({ id: 'anna', duty_status: 'online', duty_vehicle_id: 'van' });
    expect(Date.parse(driver.duty_started_at)).toBeGreaterThanOrEqual(before);
    expect(await day.statuses()).toEqual({ first: 'on_road', second: 'created' });

    const started = ok(await day.act('/orders/first/start'));
    expect(started).toMatchObject({ id: 'first', status: 'in_progress', actual_completed_at: null });
    expect(Date.parse(started.actual_started_at)).toBeGreaterThanOrEqual(before);
    expect(await day.statuses()).toEqual({ first: 'in_progress', second: 'created' });
    expect(ok(await day.app.get('/api/v1/driver/refresh')).orders.map((order: { status: string }) => order.status)).toEqual(['in_progress', 'created']);

    const completed = ok(await day.act('/orders/first/complete'));
    expect(completed).toMatchObject({ status: 'completed', actual_started_at: started.actual_started_at });
    expect(Date.parse(completed.actual_completed_at)).toBeGreaterThanOrEqual(Date.parse(started.actual_started_at));
    expect(await day.statuses()).toEqual({ first: 'completed', second: 'on_road' });
    ok(await day.act('/orders/second/start'));
    ok(await day.act('/orders/second/complete'));
    expect(await day.statuses()).toEqual({ first: 'completed', second: 'completed' });
  });
});

