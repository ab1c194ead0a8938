import { UNITS_PER_DEGREE } from './elements.ts';
import type { Bounds } from './elements.ts';

/** GeoJSON: rings of [longitude, latitude], closed, the first of a polygon its outline and the others holes. */
export type AreaGeometry = { type: 'Polygon'; coordinates: Ring[] } | { type: 'MultiPolygon'; coordinates: Ring[][] };
type Ring = readonly (readonly number[])[];

export interface Area {
  bounds: Bounds;
  contains(longitudeE7: number, latitudeE7: number): boolean;
}

/** What is wrong with a geometry as an area, or null. Whether rings cross themselves or each other is not looked at: inside is by the even-odd rule. */
export function areaProblem(geometry: AreaGeometry): string | null {
  const polygons = polygonsOf(geometry);
  if (polygons.length === 0) return 'must have at least one polygon';
  for (const rings of polygons) {
    if (rings.length === 0) return 'a polygon must have an outline';
    for (const ring of rings) {
      const problem = ringProblem(ring);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function ringProblem(ring: Ring): string | null {
  if (ring.length < 4) return 'a ring must have at least four positions';
  for (const [longitude, latitude] of ring) {
    if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) return `[${longitude}, ${latitude}] is no longitude and latitude; cut areas over the antimeridian in two`;
  }
  const [first, last] = [ring[0], ring.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? null : 'a ring must end where it begins';
}

/** An area to ask many points about. Throws RangeError where `areaProblem` has something to say. */
export function areaOf(geometry: AreaGeometry): Area {
  const problem = areaProblem(geometry);
  if (problem !== null) throw new RangeError(`the area cannot be used: ${problem}`);
  const polygons = polygonsOf(geometry).map((rings) => new BandedPolygon(rings));
  return {
    bounds: {
      westE7: Math.min(...polygons.map(({ bounds }) => bounds.westE7)), southE7: Math.min(...polygons.map(({ bounds }) => bounds.southE7)),
      eastE7: Math.max(...polygons.map(({ bounds }) => bounds.eastE7)), northE7: Math.max(...polygons.map(({ bounds }) => bounds.northE7)),
    },
    contains: (longitudeE7, latitudeE7) => polygons.some((polygon) => polygon.contains(longitudeE7, latitudeE7)),
  };
}

function polygonsOf(geometry: AreaGeometry): readonly (readonly Ring[])[] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
}

const BANDS_MAX = 4096;

/** The sides of a polygon sorted into bands of latitude, so that a point is compared with those of its own band only. */
class BandedPolygon {
  readonly bounds: Bounds = { westE7: Infinity, southE7: Infinity, eastE7: -Infinity, northE7: -Infinity };
  /** x1, y1, x2, y2 of each side in whole units. */
  private readonly sides: Int32Array;
  private readonly bandHeight: number;
  private readonly bands: number[][];

  constructor(rings: readonly Ring[]) {
    const sides: number[] = [];
    for (const ring of rings) {
      const units = ring.map(([longitude, latitude]) => [Math.round(longitude * UNITS_PER_DEGREE), Math.round(latitude * UNITS_PER_DEGREE)]);
      for (const [x, y] of units) this.extend(x, y);
      for (let i = 1; i < units.length; i++) sides.push(...units[i - 1], ...units[i]);
    }
    this.sides = Int32Array.from(sides);
    const count = Math.min(BANDS_MAX, Math.ceil(sides.length / 8));
    this.bandHeight = (this.bounds.northE7 - this.bounds.southE7 + 1) / count;
    this.bands = Array.from({ length: count }, () => []);
    for (let side = 0; side < this.sides.length; side += 4) {
      const [low, high] = [this.sides[side + 1], this.sides[side + 3]].sort((a, b) => a - b);
      for (let band = this.bandOf(low); band <= this.bandOf(high); band++) this.bands[band].push(side);
    }
  }

  /** By the even-odd rule: a ray to the east crosses the sides an odd number of times. Sides hold their lower end and not their upper. */
  contains(x: number, y: number): boolean {
    const { westE7, southE7, eastE7, northE7 } = this.bounds;
    if (x < westE7 || x > eastE7 || y < southE7 || y > northE7) return false;
    const { sides } = this;
    let isInside = false;
    for (const side of this.bands[this.bandOf(y)]) {
      const [y1, y2] = [sides[side + 1], sides[side + 3]];
      if (y1 > y === y2 > y) continue;
      const [x1, x2] = [sides[side], sides[side + 2]];
      if (x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
    return isInside;
  }

  private bandOf(y: number): number {
    return Math.floor((y - this.bounds.southE7) / this.bandHeight);
  }

  private extend(x: number, y: number): void {
    const { bounds } = this;
    bounds.westE7 = Math.min(bounds.westE7, x);
    bounds.eastE7 = Math.max(bounds.eastE7, x);
    bounds.southE7 = Math.min(bounds.southE7, y);
    bounds.northE7 = Math.max(bounds.northE7, y);
  }
}
