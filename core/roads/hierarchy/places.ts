import type { Hierarchy } from './hierarchy.ts';

/** Where a place touches the graph: a node, and how far it is from the place to the node, or for a target from the node to the place. */
export interface Candidate {
  node: number;
  /** Integers, at least 0. */
  milliseconds: number;
  centimetres: number;
}

/** Places in typed arrays, for threads: the candidates of place p are `first[p]` up to, not including, `first[p + 1]`. */
export interface Places {
  count: number;
  first: Int32Array;
  node: Int32Array;
  milliseconds: Float64Array;
  centimetres: Float64Array;
}

/** Places with any number of candidates each; one without any is reached by nobody. */
export function placesOf(candidates: readonly (readonly Candidate[])[]): Places {
  const first = new Int32Array(candidates.length + 1);
  candidates.forEach((each, place) => (first[place + 1] = first[place] + each.length));
  const all = candidates.flat();
  return {
    count: candidates.length, first,
    node: Int32Array.from(all, ({ node }) => node),
    milliseconds: Float64Array.from(all, ({ milliseconds }) => milliseconds),
    centimetres: Float64Array.from(all, ({ centimetres }) => centimetres),
  };
}

/** Places that are nodes. */
export function placesAt(nodes: ArrayLike<number>): Places {
  return {
    count: nodes.length,
    first: Int32Array.from({ length: nodes.length + 1 }, (_, place) => place),
    node: Int32Array.from(nodes), milliseconds: new Float64Array(nodes.length), centimetres: new Float64Array(nodes.length),
  };
}

export function checkPlaces({ nodeCount }: Pick<Hierarchy, 'nodeCount'>, { node, milliseconds, centimetres }: Places): void {
  for (let i = 0; i < node.length; i++) {
    if (!(node[i] >= 0 && node[i] < nodeCount)) throw new RangeError(`no node ${node[i]} in a graph of ${nodeCount}`);
    for (const amount of [milliseconds[i], centimetres[i]]) if (!(Number.isSafeInteger(amount) && amount >= 0)) throw new RangeError(`the way to a node must be an integer of at least 0, not ${amount}`);
  }
}
