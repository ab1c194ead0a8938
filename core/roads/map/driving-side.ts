import type { Edges } from './edges.ts';
import { bearing } from './geo.ts';

export type DrivingSide = 'left' | 'right';

/** Less than half a circle in the whole map may be a mapper's slip. */
const DEGREES_MIN = 180;

/**
 * On which side people drive, from the way that traffic goes round roundabouts: clockwise where they drive on the left. Null where there are
 * hardly any.
 */
export function sideOfRoundabouts({ count, rulesOf, rules, firstPoint, points }: Edges): DrivingSide | null {
  let degrees = 0;
  for (let edge = 0; edge < count; edge++) {
    const { isRoundabout, car } = rules[rulesOf[edge]];
    if (!isRoundabout || (car.forward === 'no') === (car.backward === 'no')) continue;
    const turned = degreesTurned(points.subarray(2 * firstPoint[edge], 2 * firstPoint[edge + 1]));
    degrees += car.backward === 'no' ? turned : -turned;
  }
  if (Math.abs(degrees) < DEGREES_MIN) return null;
  return degrees > 0 ? 'left' : 'right';
}

/** Clockwise is positive. */
function degreesTurned(line: Int32Array): number {
  let sum = 0;
  for (let i = 4; i < line.length; i += 2) {
    const before = bearing(line[i - 4], line[i - 3], line[i - 2], line[i - 1]);
    const after = bearing(line[i - 2], line[i - 1], line[i], line[i + 1]);
    sum += ((after - before + 540) % 360) - 180;
  }
  return sum;
}
