import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { polygonProblems, squareKilometres, type Position, type RegionGeometry, type Ring } from '../../../core/regions/polygon.ts';

const square = (x: number, y: number, size: number): number[][] => [[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]];
const polygon = (...rings: unknown[]): RegionGeometry => ({ type: 'Polygon', coordinates: rings }) as never;
const multi = (...polygons: unknown[]): RegionGeometry => ({ type: 'MultiPolygon', coordinates: polygons }) as never;
const first = (geometry: RegionGeometry): string | null => {
  const [problem] = polygonProblems(geometry);
  return problem ? `${problem.path} ${problem.message}` : null;
};

describe('an area', () => {
  test.each<[string, RegionGeometry]>([
    ['a square', polygon(square(14, 35, 1))],
    ['either way round', polygon(square(14, 35, 1).toReversed())],
    ['with an altitude', polygon(square(14, 35, 1).map((position) => [...position, 12]))],
    ['with a hole', polygon(square(14, 35, 1), square(14.2, 35.2, 0.2))],
    ['with a hole that touches the outline in a position', polygon(square(14, 35, 1), [[14, 35.5], [14.5, 35.4], [14.5, 35.6], [14, 35.5]])],
    ['with a position that is there twice', polygon([[14, 35], [15, 35], [15, 35], [15, 36], [14, 35]])],
    ['two islands', multi([square(14, 35, 1)], [square(16, 35, 1)])],
    ['an island in a lake', multi([square(14, 35, 1), square(14.2, 35.2, 0.6)], [square(14.4, 35.4, 0.2)])],
    ['beside the antimeridian', polygon(square(179, -18, 1))],
    ['at the pole', polygon(square(10, 89, 1))],
  ])('may be %s', (_what, geometry) => expect(first(geometry)).toBeNull());

  test.each<[string, RegionGeometry, string]>([
    ['an empty polygon', polygon([]), '/geometry/coordinates/0 must have four positions'],
    ['a list of positions without a ring', polygon(...square(14, 35, 1)), '/geometry/coordinates/0/0 must be a position'],
    ['the nesting of another type', multi(square(14, 35, 1)), '/geometry/coordinates/0/0/0 must be a position'],
    ['texts', polygon([['14', 35], [15, 35], [15, 36], ['14', 35]]), '/geometry/coordinates/0/0 must be a position'],
    ['a number missing', polygon([[14, 35], [15], [15, 36], [14, 35]]), '/geometry/coordinates/0/1 must be a position'],
    ['three positions', polygon([[14, 35], [15, 35], [14, 35]]), '/geometry/coordinates/0 must have four positions'],
    ['an open ring', polygon(square(14, 35, 1).slice(0, 4)), '/geometry/coordinates/0 is not closed'],
    ['an open hole', polygon(square(14, 35, 1), [[14.2, 35.2], [14.3, 35.2], [14.3, 35.3], [14.2, 35.3]]), '/geometry/coordinates/1 is not closed'],
    ['latitude before longitude', polygon([[35, 140], [36, 140], [36, 141], [35, 140]]), '/geometry/coordinates/0/0/1 must be from -90 to 90: positions are [longitude, latitude]'],
    ['past 180', polygon(square(179.5, -18, 1)), '/geometry/coordinates/0/1/0 must be from -180 to 180: a region may not cross the antimeridian'],
    ['across the antimeridian', polygon([[179, -18], [-179, -18], [-179, -17], [179, -17], [179, -18]]), '/geometry/coordinates/0/1/0 jumps from 179 to -179: a region may not cross the antimeridian'],
    ['one position', polygon([[14, 35], [14, 35], [14, 35], [14, 35]]), '/geometry/coordinates/0 encloses nothing'],
    ['there and back', polygon([[14, 35], [15, 35], [14, 35], [14, 35]]), '/geometry/coordinates/0 encloses nothing'],
    ['a line', polygon([[14, 35], [15, 35], [16, 35], [14, 35]]), '/geometry/coordinates/0/2 begins an edge that crosses or touches itself'],
    ['a bow tie', polygon([[14, 35], [15, 36], [15, 35], [14, 36], [14, 35]]), '/geometry/coordinates/0/2 begins an edge that crosses or touches itself, near 14.5000, 35.5000'],
    ['a ring that touches itself', polygon([[14, 35], [16, 35], [16, 37], [15, 35], [14, 37], [14, 35]]), 'crosses or touches itself'],
    ['a spike', polygon([[14, 35], [15, 35], [15, 36], [16, 37], [15, 36], [14, 36], [14, 35]]), 'crosses or touches itself'],
    ['a hole across the outline', polygon(square(14, 35, 1), square(14.5, 35.5, 1)), '/geometry/coordinates/1/3 begins an edge that crosses or touches the ring /geometry/coordinates/0'],
    ['a hole outside', polygon(square(14, 35, 1), square(17, 35, 0.5)), '/geometry/coordinates/1 is a hole outside of its polygon'],
    ['a hole within a hole', polygon(square(14, 35, 1), square(14.2, 35.2, 0.6), square(14.4, 35.4, 0.2)), '/geometry/coordinates/2 lies within /geometry/coordinates/1'],
    ['an island on land', multi([square(14, 35, 1)], [square(14.2, 35.2, 0.2)]), '/geometry/coordinates/1/0 lies within /geometry/coordinates/0/0'],
    ['neighbours with a common border', multi([square(14, 35, 1)], [square(15, 35, 1)]), 'crosses or touches the ring'],
    ['half of Africa', polygon(square(0, 0, 20)), '/geometry covers 4,8'],
    ['too many positions', polygon(Array.from({ length: 5_001 }, () => [14, 35])), '/geometry/coordinates has 5001 positions; 5000 are allowed'],
  ])('is never %s', (_what, geometry, told) => expect(first(geometry)).toContain(told));

  test('of the largest size is judged in a moment, however its edges lie', () => {
    // A comb: every edge spans the whole width.
    const teeth = Array.from({ length: 2_490 }, (_, index) => [[index % 2 === 0 ? 10 : 11, 40 + index * 1e-4], [index % 2 === 0 ? 11 : 10, 40 + index * 1e-4]]).flat();
    expect(first(polygon([...teeth, [9, 41], [9, 40], teeth[0]]))).toBeNull();
  });
});

/** Every pair of edges, by the definition. */
function crossesItself(ring: Ring): boolean {
  const turn = (a: Position, b: Position, c: Position) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  const within = (a: Position, b: Position, c: Position) => turn(a, b, c) === 0 && c[0] >= Math.min(a[0], b[0]) && c[0] <= Math.max(a[0], b[0]) && c[1] >= Math.min(a[1], b[1]) && c[1] <= Math.max(a[1], b[1]);
  const meet = (a: Position, b: Position, c: Position, d: Position) => within(a, b, c) || within(a, b, d) || within(c, d, a) || within(c, d, b) || (turn(a, b, c) !== turn(a, b, d) && turn(c, d, a) !== turn(c, d, b) && [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)].every((side) => side !== 0));
  const count = ring.length - 1;
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const isNext = j === i + 1;
      const isRound = i === 0 && j === count - 1;
      if (isNext ? within(ring[i], ring[i + 1], ring[j + 1]) || within(ring[j], ring[j + 1], ring[i]) : isRound ? within(ring[j], ring[j + 1], ring[1]) || within(ring[0], ring[1], ring[j]) : meet(ring[i], ring[i + 1], ring[j], ring[j + 1])) return true;
    }
  }
  return false;
}

test('rings of random positions on a grid are refused exactly where they meet themselves', () => {
  const positions = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { minLength: 3, maxLength: 7, selector: String });
  fc.assert(fc.property(positions, (corners) => {
    const ring = [...corners, corners[0]].map(([x, y]) => [10 + x / 10, 40 + y / 10]);
    // Tenths are not exact; the grid is.
    const exact = [...corners, corners[0]];
    expect(polygonProblems(polygon(ring.map(([x, y]) => [Math.round(x * 10), Math.round(y * 10)].map((value) => value / 16)))).length > 0).toBe(crossesItself(exact));
  }), { numRuns: 3_000, seed: 11 });
});

test('the area of a square degree at the equator is known', () => {
  expect(squareKilometres(square(0, 0, 1))).toBeCloseTo(12_363.7, 0);
});
