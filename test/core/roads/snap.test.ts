import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildGraph } from '../../../core/roads/build-graph.ts';
import { snap, snapper } from '../../../core/roads/snap.ts';

type Place = [longitude: number, latitude: number];

const graphAt = (...places: Place[]) => buildGraph({ nodes: places.map(([x, y], i) => ({ id: `n${i}`, x, y })), edges: [] });

/** Along the surface by the haversine formula, which shares nothing with the code under test. */
function haversineMetres([lon1, lat1]: Place, [lon2, lat2]: Place): number {
  const rad = Math.PI / 180;
  const h = Math.sin(((lat2 - lat1) * rad) / 2) ** 2 + Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lon2 - lon1) * rad) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(Math.min(1, h)));
}

describe('snapping', () => {
  test('finds the nearest node and how far away it is', () => {
    // One hundredth of a degree of latitude is 1111.95 m on a sphere of this radius.
    expect(snap(graphAt([13, 52], [13, 52.02]), 13, 52.01 - 0.000001)).toEqual({ node: 0, metres: expect.closeTo(1111.84, 1) });
  });

  test('counts a degree of longitude as short as it is in the north', () => {
    // At 60 degrees one degree of longitude is half as long: 1.5 of them are nearer than one of latitude.
    expect(snap(graphAt([10, 61], [11.5, 60]), 10, 60).node).toBe(1);
  });

  test('sees over the date line', () => {
    const graph = graphAt([179, 0], [-179.9, 0], [178, 0]);
    expect(snap(graph, 179.9, 0)).toEqual({ node: 1, metres: expect.closeTo(22_239, 0) });
    expect(snap(graph, -180, 0).node).toBe(1);
    expect(snap(graph, 180, 0).node).toBe(1);
  });

  test('sees over the poles', () => {
    const graph = graphAt([0, 80], [180, 89], [90, -89.5]);
    expect(snap(graph, 0, 88).node).toBe(1);
    expect(snap(graph, -90, -89.9).node).toBe(2);
    expect(snap(graph, 123, 90).node).toBe(1);
  });

  test('takes the lowest index of nodes that are equally far', () => {
    expect(snap(graphAt([2, 0], [1, 0], [-1, 0], [1, 0]), 0, 0).node).toBe(1);
    expect(snap(graphAt([5, 5], [5, 5], [5, 5]), 6, 6).node).toBe(0);
    // Rounding makes one of these four nearer by less than an atom.
    const around: Place[] = [[13.4 + 0.01, 52.5], [13.4 - 0.01, 52.5]];
    expect(snap(graphAt(...around), 13.4, 52.5).node).toBe(0);
    expect(snap(graphAt(...around.toReversed()), 13.4, 52.5).node).toBe(0);
  });

  test('finds the only node from the other side of the world', () => {
    expect(snap(graphAt([0, 0]), 180, 0)).toEqual({ node: 0, metres: expect.closeTo(20_015_114, 0) });
  });

  test('of many points uses the same search', () => {
    const graph = graphAt([0, 0], [1, 1]);
    expect(snapper(graph)(0.9, 0.9)).toEqual(snap(graph, 0.9, 0.9));
  });

  test('agrees with looking at every node', () => {
    // A coarse lattice full of ties, or the whole sphere.
    const lattice = fc.tuple(fc.integer({ min: -4, max: 4 }).map((n) => n * 45), fc.integer({ min: -4, max: 4 }).map((n) => n * 22.5));
    const anywhere = fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true }));
    const town = fc.tuple(fc.double({ min: 13.3, max: 13.4, noNaN: true }), fc.double({ min: 52.4, max: 52.5, noNaN: true }));
    for (const place of [lattice, anywhere, town]) {
      fc.assert(fc.property(fc.array(place, { minLength: 1, maxLength: 60 }), place, (places, point) => {
        const found = snap(graphAt(...places), ...point);
        const distances = places.map((other) => haversineMetres(point, other));
        const least = Math.min(...distances);
        // Half a millimetre of rounding on both sides; haversine itself is good to some centimetres on the far side of the world.
        const tolerance = least > 1e7 ? 1 : 0.0011;
        expect(Math.abs(distances[found.node]! - least)).toBeLessThanOrEqual(tolerance);
        expect(Math.abs(found.metres - least)).toBeLessThanOrEqual(tolerance);
        if (least < 1e7) expect(found.node).toBeLessThanOrEqual(distances.findIndex((distance) => distance - least < 1e-5));
      }), { numRuns: 300 });
    }
  });

  test('agrees with looking at every node of a large, crooked town', () => {
    const places: Place[] = [];
    for (let i = 0; i < 3000; i++) places.push([11 + ((i * 7919) % 3001) / 3e4, 48 + ((i * 104_729) % 2999) / 3e4]);
    const graph = graphAt(...places);
    for (let i = 0; i < 200; i++) {
      const point: Place = [11 + ((i * 31) % 200) / 2000, 48 + ((i * 57) % 200) / 2000];
      const least = Math.min(...places.map((other) => haversineMetres(point, other)));
      expect(snap(graph, ...point).metres).toBeCloseTo(least, 2);
    }
  });
});
