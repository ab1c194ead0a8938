import { at, instant } from './calendar.ts';
import { emptyStreetMap } from './street-map.ts';
import type { Generated, SampleOrder } from './scenario.ts';

/** Two vans, five orders, times in whole minutes: README.md says what the best plan is and why. */
export function tiny(): Generated {
  const map = emptyStreetMap({ longitude: 13.8, latitude: 52.2, metresPerDegreeEast: 68_152 });
  map.addNode('yard', 0, 0);
  map.addNode('mill', 2500, 0);
  map.addNode('farm', 4000, 2000);
  map.addNode('church', -2400, 1800);
  map.addNode('school', -2800, 3600);
  map.addNode('quay', -2000, -1700);
  // Every minute is 500 m, whatever the map says: the arithmetic is to be done in the head.
  const road = (from: string, to: string, minutes: number, bidirectional: boolean) => {
    map.edges.push({ id: `${from}-${to}`, from, to, time_seconds: minutes * 60, distance_meters: minutes * 500, bidirectional });
  };
  road('yard', 'mill', 5, true);
  road('mill', 'farm', 5, true);
  road('farm', 'yard', 8, false);
  road('yard', 'church', 6, true);
  road('church', 'school', 4, true);
  road('yard', 'school', 7, true);
  road('church', 'quay', 7, true);
  road('yard', 'quay', 10, true);

  const working_hours = { weekly: { 0: [{ start: '08:00', end: '12:00' }] }, overrides: {} };
  return {
    scenario: {
      id: 'tiny',
      name: 'Tiny: two vans, five orders',
      nodes: map.nodes,
      edges: map.edges,
      warehouses: [{ id: 'depot', name: 'Depot', node_id: 'yard' }],
      vehicles: [1, 2].map((n) => ({ id: `van-${n}`, name: `Van ${n}`, warehouse_id: 'depot', driver_id: `driver-${n}`, working_hours })),
      drivers: [1, 2].map((n) => ({ id: `driver-${n}`, name: `Driver ${n}`, email: `driver-${n}@drivers.example` })),
      orders: [
        order('order-1', 'mill', '08:00', '10:00'),
        order('order-2', 'farm', '08:00', '08:40'),
        order('order-3', 'school', '08:00', '08:40'),
        order('order-4', 'church', '08:30', '10:30'),
        order('order-5', 'quay', '09:00', '11:00'),
      ],
    },
    witness: {
      routes: [
        { vehicle_id: 'van-1', stops: [{ order_id: 'order-2', start: monday('08:10') }, { order_id: 'order-1', start: monday('08:35') }] },
        {
          vehicle_id: 'van-2',
          stops: [
            { order_id: 'order-3', start: monday('08:07') },
            { order_id: 'order-4', start: monday('08:31') },
            { order_id: 'order-5', start: monday('09:00') },
          ],
        },
      ],
    },
  };
}

function order(id: string, node_id: string, start: string, end: string): SampleOrder {
  return { id, type: 'task', node_id, duration_seconds: 1200, window_start: monday(start), window_end: monday(end) };
}

function monday(clock: string): string {
  return instant(at(0, clock));
}
