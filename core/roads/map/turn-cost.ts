import type { DrivingSide } from './driving-side.ts';
import { bearing, metresBetween } from './geo.ts';
import type { VehicleKind } from './vehicle.ts';

/**
 * Milliseconds that a turn takes beyond driving at full speed up to it and away from it, by its angle in degrees: 0 is straight on, positive
 * is to the right. The curve is that of OSRM's car profile (profiles/car.lua, BSD-2): hardly anything straight on, rising steeply around
 * a right angle; dearer across the traffic that comes the other way.
 */
export function turnMilliseconds(degrees: number, kind: VehicleKind, side: DrivingSide): number {
  const bias = side === 'right' ? ACROSS_TRAFFIC : 1 / ACROSS_TRAFFIC;
  const sharpness = degrees / 180;
  const exponent = degrees >= 0 ? (13 / bias) * sharpness - 6.5 * bias : 13 * bias * -sharpness - 6.5 / bias;
  return Math.round(TURN_MILLISECONDS[kind] / (1 + Math.exp(-exponent)));
}

const ACROSS_TRAFFIC = 1.075;
const TURN_MILLISECONDS: Record<VehicleKind, number> = { car: 7_500, truck: 10_000 };

/** On top of a turn by 180 degrees. */
export const U_TURN_MILLISECONDS: Record<VehicleKind, number> = { car: 20_000, truck: 45_000 };

/** Mappers bend the last metres of a road towards the middle of the road it meets; the direction is taken from a little further. */
const HEADING_METRES = 12;

/** The bearing with which a line of points leaves its first point. */
export function headingAtStart(line: Int32Array): number {
  return headingOf(line, 0, 2);
}

/** The bearing with which a line of points arrives at its last point. */
export function headingAtEnd(line: Int32Array): number {
  return (headingOf(line, line.length - 2, -2) + 180) % 360;
}

function headingOf(line: Int32Array, start: number, step: number): number {
  let at = start + step;
  while (at + step >= 0 && at + step < line.length && metresBetween(line[start], line[start + 1], line[at], line[at + 1]) < HEADING_METRES) at += step;
  return bearing(line[start], line[start + 1], line[at], line[at + 1]);
}

/** From -180 to 180, positive to the right. */
export function turnDegrees(headingBefore: number, headingAfter: number): number {
  return ((headingAfter - headingBefore + 540) % 360) - 180;
}
