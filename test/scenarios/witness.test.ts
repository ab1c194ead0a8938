import { describe, expect, test } from '@jest/globals';
import { city } from '../../scenarios/generator/city.ts';
import type { Scenario, WitnessRoute } from '../../scenarios/generator/scenario.ts';
import { tiny } from '../../scenarios/generator/tiny.ts';
import { town } from '../../scenarios/generator/town.ts';
import { epoch, intervalsOn, travelOf } from './read-scenario.ts';

const DATES = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];

describe.each([['tiny', tiny, 5], ['town', town, 57], ['city', city, 600]] as const)('the plan behind %s.json', (_, generate, served) => {
  const { scenario, witness } = generate();

  test('serves each order at most once, and as many as the README promises', () => {
    const ids = witness.routes.flatMap((route) => route.stops.map((stop) => stop.order_id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(served);
  });

  test('can be driven: windows, hours, gaps, travel, one route for a vehicle and date', () => {
    const travel = travelOf(scenario);
    const seen = new Set<string>();
    for (const route of witness.routes) {
      const date = DATES.find((candidate) => problemOf(route, candidate, scenario, travel) === null);
      expect({ route, problems: date ?? DATES.map((candidate) => problemOf(route, candidate, scenario, travel)) }).toEqual({ route, problems: date });
      expect(seen).not.toContain(`${route.vehicle_id} ${date}`);
      seen.add(`${route.vehicle_id} ${date}`);
    }
  });
});

/** What is wrong with a route as the work of one date; null when nothing is. */
function problemOf(route: WitnessRoute, date: string, scenario: Scenario, travel: (from: string, to: string) => number): string | null {
  const vehicle = scenario.vehicles.find(({ id }) => id === route.vehicle_id)!;
  const intervals = intervalsOn(date, vehicle);
  if (intervals.length === 0) return 'does not work';
  const returns = vehicle.working_hours.gap_policy !== 'wait';
  let interval = intervals.shift()!;
  let now = interval.start;
  let place = vehicle.warehouse_id;
  for (const stop of route.stops) {
    const order = scenario.orders.find(({ id }) => id === stop.order_id)!;
    const start = epoch(stop.start);
    const end = start + order.duration_seconds;
    if (order.vehicle_id !== undefined && order.vehicle_id !== vehicle.id) return `${order.id} is another vehicle's`;
    if (start < epoch(order.window_start) || end > epoch(order.window_end)) return `${order.id} is outside its window`;
    while (start >= interval.end) {
      if (returns && now + travel(place, vehicle.warehouse_id) > interval.end) return `not back for the gap before ${order.id}`;
      if (intervals.length === 0) return `${order.id} is after work`;
      interval = intervals.shift()!;
      now = interval.start;
      if (returns) place = vehicle.warehouse_id;
    }
    if (now + travel(place, order.id) > start) return `late at ${order.id}`;
    if (end > interval.end) return `${order.id} ends after work`;
    now = end;
    place = order.id;
  }
  return now + travel(place, vehicle.warehouse_id) > interval.end ? 'late at the warehouse' : null;
}
