import { at, date, instant, MINUTE } from './calendar.ts';
import { layRoute } from './lay-route.ts';
import type { Appointment, Day } from './lay-route.ts';
import { orderBook } from './order-book.ts';
import type { OrderBook } from './order-book.ts';
import { randomFrom } from './random.ts';
import type { Generated, SampleVehicle } from './scenario.ts';
import { sitesOf } from './sites.ts';
import type { StreetMap } from './street-map.ts';
import { FAR_HAMLET_NODE, ISLAND_NODES, QUARRY_NODE, TOWN_DEPOT_NODE, townStreets } from './town-streets.ts';

const SEED = 20_260_302;

/** A small town: five vehicles of five habits over two days, and some orders that nobody can serve. README.md names them. */
export function town(): Generated {
  const random = randomFrom(SEED);
  const map = townStreets(random);
  const sites = sitesOf(withoutDeadEnds(map), random);
  const warehouse = sites.atNode(TOWN_DEPOT_NODE);
  const book = orderBook(random);

  for (const { vehicle, days, windowHours, ...habits } of fleet()) {
    for (const day of days) {
      const stops = layRoute({ ...habits, ...day, warehouse }, { sites, below: random.below, taskSeconds: () => 5 * MINUTE * random.between(4, 11) });
      book.add(vehicle.id, stops, { windowHours: () => random.pick(windowHours), replacementDriverId: 'driver-6' });
    }
  }
  addWhatNobodyCanServe(book);

  const { orders, routes } = book.close();
  return {
    scenario: {
      id: 'town',
      name: 'Town: 5 vehicles, 2 days, a river with two bridges',
      nodes: map.nodes,
      edges: map.edges,
      warehouses: [{ id: 'depot', name: 'Depot South Bank', node_id: TOWN_DEPOT_NODE }],
      vehicles: fleet().map(({ vehicle }) => vehicle),
      drivers: [1, 2, 3, 4, 5, 6].map((n) => ({ id: `driver-${n}`, name: `Driver ${n}`, email: `driver-${n}@drivers.example` })),
      orders,
    },
    witness: { routes },
  };
}

/** What orders are laid on: all but the island and the quarry. */
function withoutDeadEnds(map: StreetMap): StreetMap {
  const isDeadEnd = (id: string) => id === QUARRY_NODE || ISLAND_NODES.includes(id);
  return {
    ...map,
    nodes: map.nodes.filter((node) => !isDeadEnd(node.id)),
    edges: map.edges.filter((edge) => !isDeadEnd(edge.from) && !isDeadEnd(edge.to)),
  };
}

interface FleetEntry {
  vehicle: SampleVehicle;
  gap: Day['gap'];
  days: Pick<Day, 'intervals' | 'tasks' | 'appointments'>[];
  /** Lengths of the windows of its orders. */
  windowHours: number[];
}

function fleet(): FleetEntry[] {
  return [
    {
      // Tuesday begins later, by an override.
      vehicle: van(1, [['08:00', '16:30']], { overrides: { [date(1)]: [{ start: '09:00', end: '17:30' }] } }),
      gap: 'return_to_warehouse',
      days: [
        { intervals: [interval(0, '08:00', '16:30')], tasks: [5], appointments: [rest(0, '12:15')] },
        { intervals: [interval(1, '09:00', '17:30')], tasks: [5], appointments: [rest(1, '13:00')] },
      ],
      windowHours: [2, 2.5, 3, 4],
    },
    {
      // On Monday another driver takes over at eleven.
      vehicle: van(2, [['07:00', '15:30']]),
      gap: 'return_to_warehouse',
      days: [
        {
          intervals: [interval(0, '07:00', '15:30')], tasks: [5],
          appointments: [
            { earliest: at(0, '10:50'), durationSeconds: 10 * MINUTE, kind: 'handover', window: interval(0, '10:45', '11:45') },
            rest(0, '12:45'),
          ],
        },
        { intervals: [interval(1, '07:00', '15:30')], tasks: [5], appointments: [rest(1, '11:15')] },
      ],
      windowHours: [2, 2.5, 3, 4],
    },
    {
      vehicle: van(3, [['07:30', '11:30'], ['14:00', '18:00']], { gap_policy: 'wait' }),
      gap: 'wait',
      days: [0, 1].map((day) => ({
        intervals: [interval(day, '07:30', '11:30'), interval(day, '14:00', '18:00')], tasks: [2, 2],
        appointments: [rest(day, '15:45', 15)],
      })),
      windowHours: [2, 2.5, 3],
    },
    {
      vehicle: van(4, [['08:00', '12:00'], ['13:00', '17:00']], { gap_policy: 'return_to_warehouse' }),
      gap: 'return_to_warehouse',
      days: [0, 1].map((day) => ({
        intervals: [interval(day, '08:00', '12:00'), interval(day, '13:00', '17:00')], tasks: [2, 2],
        appointments: [rest(day, '10:00', 15)],
      })),
      windowHours: [2, 2.5, 3],
    },
    {
      vehicle: van(5, [['18:00', '02:00']]),
      gap: 'return_to_warehouse',
      days: [0, 1].map((day) => ({
        intervals: [{ start: at(day, '18:00'), end: at(day + 1, '02:00') }], tasks: [4],
        appointments: [rest(day, '21:30'), day === 0 ? midnightJob() : nightJob()],
      })),
      windowHours: [1.5, 2, 3],
    },
  ];
}

function van(n: number, hours: [start: string, end: string][], more: Partial<SampleVehicle['working_hours']> = {}): SampleVehicle {
  const intervals = hours.map(([start, end]) => ({ start, end }));
  return {
    id: `van-${n}`, name: `Van ${n}`, warehouse_id: 'depot', driver_id: `driver-${n}`,
    working_hours: { weekly: { 0: intervals, 1: intervals }, overrides: {}, ...more },
  };
}

function interval(day: number, start: string, end: string) {
  return { start: at(day, start), end: at(day, end) };
}

function rest(day: number, clock: string, minutes = 30): Appointment {
  return { earliest: at(day, clock), durationSeconds: minutes * MINUTE, kind: 'break' };
}

/** Whenever it begins, midnight falls into it. */
function midnightJob(): Appointment {
  const window = { start: at(0, '23:30'), end: at(1, '00:30') };
  return { earliest: window.start, durationSeconds: 45 * MINUTE, kind: 'task', window };
}

const NIGHT_WINDOW = { start: at(2, '00:30'), end: at(2, '01:45') };

/** Only one vehicle works in that window, and only one hour fits into it: of this order and its twin below one is left over. */
function nightJob(): Appointment {
  return { earliest: NIGHT_WINDOW.start, durationSeconds: 60 * MINUTE, kind: 'task', window: NIGHT_WINDOW };
}

/** One for each reason. */
function addWhatNobodyCanServe(book: OrderBook): void {
  const task = (node_id: string, minutes: number, [start, end]: [number, number], more: { vehicle_id?: string } = {}) => {
    book.addUnplanned({
      type: 'task', node_id, duration_seconds: minutes * MINUTE, window_start: instant(start), window_end: instant(end), ...more,
    });
  };
  // On Thursday, when the plan is for Monday and Tuesday.
  task('n3-3', 30, [at(3, '09:00'), at(3, '12:00')]);
  // Between the end of the night shift and the beginning of the early one.
  task('n14-10', 30, [at(1, '03:00'), at(1, '05:30')]);
  task(ISLAND_NODES[1]!, 30, [at(0, '09:00'), at(0, '16:00')]);
  task(QUARRY_NODE, 30, [at(1, '09:00'), at(1, '16:00')]);
  // The service would have to begin at seven, when the first van is only leaving the depot, some minutes away.
  task(FAR_HAMLET_NODE, 30, [at(0, '07:00'), at(0, '07:30')]);
  // In the morning, by the van that works at night.
  task('n9-3', 30, [at(0, '09:00'), at(0, '12:00')], { vehicle_id: 'van-5' });
  task('n6-4', 60, [NIGHT_WINDOW.start, NIGHT_WINDOW.end]);
}
