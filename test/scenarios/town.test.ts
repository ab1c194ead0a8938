import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { UNREACHABLE } from '../../core/roads/travel-matrix.ts';
import type { SampleOrder } from '../../scenarios/generator/scenario.ts';
import { town } from '../../scenarios/generator/town.ts';
import { epoch, intervalsOn, readScenario, travelOf } from './read-scenario.ts';

const scenario = readScenario('town');
const travel = travelOf(scenario);
const shifts = scenario.vehicles.flatMap((vehicle) =>
  ['2026-03-02', '2026-03-03'].flatMap((date) => intervalsOn(date, vehicle).map((interval) => ({ vehicle, ...interval }))),
);

/** The order at a node, in a window that begins at a local time. */
function orderAt(node: string, windowStart: string): SampleOrder {
  const found = scenario.orders.filter((order) => order.node_id === node && order.window_start.startsWith(windowStart));
  expect(found).toHaveLength(1);
  return found[0]!;
}

const notInTheWeek = orderAt('n3-3', '2026-03-05T09:00');
const beforeDawn = orderAt('n14-10', '2026-03-03T03:00');
const onTheIsland = orderAt('island-2', '2026-03-02T09:00');
const inTheQuarry = orderAt('quarry', '2026-03-03T09:00');
const tooEarly = orderAt('east-4', '2026-03-02T07:00');
const forTheNightVan = orderAt('n9-3', '2026-03-02T09:00');
const twin = orderAt('n6-4', '2026-03-04T00:30');

function overlaps(order: SampleOrder, shift: { start: number; end: number }): boolean {
  return shift.start < epoch(order.window_end) && shift.end > epoch(order.window_start);
}

describe('in town.json', () => {
  test('one window lies on none of the dates', () => {
    expect(epoch(notInTheWeek.window_start)).toBeGreaterThan(Math.max(...shifts.map((shift) => shift.end)) + 86_400);
  });

  test('one window lies in nobody’s hours, though on the right date', () => {
    expect(shifts.filter((shift) => overlaps(beforeDawn, shift))).toEqual([]);
  });

  test('the island has no road to it, and the quarry none out of it', () => {
    expect([travel('depot', onTheIsland.id), travel(onTheIsland.id, 'depot')]).toEqual([UNREACHABLE, UNREACHABLE]);
    expect(travel('depot', inTheQuarry.id)).toBeLessThan(3600);
    expect(travel(inTheQuarry.id, 'depot')).toBe(UNREACHABLE);
  });

  test('one window is just as long as its service and begins before anybody can be there', () => {
    expect(epoch(tooEarly.window_end) - epoch(tooEarly.window_start)).toBe(tooEarly.duration_seconds);
    const able = shifts.filter((shift) => overlaps(tooEarly, shift));
    expect(able.map(({ vehicle }) => vehicle.id)).toEqual(['van-2']);
    expect(able[0]!.start + travel('depot', tooEarly.id)).toBeGreaterThan(epoch(tooEarly.window_start));
    expect(travel(tooEarly.id, 'depot')).toBeLessThan(3600);
  });

  test('one order is for a vehicle that does not work then, while others do', () => {
    const able = shifts.filter((shift) => overlaps(forTheNightVan, shift)).map(({ vehicle }) => vehicle.id);
    expect(able).toContain('van-1');
    expect(able).not.toContain(forTheNightVan.vehicle_id);
  });

  test('of two orders that only the night van could serve there is time for one', () => {
    const same = scenario.orders.filter((order) => order.window_start === twin.window_start && order.window_end === twin.window_end);
    expect(same).toHaveLength(2);
    expect(same.reduce((sum, order) => sum + order.duration_seconds, 0)).toBeGreaterThan(epoch(twin.window_end) - epoch(twin.window_start));
    for (const order of same) expect(shifts.filter((shift) => overlaps(order, shift)).map(({ vehicle }) => vehicle.id)).toEqual(['van-5']);
  });

  test('everything else is in the plan behind it, and the README names what is not', () => {
    const impossible = [notInTheWeek, beforeDawn, onTheIsland, inTheQuarry, tooEarly, forTheNightVan, twin].map((order) => order.id);
    const served = new Set(town().witness.routes.flatMap((route) => route.stops.map((stop) => stop.order_id)));
    expect(scenario.orders.map((order) => order.id).filter((id) => !served.has(id)).sort()).toEqual(impossible.toSorted());
    const readme = readFileSync(new URL('../../scenarios/README.md', import.meta.url), 'utf8');
    const named = [...readme.matchAll(/^\| `(order-\d+)` \|/gm)].map((match) => match[1]);
    expect(named.sort()).toEqual(impossible.toSorted());
  });

  test('there are a night shift over midnight, both gap policies, a handover and an override', () => {
    const hours = scenario.vehicles.map((vehicle) => vehicle.working_hours);
    expect(shifts.some((shift) => shift.vehicle.id === 'van-5' && shift.start === epoch('2026-03-02T18:00:00+01:00') && shift.end === epoch('2026-03-03T02:00:00+01:00'))).toBe(true);
    expect(hours.map((hour) => hour.gap_policy)).toEqual([undefined, undefined, 'wait', 'return_to_warehouse', undefined]);
    expect(Object.keys(hours[0]!.overrides)).toEqual(['2026-03-03']);
    expect(scenario.orders.filter((order) => order.replacement_driver_id).map((order) => [order.vehicle_id, order.replacement_driver_id])).toEqual([['van-2', 'driver-6']]);
  });

  test('midnight falls into the service of one order, whenever that begins', () => {
    const midnight = epoch('2026-03-03T00:00:00+01:00');
    const rightOnIt = scenario.orders.filter((order) => {
      const latestStart = epoch(order.window_end) - order.duration_seconds;
      return latestStart < midnight && epoch(order.window_start) + order.duration_seconds > midnight;
    });
    expect(rightOnIt).toHaveLength(1);
  });

  test('every vehicle has a break on each of its days', () => {
    for (const vehicle of scenario.vehicles) {
      for (const date of ['2026-03-02', '2026-03-03']) {
        const intervals = intervalsOn(date, vehicle);
        const breaks = scenario.orders.filter((order) => order.type === 'break' && order.vehicle_id === vehicle.id && order.replacement_driver_id === undefined);
        expect(breaks.filter((order) => intervals.some((interval) => overlaps(order, interval)))).toHaveLength(1);
      }
    }
  });
});
