import type { Access } from './access.ts';
import type { Edges } from './edges.ts';
import type { VehicleKind } from './vehicle.ts';

/**
 * Edges with a direction: 2 e is edge e along its points, 2 e + 1 against them. Those that a kind of vehicle may use, and where they lead.
 */
export interface DirectedEdges {
  kind: VehicleKind;
  /** Of all directions of all edges, used or not. */
  count: number;
  access(directed: number): Access;
  tail(directed: number): number;
  head(directed: number): number;
  /** Directed edges that leave a junction, ascending. */
  leaving(junction: number): Int32Array;
  /** How many edges meet at a junction. */
  degree(junction: number): number;
  milliseconds(directed: number): number;
}

export function directedEdges(edges: Edges, kind: VehicleKind): DirectedEdges {
  const count = 2 * edges.count;
  const passage = (directed: number) => edges.rules[edges.rulesOf[directed >> 1]][kind];
  const access = (directed: number) => ((directed & 1) === 0 ? passage(directed).forward : passage(directed).backward);
  const tail = (directed: number) => ((directed & 1) === 0 ? edges.tail : edges.head)[directed >> 1];
  const head = (directed: number) => ((directed & 1) === 0 ? edges.head : edges.tail)[directed >> 1];

  const first = new Int32Array(edges.junctionCount + 1);
  const degree = new Uint16Array(edges.junctionCount);
  for (let edge = 0; edge < edges.count; edge++) {
    let isUsed = false;
    for (const directed of [2 * edge, 2 * edge + 1]) {
      if (access(directed) === 'no') continue;
      first[tail(directed) + 1]++;
      isUsed = true;
    }
    if (!isUsed) continue;
    degree[edges.tail[edge]]++;
    degree[edges.head[edge]]++;
  }
  for (let junction = 0; junction < edges.junctionCount; junction++) first[junction + 1] += first[junction];
  const list = new Int32Array(first[edges.junctionCount]);
  const next = first.slice();
  for (let directed = 0; directed < count; directed++) if (access(directed) !== 'no') list[next[tail(directed)]++] = directed;

  return {
    kind, count, access, tail, head,
    leaving: (junction) => list.subarray(first[junction], first[junction + 1]),
    degree: (junction) => degree[junction],
    milliseconds: (directed) => {
      const edge = directed >> 1;
      if (edges.fixedMilliseconds[edge] > 0) return edges.fixedMilliseconds[edge];
      const { forwardSpeed, backwardSpeed } = passage(directed);
      return Math.round((edges.centimetres[edge] * 36) / ((directed & 1) === 0 ? forwardSpeed : backwardSpeed)) + edges.delayMilliseconds[directed];
    },
  };
}

/** The same edge the other way. */
export function reverseOf(directed: number): number {
  return directed ^ 1;
}
