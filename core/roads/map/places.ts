import { UNITS_PER_DEGREE } from '../../osm/elements.ts';
import type { DirectWay } from '../hierarchy/many-to-many.ts';
import type { Candidate } from '../hierarchy/places.ts';
import { boxLevels, EDGES_PER_BOX } from './edge-boxes.ts';
import { metresBetween, METRES_PER_UNIT, RADIANS_PER_UNIT } from './geo.ts';
import { GOOD_STOP } from './road-map.ts';
import { nodesOf } from './vehicle-graph.ts';
import type { VehicleGraph } from './vehicle-graph.ts';

/** A point on the roads that journeys begin and end at. */
export interface Place {
  edge: number;
  /** From the first point of the edge. */
  alongCentimetres: number;
  /** On the road, in degrees. */
  longitude: number;
  latitude: number;
  /** How far the point that was asked for is from there. */
  metres: number;
  /** The edge in the directions that may be driven. */
  directions: PlaceDirection[];
  /** Where a journey from here goes on after the present edge, and what it has cost by then. */
  sources: Candidate[];
  /** Nodes of the present edge, and what it costs from the beginning of the edge to here. */
  targets: Candidate[];
}

export interface PlaceDirection {
  directed: number;
  /** From the beginning of the edge in that direction. */
  milliseconds: number;
  centimetres: number;
}

export interface PlaceOptions {
  /** Points farther than this from any road have no place. */
  metresMax?: number;
  /** How much farther a road may be for being on a large part that hangs together, and neither a motorway nor a tunnel. */
  betterWithinMetres?: number;
}

export const PLACE_METRES_MAX = 2000;
export const BETTER_WITHIN_METRES = 100;

/**
 * The place on the roads nearest to a point, for the vehicle of a graph; null where there is none near enough. Distances are compared in whole
 * millimetres on a plane that touches the Earth at the point, so that rounding does not decide; of equally near roads the one with the
 * lowest number is taken. A point at the antimeridian finds only what is on its own side.
 */
export function findPlace(graph: VehicleGraph, longitude: number, latitude: number, options: PlaceOptions = {}): Place | null {
  const nearest = nearestEdge(graph, Math.round(longitude * UNITS_PER_DEGREE), Math.round(latitude * UNITS_PER_DEGREE), options);
  return nearest && placeOn(graph, nearest);
}

interface Nearest {
  edge: number;
  /** Place of the stretch's first coordinate in `points`, and the share of the stretch. */
  at: number;
  share: number;
  millimetres: number;
}

function nearestEdge(graph: VehicleGraph, x: number, y: number, { metresMax = PLACE_METRES_MAX, betterWithinMetres = BETTER_WITHIN_METRES }: PlaceOptions): Nearest | null {
  const { map, roads, isBarred } = graph;
  const { boxes, edgeCount, firstPoint, points } = map;
  const levels = boxLevels(edgeCount);
  const eastMetres = METRES_PER_UNIT * Math.cos(y * RADIANS_PER_UNIT);
  const limit = 1000 * metresMax;
  const tolerance = 1000 * betterWithinMetres;
  let any: Nearest | null = null;
  let good: Nearest | null = null;

  const boxMillimetres = (box: number): number => {
    const dx = Math.max(boxes[box] - x, 0, x - boxes[box + 2]) * eastMetres;
    const dy = Math.max(boxes[box + 1] - y, 0, y - boxes[box + 3]) * METRES_PER_UNIT;
    return Math.floor(1000 * Math.hypot(dx, dy));
  };
  /** Nothing farther than this can change the result. */
  const reach = () => Math.min(limit, good?.millimetres ?? Infinity, any === null ? Infinity : any.millimetres + tolerance);

  const visitEdge = (edge: number): void => {
    if (roads.stops[edge] === 0 || isBarred[map.limitsOf[edge]] === 1) return;
    const found = nearestOnEdge(edge);
    if (found.millimetres > limit) return;
    if (isBetter(found, any)) any = found;
    if ((roads.stops[edge] & GOOD_STOP) !== 0 && isBetter(found, good)) good = found;
  };
  const nearestOnEdge = (edge: number): Nearest => {
    const best: Nearest = { edge, at: 0, share: 0, millimetres: Infinity };
    for (let at = 2 * firstPoint[edge]; at < 2 * firstPoint[edge + 1] - 2; at += 2) {
      const [x1, y1] = [(points[at] - x) * eastMetres, (points[at + 1] - y) * METRES_PER_UNIT];
      const [dx, dy] = [(points[at + 2] - points[at]) * eastMetres, (points[at + 3] - points[at + 1]) * METRES_PER_UNIT];
      const square = dx * dx + dy * dy;
      const share = square === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / square));
      const millimetres = Math.round(1000 * Math.hypot(x1 + share * dx, y1 + share * dy));
      if (millimetres >= best.millimetres) continue;
      best.at = at;
      best.share = share;
      best.millimetres = millimetres;
    }
    return best;
  };
  const visitBox = (level: number, start: number, index: number): void => {
    const first = index * EDGES_PER_BOX;
    if (level === 0) {
      for (let edge = first; edge < Math.min(edgeCount, first + EDGES_PER_BOX); edge++) visitEdge(edge);
      return;
    }
    const below = start - levels[level - 1];
    const children = Array.from({ length: Math.min(levels[level - 1], first + EDGES_PER_BOX) - first }, (_, i) => ({ index: first + i, millimetres: boxMillimetres(4 * (below + first + i)) }));
    for (const child of children.sort((a, b) => a.millimetres - b.millimetres)) {
      if (child.millimetres > reach()) return;
      visitBox(level - 1, below, child.index);
    }
  };
  visitBox(levels.length - 1, boxes.length / 4 - 1, 0);
  return chosen(any, good, tolerance);
}

function isBetter(found: Nearest, than: Nearest | null): boolean {
  return than === null || found.millimetres < than.millimetres || (found.millimetres === than.millimetres && found.edge < than.edge);
}

function chosen(any: Nearest | null, good: Nearest | null, tolerance: number): Nearest | null {
  return any !== null && good !== null && good.millimetres <= any.millimetres + tolerance ? good : any;
}

function placeOn(graph: VehicleGraph, { edge, at, share, millimetres }: Nearest): Place {
  const { map, roads } = graph;
  const { points, firstPoint, centimetres } = map;
  let metres = 0;
  for (let i = 2 * firstPoint[edge]; i < at; i += 2) metres += metresBetween(points[i], points[i + 1], points[i + 2], points[i + 3]);
  metres += share * metresBetween(points[at], points[at + 1], points[at + 2], points[at + 3]);
  const length = centimetres[edge];
  const along = Math.min(length, Math.round(100 * metres));
  const directions: PlaceDirection[] = [];
  for (const directed of [2 * edge, 2 * edge + 1]) {
    const { plain } = nodesOf(roads, directed);
    const driven = (directed & 1) === 0 ? along : length - along;
    if (plain !== -1) directions.push({ directed, milliseconds: Math.round(length === 0 ? 0 : (roads.milliseconds[plain] * driven) / length), centimetres: driven });
  }
  return {
    edge, alongCentimetres: along, metres: millimetres / 1000,
    longitude: (points[at] + share * (points[at + 2] - points[at])) / UNITS_PER_DEGREE,
    latitude: (points[at + 1] + share * (points[at + 3] - points[at + 1])) / UNITS_PER_DEGREE,
    directions, sources: directions.flatMap((direction) => sourcesOf(graph, direction)), targets: directions.flatMap((direction) => targetsOf(graph, direction)),
  };
}

function sourcesOf({ roads, firstArc, head, milliseconds, centimetres }: VehicleGraph, direction: PlaceDirection): Candidate[] {
  const { plain } = nodesOf(roads, direction.directed);
  return Array.from({ length: firstArc[plain + 1] - firstArc[plain] }, (_, i) => {
    const arc = firstArc[plain] + i;
    return { node: head[arc], milliseconds: milliseconds[arc] - direction.milliseconds, centimetres: centimetres[arc] - direction.centimetres };
  });
}

function targetsOf({ roads }: VehicleGraph, { directed, milliseconds, centimetres }: PlaceDirection): Candidate[] {
  const { plain, others } = nodesOf(roads, directed);
  return [plain, ...others].map((node) => ({ node, milliseconds, centimetres }));
}

/** The ways between places that lie on one edge, the second ahead of the first: searches over nodes do not see them. */
export function directWays(sources: readonly Place[], targets: readonly Place[]): DirectWay[] {
  const onEdge = Map.groupBy(targets.keys(), (target) => targets[target].edge);
  return sources.flatMap((from, source) => (onEdge.get(from.edge) ?? []).flatMap((target) => {
    const way = travelAlongEdge(from, targets[target]);
    return way ? [{ source, target, milliseconds: way.milliseconds, centimetres: way.centimetres }] : [];
  }));
}

/** Travel from one place to another that lies ahead on the same edge, without leaving it; null where it does not. It may still be faster to leave it. */
export function travelAlongEdge(from: Place, to: Place): { milliseconds: number; centimetres: number; directed: number } | null {
  if (from.edge !== to.edge) return null;
  let best: ReturnType<typeof travelAlongEdge> = null;
  for (const start of from.directions) for (const end of to.directions) {
    if (start.directed !== end.directed || end.centimetres < start.centimetres) continue;
    // Times are rounded by their place on the edge and do not fall where places do not.
    const way = { milliseconds: end.milliseconds - start.milliseconds, centimetres: end.centimetres - start.centimetres, directed: start.directed };
    if (best === null || way.milliseconds < best.milliseconds || (way.milliseconds === best.milliseconds && way.centimetres < best.centimetres)) best = way;
  }
  return best;
}
