/** Mean radius of the Earth (IUGG). */
const EARTH_RADIUS_METRES = 6_371_008.8;
export const METRES_PER_UNIT = (EARTH_RADIUS_METRES * Math.PI) / 180e7;
export const RADIANS_PER_UNIT = Math.PI / 180e7;

/**
 * Metres between two points in units of 1e-7 degrees, on a plane that touches the Earth between them: exact to a hundred thousandth up to
 * fifty kilometres, and the same in both directions.
 */
export function metresBetween(longitude1: number, latitude1: number, longitude2: number, latitude2: number): number {
  const x = (longitude2 - longitude1) * Math.cos(((latitude1 + latitude2) / 2) * RADIANS_PER_UNIT);
  return METRES_PER_UNIT * Math.hypot(x, latitude2 - latitude1);
}

/** Clockwise from north, in degrees from 0 to 360. */
export function bearing(longitude1: number, latitude1: number, longitude2: number, latitude2: number): number {
  const x = (longitude2 - longitude1) * Math.cos(((latitude1 + latitude2) / 2) * RADIANS_PER_UNIT);
  return (Math.atan2(x, latitude2 - latitude1) * (180 / Math.PI) + 360) % 360;
}
