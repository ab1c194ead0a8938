import { expect, test } from '@jest/globals';
import { epoch, intervalsOn, readScenario, travelOf } from './read-scenario.ts';

const tiny = readScenario('tiny');
const travel = travelOf(tiny);
/** Both vans work the same hours from the same place. */
const shift = intervalsOn('2026-03-02', tiny.vehicles[0]!)[0]!;

/** Seconds of travel of one van that serves these orders in this order; null when it cannot. */
function travelSeconds(route: string[]): number | null {
  let now = shift.start;
  let place = 'depot';
  let sum = 0;
  for (const id of route) {
    const order = tiny.orders.find((candidate) => candidate.id === id)!;
    sum += travel(place, id);
    now = Math.max(now + travel(place, id), epoch(order.window_start)) + order.duration_seconds;
    if (now > epoch(order.window_end)) return null;
    place = id;
  }
  const back = travel(place, 'depot');
  return now + back > shift.end ? null : sum + back;
}

function permutations(items: string[]): string[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

/** Every way to share out the orders between two vans, in every order: the feasible ones with their travel. */
function allPlans(): { routes: string[]; seconds: number }[] {
  const orders = tiny.orders.map((order) => order.id);
  const plans: { routes: string[]; seconds: number }[] = [];
  for (let share = 0; share < 2 ** orders.length; share++) {
    const first = permutations(orders.filter((_, i) => share & (1 << i)));
    const second = permutations(orders.filter((_, i) => !(share & (1 << i))));
    for (const a of first) for (const b of second) {
      const [one, other] = [travelSeconds(a), travelSeconds(b)];
      if (one !== null && other !== null) plans.push({ routes: [a.join(' '), b.join(' ')].sort(), seconds: one + other });
    }
  }
  return plans.sort((a, b) => a.seconds - b.seconds);
}

test('the best plan of tiny.json is the one that the README works out: 48 minutes of travel, and no other is as short', () => {
  const plans = allPlans();
  // Each plan is there twice, because the vans are alike.
  expect(plans[0]).toEqual({ routes: ['order-2 order-1', 'order-3 order-4 order-5'], seconds: 48 * 60 });
  expect(plans[1]).toEqual(plans[0]);
  expect(plans[2]!.seconds).toBeGreaterThan(48 * 60);
});

test('one van alone cannot serve all of tiny.json', () => {
  const orders = tiny.orders.map((order) => order.id);
  expect(permutations(orders).every((route) => travelSeconds(route) === null)).toBe(true);
});
