import type { Digraph } from './graph.ts';
import { createSearch, searchFrom } from './search.ts';
import { travelTo } from './travel-matrix.ts';

/** Travel by node of the graph, in whole seconds and metres; UNREACHABLE where there is no way. */
export interface TravelRow {
  seconds: Int32Array;
  metres: Int32Array;
}

/** From one node to all others and from all others to it. */
export interface Reach {
  there: TravelRow;
  back: TravelRow;
}

/** Fills in the travel from a node to every node; in the reversed graph that is the travel from every node to it. */
export function fillRow(graph: Digraph, node: number, row: TravelRow): void {
  const search = createSearch(graph);
  searchFrom(search, node, new Uint8Array(graph.nodeCount), 0);
  for (let other = 0; other < graph.nodeCount; other++) {
    const { seconds, metres } = travelTo(search, other);
    row.seconds[other] = seconds;
    row.metres[other] = metres;
  }
}

/** Single legs: leg i leads from `from[i]` to `to[i]`. Legs from one node should stand together, as one search answers them. */
export interface Legs extends TravelRow {
  from: Int32Array;
  to: Int32Array;
}

/** Fills in the legs from `first` up to, not including, `end`. Each search ends with the last node that it was for. */
export function fillLegs(graph: Digraph, legs: Legs, { first, end }: { first: number; end: number }): void {
  const search = createSearch(graph);
  const isTarget = new Uint8Array(graph.nodeCount);
  let until = first;
  for (let leg = first; leg < end; leg = until) {
    const from = legs.from[leg]!;
    let targets = 0;
    for (until = leg; until < end && legs.from[until] === from; until++) {
      if (isTarget[legs.to[until]!] === 0) targets++;
      isTarget[legs.to[until]!] = 1;
    }
    searchFrom(search, from, isTarget, targets);
    for (let i = leg; i < until; i++) {
      const { seconds, metres } = travelTo(search, legs.to[i]!);
      legs.seconds[i] = seconds;
      legs.metres[i] = metres;
      isTarget[legs.to[i]!] = 0;
    }
  }
}
