import type { Graph } from './graph.ts';
import { onUnitSphere } from './nearest-tree.ts';

/** Mean radius of the Earth (IUGG). */
const EARTH_RADIUS_METRES = 6_371_008.8;
const MILLIMETRES_PER_RADIAN = EARTH_RADIUS_METRES * 1000;

export interface Snapped {
  node: number;
  /** From the point to the node, along the surface. */
  metres: number;
}

/**
 * The node nearest to a point. Distances are compared in whole millimetres, so that rounding never decides between nodes
 * that are equally far: the one with the lowest index wins.
 */
export function snap(graph: Graph, longitude: number, latitude: number): Snapped {
  const { node, position, axis } = graph.tree;
  const point = onUnitSphere(longitude, latitude);
  let best = -1;
  let bestMillimetres = Infinity;
  /** Straight through space, on the unit sphere: what is farther than this along one axis cannot even be a tie. */
  let reach = Infinity;

  const visit = (start: number, end: number): void => {
    if (start >= end) return;
    const middle = (start + end) >> 1;
    const millimetres = surfaceMillimetres(position, 3 * middle, point);
    if (millimetres < bestMillimetres || (millimetres === bestMillimetres && node[middle]! < best)) {
      best = node[middle]!;
      bestMillimetres = millimetres;
      reach = straight(millimetres + 1);
    }
    const d = axis[middle]!;
    const beyond = point[d]! - position[3 * middle + d]!;
    if (beyond < 0) visit(start, middle);
    else visit(middle + 1, end);
    if (Math.abs(beyond) > reach) return;
    if (beyond < 0) visit(middle + 1, end);
    else visit(start, middle);
  };
  visit(0, node.length);
  return { node: best, metres: bestMillimetres / 1000 };
}

/** For many points of one graph. */
export function snapper(graph: Graph): (longitude: number, latitude: number) => Snapped {
  return (longitude, latitude) => snap(graph, longitude, latitude);
}

function surfaceMillimetres(position: Float64Array, at: number, point: [number, number, number]): number {
  const chord = Math.hypot(position[at]! - point[0], position[at + 1]! - point[1], position[at + 2]! - point[2]);
  return Math.round(2 * Math.asin(Math.min(1, chord / 2)) * MILLIMETRES_PER_RADIAN);
}

function straight(millimetres: number): number {
  const angle = millimetres / MILLIMETRES_PER_RADIAN;
  return angle >= Math.PI ? 2 : 2 * Math.sin(angle / 2);
}
