import { describe, expect, test } from '@jest/globals';
import { networkProblems } from '../../core/roads/network.ts';
import type { NetworkEdge } from '../../core/roads/network.ts';
import type { Scenario } from '../../scenarios/generator/scenario.ts';
import { epoch, readScenario, scenarioIds, textOfScenario } from './read-scenario.ts';

describe.each(scenarioIds)('%s.json', (id) => {
  const scenario = readScenario(id);

  test('has the fields of a scenario and no others', () => {
    expect(Object.keys(scenario).sort()).toEqual(['drivers', 'edges', 'id', 'name', 'nodes', 'orders', 'vehicles', 'warehouses']);
    expect(scenario.id).toBe(id);
  });

  test('is a road network without problems', () => {
    expect(networkProblems(scenario)).toEqual([]);
  });

  test('names each record once, and only records that exist', () => {
    const ids = (records: { id: string }[]) => {
      expect(new Set(records.map((record) => record.id)).size).toBe(records.length);
      return new Set<string | undefined>(records.map((record) => record.id));
    };
    const [nodes, warehouses, vehicles, drivers] = [scenario.nodes, scenario.warehouses, scenario.vehicles, scenario.drivers].map(ids);
    ids(scenario.orders);
    for (const place of [...scenario.warehouses, ...scenario.orders]) {
      expect([place.node_id, place.location].filter((where) => where !== undefined)).toHaveLength(1);
      if (place.node_id !== undefined) expect(nodes).toContain(place.node_id);
    }
    for (const vehicle of scenario.vehicles) {
      expect(warehouses).toContain(vehicle.warehouse_id);
      expect(drivers).toContain(vehicle.driver_id);
    }
    for (const order of scenario.orders) {
      if (order.vehicle_id !== undefined) expect(vehicles).toContain(order.vehicle_id);
      if (order.replacement_driver_id !== undefined) expect(drivers).toContain(order.replacement_driver_id);
    }
  });

  test('has drivers with addresses that can never reach anybody', () => {
    for (const { email } of scenario.drivers) expect(email).toMatch(/^[a-z0-9-]+@drivers\.example$/);
    expect(new Set(scenario.drivers.map((driver) => driver.email)).size).toBe(scenario.drivers.length);
  });

  test('has orders whose windows hold the service, in the week of 2 March 2026 with the offset of Berlin', () => {
    for (const order of scenario.orders) {
      expect(order.duration_seconds).toBeGreaterThanOrEqual(1);
      expect(epoch(order.window_end) - epoch(order.window_start)).toBeGreaterThanOrEqual(order.duration_seconds);
      for (const instant of [order.window_start, order.window_end]) {
        const local = Temporal.Instant.from(instant).toZonedDateTimeISO('Europe/Berlin');
        expect(instant).toBe(local.toString({ timeZoneName: 'never' }));
        expect(local.toPlainDate().toString() >= '2026-03-02' && local.toPlainDate().toString() <= '2026-03-06').toBe(true);
      }
    }
  });

  test('has breaks that belong to a vehicle', () => {
    for (const order of scenario.orders.filter(({ type }) => type === 'break')) expect(order.vehicle_id).toBeDefined();
    for (const order of scenario.orders.filter(({ type }) => type === 'task')) expect(order.replacement_driver_id).toBeUndefined();
  });

  test('has working hours as the interface writes them', () => {
    for (const { working_hours } of scenario.vehicles) {
      for (const intervals of [...Object.values(working_hours.weekly), ...Object.values(working_hours.overrides)]) {
        for (const { start, end } of intervals) expect(`${start} ${end}`).toMatch(/^([01]\d|2[0-3]):[0-5]\d ([01]\d|2[0-3]):[0-5]\d$/);
      }
      expect(Object.keys(working_hours.weekly).every((day) => /^[0-6]$/.test(day))).toBe(true);
    }
  });
});

const counts = ({ orders, warehouses, vehicles, drivers }: Scenario) => ({
  tasks: orders.filter(({ type }) => type === 'task').length,
  breaks: orders.filter(({ type }) => type === 'break').length,
  handovers: orders.filter(({ replacement_driver_id }) => replacement_driver_id !== undefined).length,
  warehouses: warehouses.length, vehicles: vehicles.length, drivers: drivers.length,
});

test('the scenarios have the sizes that the README gives', () => {
  expect(counts(readScenario('tiny'))).toEqual({ tasks: 5, breaks: 0, handovers: 0, warehouses: 1, vehicles: 2, drivers: 2 });
  expect(counts(readScenario('town'))).toEqual({ tasks: 53, breaks: 11, handovers: 1, warehouses: 1, vehicles: 5, drivers: 6 });
  expect(counts(readScenario('city'))).toEqual({ tasks: 580, breaks: 20, handovers: 0, warehouses: 3, vehicles: 40, drivers: 40 });
});

test('the city has one-way streets, asymmetric times and roads from everywhere to everywhere', () => {
  const city = readScenario('city');
  expect(city.nodes.length).toBeGreaterThan(9500);
  expect(city.edges.filter((edge) => !edge.bidirectional).length).toBeGreaterThan(1000);
  expect(city.edges.filter((edge) => edge.reverse_time_seconds !== undefined).length).toBeGreaterThan(1000);
  expect(Buffer.byteLength(textOfScenario('city'))).toBeLessThan(3_000_000);

  const centre = city.nodes[0]!.id;
  expect(reachable(city.edges, centre).size).toBe(city.nodes.length);
  const turned = city.edges.map((edge) => ({ ...edge, from: edge.to, to: edge.from }));
  expect(reachable(turned, centre).size).toBe(city.nodes.length);
});

function reachable(edges: NetworkEdge[], start: string): Set<string> {
  const next = Map.groupBy(edges.flatMap(({ from, to, bidirectional }) => (bidirectional ? [[from, to], [to, from]] : [[from, to]]) as [string, string][]), ([from]) => from);
  const found = new Set([start]);
  for (const id of found) for (const [, to] of next.get(id) ?? []) found.add(to);
  return found;
}
