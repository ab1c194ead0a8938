import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBusiness, type TestBusiness } from '../support/business.ts';
import { endOf, ok, type Job, type Plan } from '../support/line-world.ts';
import { startService, type TestService } from '../support/service.ts';
import { verifyAnswers } from '../support/verify-answers.ts';
import { textOfScenario, type ScenarioId } from '../scenarios/read-scenario.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(() => service.close());

interface Loaded extends TestBusiness {
  plan(request: object): Promise<Job>;
}

async function loaded(id: ScenarioId): Promise<Loaded> {
  const business = await createBusiness(service);
  const { admin, path } = business;
  ok(await admin.post(`${path}/scenarios`, textOfScenario(id)));
  const { vehicle_ids: vehicles } = ok(await admin.post(`${path}/scenarios/${id}/load`, {}));
  return {
    ...business,
    async plan(request) {
      const { job_id: job } = ok(await admin.post(`${path}/planning/preview`, { vehicle_ids: vehicles, seed: 1, ...request }));
      return endOf(business, job);
    },
  };
}

async function publishAll({ admin, path }: TestBusiness): Promise<void> {
  const { items } = ok(await admin.get(`${path}/plans`));
  ok(await admin.post(`${path}/plans/publish`, { plan_ids: items.map((plan: Plan) => plan.id), expected_revision: items.map(({ id, revision }: Plan) => ({ id, revision })) }));
}

test('tiny: the best plan that there is', async () => {
  const tiny = await loaded('tiny');
  const { status, result } = await tiny.plan({ date_start: '2026-03-02', date_end: '2026-03-02' });
  expect(status).toBe('completed');
  expect(result).toMatchObject({ planned: 5, unplanned: [], metrics: { travel_seconds: 2_880, travel_meters: 24_000, vehicles_used: 2 } });
  expect((await verifyAnswers(tiny, 'tiny')).violations).toEqual([]);
});

test('town: all but the seven that can not be planned, each with its reason', async () => {
  const town = await loaded('town');
  const { status, result } = await town.plan({ date_start: '2026-03-02', date_end: '2026-03-03', max_iterations: 30_000 });
  expect(status).toBe('completed');
  const reasons = Object.fromEntries(result.unplanned.map(({ order_id: id, reason }: { order_id: string; reason: string }) => [id, reason]));
  const twins = Object.keys(reasons).filter((id) => !(id in sure));
  expect(reasons).toEqual({ ...sure, [twins[0]]: 'capacity' });
  expect(ok(await town.admin.get(`${town.path}/orders/${twins[0]}`))).toMatchObject({ window_start: '2026-03-03T23:30:00Z', window_end: '2026-03-04T00:45:00Z', scheduled_at: null });
  expect(result.unplanned.filter(({ proved }: { proved: boolean }) => proved)).toHaveLength(6);
  expect(result.planned).toBe(57);
  const { plans, violations } = await verifyAnswers(town, 'town');
  expect(violations).toEqual([]);
  expect(plans.map((plan: Plan) => plan.id).toSorted()).toEqual(result.plan_ids.toSorted());
  await publishAll(town);
});

/** What scenarios/README.md says of the orders for which no plan has a place. */
const sure = {
  'order-01': 'window_outside_dates',
  'order-09': 'outside_working_hours',
  'order-58': 'unreachable',
  'order-49': 'unreachable',
  'order-33': 'window_too_tight',
  'order-32': 'outside_working_hours',
};

test('city: the whole way through, from records to what drivers see', async () => {
  const city = await loaded('city');
  const { status, result } = await city.plan({ date_start: '2026-03-02', date_end: '2026-03-06', max_iterations: 1_500 });
  expect(status).toBe('completed');
  expect(result.planned + result.unplanned.length).toBe(600);
  expect(result.planned).toBeGreaterThan(500);
  expect((await verifyAnswers(city, 'city')).violations).toEqual([]);
  await publishAll(city);
  const { items } = ok(await city.admin.get(`${city.path}/orders?view=published`));
  expect(items.filter((order: { scheduled_at: string | null }) => order.scheduled_at !== null)).toHaveLength(result.planned);
});
