import { at, MINUTE } from './calendar.ts';
import { CITY_WAREHOUSE_NODES, cityStreets } from './city-streets.ts';
import { layRoute } from './lay-route.ts';
import { orderBook } from './order-book.ts';
import { randomFrom } from './random.ts';
import type { Generated, SampleVehicle } from './scenario.ts';
import { sitesOf } from './sites.ts';

const SEED = 20_260_306;
const VEHICLES = 40;

/** A vehicle has one of these habits and keeps it on its days; `tasks` is what the generator gives it to do. */
const HABITS = [
  { start: '08:00', end: '16:00', days: [0, 2], tasks: 9, pause: '11:45' },
  { start: '06:30', end: '11:30', days: [0, 1, 3], tasks: 6, pause: null },
  { start: '13:00', end: '18:30', days: [0, 2], tasks: 6, pause: null },
  { start: '15:30', end: '21:00', days: [0, 3], tasks: 5, pause: null },
] as const;

/** A city in the morning rush: 600 orders for 40 part-time vehicles from three warehouses, Monday to Friday. All can be served. */
export function city(): Generated {
  const random = randomFrom(SEED);
  const map = cityStreets(random);
  const sites = sitesOf(map, random);
  const book = orderBook(random);
  const vehicles: SampleVehicle[] = [];
  /** Tasks that found no time in the route before and go into the next. */
  let owed = 0;

  for (let i = 0; i < VEHICLES; i++) {
    const habit = HABITS[i % HABITS.length]!;
    const days = habit.days.map((day) => (day + Math.floor(i / HABITS.length)) % 5).sort((a, b) => a - b);
    const warehouse = i % CITY_WAREHOUSE_NODES.length;
    const vehicle = vanOf(i, warehouse, days.map((day) => [day, habit]));
    vehicles.push(vehicle);
    for (const day of days) {
      const asked = habit.tasks + owed;
      const stops = layRoute(
        {
          warehouse: sites.atNode(CITY_WAREHOUSE_NODES[warehouse]!),
          intervals: [{ start: at(day, habit.start), end: at(day, habit.end) }],
          gap: 'return_to_warehouse',
          tasks: [asked],
          appointments: habit.pause === null ? [] : [{ earliest: at(day, habit.pause), durationSeconds: 30 * MINUTE, kind: 'break' }],
        },
        { sites, below: random.below, taskSeconds: () => 5 * MINUTE * random.between(2, 9) },
      );
      owed = asked - stops.filter((stop) => stop.kind === 'task').length;
      book.add(vehicle.id, stops, { windowHours: () => random.pick([2, 2.5, 3, 3.5, 4]) });
    }
  }

  const { orders, routes } = book.close();
  return {
    scenario: {
      id: 'city',
      name: 'City: 600 orders, 40 vehicles, 3 warehouses, 5 days',
      nodes: map.nodes,
      edges: map.edges,
      warehouses: ['West', 'North East', 'South'].map((name, i) => ({
        id: `warehouse-${i + 1}`, name: `Warehouse ${name}`, node_id: CITY_WAREHOUSE_NODES[i]!,
      })),
      vehicles,
      drivers: vehicles.map((_, i) => ({ id: `driver-${i + 1}`, name: `Driver ${i + 1}`, email: `driver-${i + 1}@drivers.example` })),
      orders,
    },
    witness: { routes },
  };
}

function vanOf(i: number, warehouse: number, days: [day: number, hours: { start: string; end: string }][]): SampleVehicle {
  return {
    id: `van-${i + 1}`, name: `Van ${i + 1}`, warehouse_id: `warehouse-${warehouse + 1}`, driver_id: `driver-${i + 1}`,
    working_hours: { weekly: Object.fromEntries(days.map(([day, { start, end }]) => [day, [{ start, end }]])), overrides: {} },
  };
}
