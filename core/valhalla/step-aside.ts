import type { Point } from './queries.ts';

/** A road at a point, in Valhalla's terms. */
export interface OpenRoad {
  edge_info?: { way_id: number; shape: readonly Point[] };
}

/** Farther from a junction than Valhalla takes for being at it. */
const METRES = 8;
const METRES_PER_DEGREE = 111_195;

/**
 * At a junction Valhalla sets out along any road, also along one whose limits close it to the vehicle: it holds limits against roads that are come to
 * and not against those that are begun on. So where a closed road meets open ones, journeys begin and end a few metres along an open one: the
 * longest, and rather one that can be driven both ways. Null where none is long enough.
 */
export function stepAside(at: Point, open: readonly OpenRoad[]): Point | null {
  const roads = [...Map.groupBy(open.flatMap(({ edge_info: info }) => (info ? [info] : [])), ({ way_id: way, shape }) => `${way} ${shape.map(String).toSorted().join()}`).values()];
  const [best] = roads
    .map((directions) => ({ shape: awayFrom(at, directions[0]!.shape), directions: directions.length }))
    .map((road) => ({ ...road, metres: lengthOf(road.shape) }))
    .filter(({ metres }) => metres >= 2 * METRES)
    .sort((a, b) => b.directions - a.directions || b.metres - a.metres);
  return best === undefined ? null : pointAlong(best.shape, METRES);
}

const awayFrom = (at: Point, shape: readonly Point[]): readonly Point[] => (metresBetween(at, shape[0]!) <= metresBetween(at, shape.at(-1)!) ? shape : shape.toReversed());

const lengthOf = (shape: readonly Point[]): number => shape.slice(1).reduce((sum, to, index) => sum + metresBetween(shape[index]!, to), 0);

function pointAlong(shape: readonly Point[], metres: number): Point {
  let left = metres;
  for (const [index, to] of shape.slice(1).entries()) {
    const from = shape[index]!;
    const length = metresBetween(from, to);
    if (length > 0 && left <= length) return [from[0] + (to[0] - from[0]) * left / length, from[1] + (to[1] - from[1]) * left / length];
    left -= length;
  }
  return shape.at(-1)!;
}

/** On a plane: they are near to one another. */
function metresBetween([west, south]: Point, [east, north]: Point): number {
  return METRES_PER_DEGREE * Math.hypot((east - west) * Math.cos(south * Math.PI / 180), north - south);
}
