import { METRES_PER_UNIT, metresBetween, RADIANS_PER_UNIT } from '../../../core/roads/map/geo.ts';
import { GOOD_STOP, type RoadMap } from '../../../core/roads/map/road-map.ts';
import { UNITS_PER_DEGREE } from '../../../core/osm/elements.ts';
import { createRandom } from '../../../core/solver/random.ts';

const SEED = 42;
const NOISE_METRES = 20;

/** Points beside the roads of cars, each metre of road as likely as any other, and up to 20 m off to the east or west, north or south: always the same ones. */
export function pointsOnRoads({ edgeCount, firstPoint, points, centimetres, graphs }: RoadMap, count: number): [longitude: number, latitude: number][] {
  const random = createRandom(SEED);
  const share = () => (random.bits() >>> 0) / 2 ** 32;
  const noise = () => NOISE_METRES * (2 * share() - 1);
  const reached = new Float64Array(edgeCount);
  let total = 0;
  for (let edge = 0; edge < edgeCount; edge++) reached[edge] = total += (graphs.car!.stops[edge] & GOOD_STOP) === 0 ? 0 : centimetres[edge];
  return Array.from({ length: count }, () => {
    const wanted = share() * total;
    const edge = firstAbove(reached, wanted);
    let metres = Math.max(0, (wanted - reached[edge] + centimetres[edge]) / 100);
    let at = 2 * firstPoint[edge];
    const lengthAt = () => metresBetween(points[at], points[at + 1], points[at + 2], points[at + 3]);
    for (; at < 2 * firstPoint[edge + 1] - 4 && metres > lengthAt(); at += 2) metres -= lengthAt();
    const along = Math.min(1, metres / Math.max(lengthAt(), 0.001));
    const [x, y] = [points[at] + along * (points[at + 2] - points[at]), points[at + 1] + along * (points[at + 3] - points[at + 1])];
    const [east, north] = [noise() / (METRES_PER_UNIT * Math.cos(y * RADIANS_PER_UNIT)), noise() / METRES_PER_UNIT];
    return [Math.round(x + east) / UNITS_PER_DEGREE, Math.round(y + north) / UNITS_PER_DEGREE];
  });
}

function firstAbove(ascending: Float64Array, value: number): number {
  let [least, after] = [0, ascending.length - 1];
  while (least < after) {
    const middle = (least + after) >> 1;
    if (ascending[middle] > value) after = middle;
    else least = middle + 1;
  }
  return least;
}
