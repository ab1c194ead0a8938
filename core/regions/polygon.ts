import type { Problem } from '../contract/errors.ts';

/** Longitude, latitude. GeoJSON allows an altitude after them, which nobody reads. */
export type Position = readonly number[];
/** Closed: the last position is the first one. */
export type Ring = readonly Position[];
/** An outline and its holes. */
export type Polygon = readonly Ring[];
export type RegionGeometry = { type: 'Polygon'; coordinates: Polygon } | { type: 'MultiPolygon'; coordinates: readonly Polygon[] };

export const polygonsOf = (geometry: RegionGeometry): readonly Polygon[] => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates);

/** Comparing all edges with one another takes some 20 ms with so many. */
const positionsMax = 5_000;
/** Twice France. What is larger than that takes more memory than one machine has. */
const squareKilometresMax = 1_000_000;
const problemsMax = 20;

/** What keeps a geometry from being the area of a region. Later rules take the earlier ones for granted, so the first that is broken is told. */
export function polygonProblems(geometry: RegionGeometry): Problem[] {
  const located = ringsOf(geometry);
  if ('path' in located) return [located];
  for (const rule of [formProblems, sideProblems, crossingProblems, nestingProblems, sizeProblems]) {
    const problems = rule(located);
    if (problems.length > 0) return problems.slice(0, problemsMax);
  }
  return [];
}

/** A ring, where it is in the body, and which of the polygons it belongs to. */
interface LocatedRing {
  path: string;
  polygon: number;
  isHole: boolean;
  positions: Ring;
}

function ringsOf({ type, coordinates }: RegionGeometry): LocatedRing[] | Problem {
  const root = '/geometry/coordinates';
  const polygons = type === 'Polygon' ? [{ path: root, rings: coordinates as unknown }] : (coordinates as unknown[]).map((rings, index) => ({ path: `${root}/${index}`, rings }));
  const located: LocatedRing[] = [];
  for (const [polygon, { path, rings }] of polygons.entries()) {
    if (!Array.isArray(rings) || rings.length === 0) return { path, message: `must be a list of rings, as a ${type} has them` };
    for (const [index, positions] of rings.entries()) {
      if (!Array.isArray(positions)) return { path: `${path}/${index}`, message: 'must be a ring: a list of positions' };
      located.push({ path: `${path}/${index}`, polygon, isHole: index > 0, positions: positions as Ring });
    }
  }
  const count = located.reduce((sum, { positions }) => sum + positions.length, 0);
  return count > positionsMax ? { path: root, message: `has ${count} positions; ${positionsMax} are allowed: simplify the outline` } : located;
}

function formProblems(rings: LocatedRing[]): Problem[] {
  return rings.flatMap(({ path, positions }) => {
    const wrong = positions.findIndex((position) => !isPosition(position));
    if (wrong >= 0) return [{ path: `${path}/${wrong}`, message: 'must be a position: [longitude, latitude] in decimal degrees' }];
    if (positions.length < 4) return [{ path, message: 'must have four positions or more, the last of them the first again' }];
    return isSame(positions[0], positions[positions.length - 1]) ? [] : [{ path, message: 'is not closed: its last position must be the same as its first' }];
  });
}

const isPosition = (position: unknown): boolean => Array.isArray(position) && (position.length === 2 || position.length === 3) && position.every((value) => typeof value === 'number' && Number.isFinite(value));
const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];

const oneSide = 'a region may not cross the antimeridian (longitude 180): make one region on each side of it';

function sideProblems(rings: LocatedRing[]): Problem[] {
  return rings.flatMap(({ path, positions }) => positions.flatMap(([longitude, latitude], index): Problem[] => {
    if (Math.abs(latitude) > 90) return [{ path: `${path}/${index}/1`, message: 'must be from -90 to 90: positions are [longitude, latitude]' }];
    if (Math.abs(longitude) > 180) return [{ path: `${path}/${index}/0`, message: `must be from -180 to 180: ${oneSide}` }];
    const before = positions[index - 1]?.[0];
    return before !== undefined && Math.abs(longitude - before) > 180 ? [{ path: `${path}/${index}/0`, message: `jumps from ${before} to ${longitude}: ${oneSide}` }] : [];
  }));
}

interface Edge {
  ring: number;
  /** Counted without edges of no length, so that neighbours differ by one. */
  place: number;
  /** Of its first position in the ring as it was sent. */
  index: number;
  a: Position;
  b: Position;
}

/** The edges sorted by where they begin along one axis; each is compared with those that begin before it ends. */
function crossingProblems(rings: LocatedRing[]): Problem[] {
  const edgesOfRing = rings.map(({ positions }, ring) => edgesOf(positions, ring));
  const flat = edgesOfRing.findIndex((edges) => edges.length < 3);
  if (flat >= 0) return [{ path: rings[flat].path, message: 'encloses nothing: it needs three different positions' }];
  const { edges, begin, end, low, high } = alongAxis(edgesOfRing.flat());
  for (let rank = 0; rank < edges.length; rank++) {
    for (let next = rank + 1; next < edges.length && begin[next] <= end[rank]; next++) {
      if (high[next] < low[rank] || high[rank] < low[next]) continue;
      const [edge, other] = [edges[rank], edges[next]];
      const contact = contactOf(edge, other);
      if (contact === 'none' || !isForbidden(edge, other, contact, edgesOfRing[edge.ring].length)) continue;
      const [first, second] = edge.ring < other.ring || (edge.ring === other.ring && edge.index < other.index) ? [edge, other] : [other, edge];
      const what = first.ring === second.ring ? 'itself' : `the ring ${rings[first.ring].path}`;
      return [{ path: `${rings[second.ring].path}/${second.index}`, message: `begins an edge that crosses or touches ${what}, near ${nearText(second)}` }];
    }
  }
  return [];
}

/** Sorted along the axis on which the edges are shorter, so that fewer of them lie beside one another; their extents as plain numbers. */
function alongAxis(edges: Edge[]) {
  const lengths = [0, 1].map((axis) => edges.reduce((sum, { a, b }) => sum + Math.abs(a[axis] - b[axis]), 0));
  const axis = lengths[0] <= lengths[1] ? 0 : 1;
  const least = (of: number) => ({ a, b }: Edge): number => Math.min(a[of], b[of]);
  const most = (of: number) => ({ a, b }: Edge): number => Math.max(a[of], b[of]);
  const sorted = [...edges].sort((one, other) => least(axis)(one) - least(axis)(other));
  return {
    edges: sorted,
    begin: Float64Array.from(sorted, least(axis)), end: Float64Array.from(sorted, most(axis)),
    low: Float64Array.from(sorted, least(1 - axis)), high: Float64Array.from(sorted, most(1 - axis)),
  };
}

const nearText = ({ a, b }: Edge): string => `${((a[0] + b[0]) / 2).toFixed(4)}, ${((a[1] + b[1]) / 2).toFixed(4)}`;

function edgesOf(positions: Ring, ring: number): Edge[] {
  const edges: Edge[] = [];
  for (let index = 0; index + 1 < positions.length; index++) {
    if (!isSame(positions[index], positions[index + 1])) edges.push({ ring, place: edges.length, index, a: positions[index], b: positions[index + 1] });
  }
  return edges;
}

/** Neighbours meet in the position that they share; rings may touch one another in a position, but a ring not itself. */
function isForbidden(one: Edge, other: Edge, contact: 'touch' | 'cross', ringLength: number): boolean {
  if (contact === 'cross') return true;
  if (one.ring !== other.ring) return false;
  const apart = Math.abs(one.place - other.place);
  return apart !== 1 && apart !== ringLength - 1;
}

/** 'cross' is a point that both have inside of them, or a common stretch; 'touch' a point at which at least one of them ends. */
function contactOf(one: Edge, other: Edge): 'none' | 'touch' | 'cross' {
  const [a, b] = [side(one, other.a), side(one, other.b)];
  const [c, d] = [side(other, one.a), side(other, one.b)];
  if (a === 0 && b === 0) return contactInLine(one, other);
  if (a * b > 0 || c * d > 0) return 'none';
  return a * b < 0 && c * d < 0 ? 'cross' : 'touch';
}

const side = ({ a, b }: Edge, point: Position): number => Math.sign((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]));

/** Edges on one line, compared along the axis on which the first is longer. */
function contactInLine(one: Edge, other: Edge): 'none' | 'touch' | 'cross' {
  const axis = Math.abs(one.b[0] - one.a[0]) >= Math.abs(one.b[1] - one.a[1]) ? 0 : 1;
  const common = Math.min(Math.max(one.a[axis], one.b[axis]), Math.max(other.a[axis], other.b[axis])) - Math.max(Math.min(one.a[axis], one.b[axis]), Math.min(other.a[axis], other.b[axis]));
  return common < 0 ? 'none' : common === 0 ? 'touch' : 'cross';
}

/** Rings do not cross, so one position that lies on neither tells for the whole ring. */
function nestingProblems(rings: LocatedRing[]): Problem[] {
  return rings.flatMap((ring): Problem[] => {
    const outline = rings.find(({ polygon, isHole }) => polygon === ring.polygon && !isHole)!;
    if (ring.isHole && placeIn(ring.positions, outline.positions) === 'outside') return [{ path: ring.path, message: 'is a hole outside of its polygon' }];
    const rival = rings.find((other) => other !== ring && other.isHole === ring.isHole && (other.polygon === ring.polygon) === ring.isHole && placeIn(ring.positions, other.positions) === 'inside' && !isInHole(ring, other, rings));
    return rival === undefined ? [] : [{ path: ring.path, message: `lies within ${rival.path}` }];
  });
}

/** An island in a lake of another polygon is no overlap. */
const isInHole = (ring: LocatedRing, other: LocatedRing, rings: LocatedRing[]): boolean =>
  !ring.isHole && rings.some((hole) => hole.isHole && hole.polygon === other.polygon && placeIn(ring.positions, hole.positions) === 'inside');

function placeIn(positions: Ring, ring: Ring): 'inside' | 'outside' | 'on' {
  for (const position of positions) {
    const place = placeOf(position, ring);
    if (place !== 'on') return place;
  }
  return 'on';
}

/** By the number of edges to the east (Hormann and Agathos, 2001). */
function placeOf([x, y]: Position, ring: Ring): 'inside' | 'outside' | 'on' {
  let isInside = false;
  for (let index = 0; index + 1 < ring.length; index++) {
    const edge = { a: ring[index], b: ring[index + 1] } as Edge;
    const [[ax, ay], [bx, by]] = [edge.a, edge.b];
    if (side(edge, [x, y]) === 0 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by)) return 'on';
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
  }
  return isInside ? 'inside' : 'outside';
}

function sizeProblems(rings: LocatedRing[]): Problem[] {
  const area = rings.reduce((sum, { positions, isHole }) => sum + (isHole ? -1 : 1) * squareKilometres(positions), 0);
  if (area <= squareKilometresMax) return [];
  return [{ path: '/geometry', message: `covers ${Math.round(area).toLocaleString('en')} square kilometres; ${squareKilometresMax.toLocaleString('en')} are allowed: make several regions` }];
}

/** On a sphere: R. G. Chamberlain and W. H. Duquette, Some Algorithms for Polygons on a Sphere, 2007, equation 4. */
export function squareKilometres(ring: Ring): number {
  let sum = 0;
  for (let index = 0; index + 1 < ring.length; index++) {
    const [[ax, ay], [bx, by]] = [ring[index], ring[index + 1]];
    sum += radians(bx - ax) * (2 + Math.sin(radians(ay)) + Math.sin(radians(by)));
  }
  return Math.abs(sum / 2) * earthRadiusKilometres ** 2;
}

const earthRadiusKilometres = 6_371.0088;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
