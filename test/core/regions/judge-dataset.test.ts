import { describe, expect, test } from '@jest/globals';
import { driftOf, isDrift } from '../../../core/regions/drift.ts';
import { engineBuilders } from '../../../core/regions/build/engine-builders.ts';
import { judgeNeeds, judgeRoutes, judgeSize, metresBetween } from '../../../core/regions/judge-dataset.ts';

const probes = Array.from({ length: 11 }, (_, index) => ({ latitude: 52, longitude: 13 + index / 100 }));
const apart = metresBetween(probes[0], probes[1]);
const leg = (share = 1.3, metresPerSecond = 12) => ({ metres: apart * share, seconds: (apart * share) / metresPerSecond });
const legs = (reached: number) => Array.from({ length: 10 }, (_, index) => (index < reached ? leg() : null));

test('a hundredth of a degree at 52° north is known', () => {
  expect(apart).toBeCloseTo(684.6, 0);
});

describe('test routes', () => {
  test('of islands are in order, of a map in pieces they are not', () => {
    expect(() => judgeRoutes(probes, legs(3))).not.toThrow();
    expect(() => judgeRoutes(probes, legs(2))).toThrow('of 10 test routes within the polygon only 2 could be found');
    expect(() => judgeRoutes(probes, legs(0))).toThrow('in pieces');
    expect(() => judgeRoutes(probes.slice(0, 1), [])).not.toThrow();
  });

  test('shorter than the straight line or faster than anybody drives make no sense', () => {
    const far = [probes[0], { latitude: 52, longitude: 14 }];
    const straight = metresBetween(far[0], far[1]);
    expect(() => judgeRoutes(far, [{ metres: straight * 1.2, seconds: 4_000 }])).not.toThrow();
    expect(() => judgeRoutes(far, [{ metres: straight / 2, seconds: 4_000 }])).toThrow('makes no sense');
    expect(() => judgeRoutes(far, [{ metres: straight * 1.2, seconds: 400 }])).toThrow('makes no sense');
  });
});

describe('the size of a dataset', () => {
  const facts = (nodes: number, edges = 2 * nodes) => ({ nodes, edges, bytes: 1, format: 'x' });
  test('has to be some, and not much less than before', () => {
    expect(() => judgeSize(facts(2), null)).not.toThrow();
    expect(() => judgeSize(facts(1), null)).toThrow('There are no roads');
    expect(() => judgeSize(facts(50), facts(100))).not.toThrow();
    expect(() => judgeSize(facts(49), facts(100))).toThrow('the region has 49 nodes and 98 edges on it, where 100 and 200 are installed');
    expect(() => judgeSize(facts(80, 10), facts(100))).toThrow('looks incomplete');
  });
});

describe('what a build needs', () => {
  const has = { memoryLimitBytes: 500e6, memoryFreeBytes: 400e6, diskFreeBytes: 300e6, directory: '/srv' };
  test.each([
    [{ memoryBytes: 600e6, diskBytes: 0 }, /takes about 600 MB of memory, and 500 MB are allowed.*MILKRUN_MAP_MEMORY/],
    [{ memoryBytes: 450e6, diskBytes: 0 }, /takes about 450 MB of memory, and only 400 MB are free on this machine/],
    [{ memoryBytes: 0, diskBytes: 301e6 }, /take about 301 MB while they are built, and only 300 MB are free on the disk of \/srv/],
  ])('has to be there: %j', (needs, message) => {
    expect(() => judgeNeeds(needs, has)).toThrow(message);
  });

  test('and is known for both engines: more for more', () => {
    expect(() => judgeNeeds({ memoryBytes: 400e6, diskBytes: 300e6 }, has)).not.toThrow();
    for (const { needs } of Object.values(engineBuilders)) {
      const [small, large] = [needs(3e6), needs(3e9)];
      expect(small.memoryBytes).toBeGreaterThan(100e6);
      expect([large.memoryBytes > 100 * small.memoryBytes, large.diskBytes > 10 * small.diskBytes]).toEqual([true, true]);
    }
  });
});

describe('a drift of a plan', () => {
  const plan = { id: 'p', vehicleId: 'van', shiftDate: '2026-03-02' };
  const drift = (before: (number | null)[], after: (number | null)[]) => driftOf(plan, before.map((seconds) => seconds === null ? null : { seconds, metres: 1 }), after.map((seconds) => seconds === null ? null : { seconds, metres: 1 }));

  test('is that of the legs that had a way', () => {
    expect(drift([600, null, 600], [700, 100, null])).toEqual({ plan_id: 'p', vehicle_id: 'van', date: '2026-03-02', seconds_before: 1_200, seconds_after: 700, unreachable_legs: 1 });
  });

  test.each<[string, (number | null)[], (number | null)[], boolean]>([
    ['minutes of hours', [10_000], [10_900], false], ['a tenth and five minutes', [3_000], [3_300], true], ['a tenth of a moment', [600], [899], false], ['less than before', [6_000], [5_000], true],
    ['no way any more', [60, 60], [60, null], true], ['outside of the region before and after', [null, null], [null, 60], false],
  ])('counts or not: %s', (_what, before, after, counts) => {
    expect(isDrift(drift(before, after))).toBe(counts);
  });
});
