/** A graph as far as reachability goes. */
export interface PlainGraph {
  nodeCount: number;
  firstArc: Int32Array;
  head: Int32Array;
}

export interface StrongParts {
  /** The part of each node; -1 for those that were left out. */
  partOf: Int32Array;
  sizes: Int32Array;
}

/**
 * The parts of a graph within which every node is reached from every other: R. Tarjan, "Depth-first search and linear graph algorithms"
 * (1972), with a stack of its own in place of recursion. Nodes that `isLeftOut` marks are taken for not being there.
 */
export function strongParts({ nodeCount, firstArc, head }: PlainGraph, isLeftOut?: Uint8Array): StrongParts {
  const partOf = new Int32Array(nodeCount).fill(-1);
  const sizes: number[] = [];
  /** When a node was found, from 1 on, and the earliest that is known to be reached from it. */
  const found = new Int32Array(nodeCount);
  const earliest = new Int32Array(nodeCount);
  const nextArc = new Int32Array(nodeCount);
  const path = new Int32Array(nodeCount);
  const open = new Int32Array(nodeCount);
  let openCount = 0;
  let time = 0;
  const enter = (node: number, depth: number) => {
    path[depth] = node;
    open[openCount++] = node;
    nextArc[node] = firstArc[node];
    found[node] = earliest[node] = ++time;
  };
  for (let root = 0; root < nodeCount; root++) {
    if (found[root] !== 0 || isLeftOut?.[root]) continue;
    enter(root, 0);
    for (let depth = 0; depth >= 0;) {
      const node = path[depth];
      if (nextArc[node] < firstArc[node + 1]) {
        const next = head[nextArc[node]++];
        if (isLeftOut?.[next]) continue;
        if (found[next] === 0) enter(next, ++depth);
        else if (partOf[next] === -1) earliest[node] = Math.min(earliest[node], found[next]);
        continue;
      }
      if (earliest[node] === found[node]) {
        const from = openCount;
        do partOf[open[--openCount]] = sizes.length;
        while (open[openCount] !== node);
        sizes.push(from - openCount);
      }
      depth--;
      if (depth >= 0) earliest[path[depth]] = Math.min(earliest[path[depth]], earliest[node]);
    }
  }
  return { partOf, sizes: Int32Array.from(sizes) };
}
