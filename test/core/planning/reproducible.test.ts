import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../../core/config.ts';
import { startWorkers } from '../../../workers/main.ts';
import { lineWorld, type LineWorld, type Plan } from '../../support/line-world.ts';
import { scatterOrders } from '../../support/scattered-orders.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Two depots and drivers, and more orders than fit; made in another order each time. */
async function world(vehicles: string[]): Promise<LineWorld> {
  const w = await lineWorld(service, { settings: { planning: { min_rest_seconds: 3_600 } } });
  await w.warehouse('east', 40);
  for (const driver of ['dana', 'emil']) await w.driver(driver);
  for (const id of vehicles) await w.vehicle(id, id === 'van-3' ? { warehouse_id: 'east', driver_id: 'dana' } : { driver_id: 'emil', hours: id === 'van-1' ? ['08:00-11:30'] : ['12:30-16:00'] });
  await scatterOrders(w, 110);
  return w;
}

async function planned(w: LineWorld, threads: number) {
  const workers = await startWorkers(readConfig({ DATABASE_URL: service.databaseUrl, MILKRUN_LOG_LEVEL: 'silent', MILKRUN_SOLVER_THREADS: String(threads) }));
  try {
    const { result } = await w.plan({ vehicle_ids: ['van-1', 'van-2', 'van-3'], seed: 11, max_iterations: 3_000 });
    const plans = await w.plans();
    const { solver_seconds: _seconds, ...metrics } = result.metrics;
    return JSON.stringify([
      Object.keys(plans).sort().map((id) => [id, plans[id].start_at, plans[id].end_at, plans[id].stops, plans[id].return_leg] as Plan),
      result.unplanned, metrics,
    ]);
  } finally {
    await workers.close();
  }
}

test('the same seed and iterations give the same plan, with one thread and with two', async () => {
  const first = await planned(await world(['van-1', 'van-2', 'van-3']), 1);
  const second = await planned(await world(['van-3', 'van-1', 'van-2']), 2);
  expect(second).toBe(first);
  expect(JSON.parse(first)[1].length).toBeGreaterThan(0);
});
