import type { Graph } from './graph.ts';

/**
 * A k-d tree over the places of the nodes on the unit sphere. In space the straight distance between two points grows with the
 * distance along the surface, so the nearest in space is the nearest on the ground, with nothing special about the poles or
 * the date line.
 *
 * The tree is implicit: the middle of a range of `tree.node` is its root, the halves on both sides are its subtrees.
 */
export function fillNearestTree(graph: Graph): void {
  const { node, position, axis } = graph.tree;
  const places = new Float64Array(3 * graph.nodeCount);
  for (let i = 0; i < graph.nodeCount; i++) {
    node[i] = i;
    places.set(onUnitSphere(graph.longitude[i]!, graph.latitude[i]!), 3 * i);
  }
  const open = [0, graph.nodeCount];
  while (open.length > 0) {
    const end = open.pop()!;
    const start = open.pop()!;
    if (end <= start) continue;
    const middle = (start + end) >> 1;
    axis[middle] = widestAxis(places, node, start, end);
    selectNth(places, node, { start, end, nth: middle, axis: axis[middle] });
    open.push(start, middle, middle + 1, end);
  }
  for (let i = 0; i < graph.nodeCount; i++) {
    for (let d = 0; d < 3; d++) position[3 * i + d] = places[3 * node[i]! + d]!;
  }
}

export function onUnitSphere(longitude: number, latitude: number): [x: number, y: number, z: number] {
  const lambda = (longitude * Math.PI) / 180;
  const phi = (latitude * Math.PI) / 180;
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

function widestAxis(places: Float64Array, node: Int32Array, start: number, end: number): number {
  let widest = 0;
  let spreadMax = -1;
  for (let d = 0; d < 3; d++) {
    let least = Infinity;
    let most = -Infinity;
    for (let i = start; i < end; i++) {
      const value = places[3 * node[i]! + d]!;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (most - least > spreadMax) {
      spreadMax = most - least;
      widest = d;
    }
  }
  return widest;
}

/** Hoare's selection: afterwards the nth in order stands at `nth`, none before it is greater and none behind it less. */
function selectNth(places: Float64Array, node: Int32Array, range: { start: number; end: number; nth: number; axis: number }): void {
  const { nth, axis } = range;
  let left = range.start;
  let right = range.end - 1;
  while (left < right) {
    const pivot = places[3 * node[(left + right) >> 1]! + axis]!;
    let i = left;
    let j = right;
    while (i <= j) {
      while (places[3 * node[i]! + axis]! < pivot) i++;
      while (places[3 * node[j]! + axis]! > pivot) j--;
      if (i > j) break;
      const swapped = node[i]!;
      node[i++] = node[j]!;
      node[j--] = swapped;
    }
    if (nth <= j) right = j;
    else if (nth >= i) left = i;
    else return;
  }
}
