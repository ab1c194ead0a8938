import { UNITS_PER_DEGREE } from '../../osm/elements.ts';
import { metresBetween } from './geo.ts';
import type { Place } from './places.ts';
import type { VehicleGraph } from './vehicle-graph.ts';

export interface LineString {
  type: 'LineString';
  coordinates: [longitude: number, latitude: number][];
}

/**
 * The line along the roads from one place to another over the nodes of a journey, whatever found it: the first edge from the place on, the others
 * whole, the last up to the place. A line has at least two positions, also where nothing is driven.
 */
export function journeyLine({ map, roads }: Pick<VehicleGraph, 'map' | 'roads'>, { from, to, firstDirected, nodes }: { from: Place; to: Place; firstDirected: number; nodes: ArrayLike<number> }): LineString {
  const line: [number, number][] = [];
  const add = (longitude: number, latitude: number) => {
    const last = line.at(-1);
    if (last === undefined || last[0] !== longitude || last[1] !== latitude) line.push([longitude, latitude]);
  };
  /** Points of an edge in the direction of travel, strictly between two distances from its first point. */
  const addBetween = (directed: number, start: number, end: number) => {
    const edge = directed >> 1;
    const [first, last] = [map.firstPoint[edge], map.firstPoint[edge + 1] - 1];
    const inside: number[] = [];
    let metres = 0;
    for (let point = first; point <= last; point++) {
      const at = 2 * point;
      if (point > first) metres += metresBetween(map.points[at - 2], map.points[at - 1], map.points[at], map.points[at + 1]);
      const centimetres = point === last ? map.centimetres[edge] : 100 * metres;
      if (centimetres > Math.min(start, end) && centimetres < Math.max(start, end)) inside.push(at);
    }
    if ((directed & 1) === 1) inside.reverse();
    for (const at of inside) add(map.points[at] / UNITS_PER_DEGREE, map.points[at + 1] / UNITS_PER_DEGREE);
  };
  const whole = (directed: number): [start: number, end: number] => {
    const length = map.centimetres[directed >> 1];
    return (directed & 1) === 0 ? [-1, length + 1] : [length + 1, -1];
  };

  add(from.longitude, from.latitude);
  if (nodes.length === 0) {
    addBetween(firstDirected, from.alongCentimetres, to.alongCentimetres);
  } else {
    addBetween(firstDirected, from.alongCentimetres, whole(firstDirected)[1]);
    for (let i = 0; i < nodes.length - 1; i++) addBetween(roads.directedOf[nodes[i]], ...whole(roads.directedOf[nodes[i]]));
    const last = roads.directedOf[nodes[nodes.length - 1]];
    addBetween(last, whole(last)[0], to.alongCentimetres);
  }
  add(to.longitude, to.latitude);
  if (line.length === 1) line.push(line[0]);
  return { type: 'LineString', coordinates: line };
}
