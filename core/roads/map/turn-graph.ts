import { IntegerList } from '../../osm/number-list.ts';
import { reverseOf } from './directed-edges.ts';
import type { DirectedEdges } from './directed-edges.ts';
import type { DrivingSide } from './driving-side.ts';
import type { Edges } from './edges.ts';
import { FORBIDDEN, PLAIN } from './forbidden-turns.ts';
import type { ForbiddenTurns } from './forbidden-turns.ts';
import { headingAtEnd, headingAtStart, turnDegrees, turnMilliseconds, U_TURN_MILLISECONDS } from './turn-cost.ts';
import type { Roads } from './read-roads.ts';
import { sortArcs } from './sort-arcs.ts';

/**
 * The edge-based graph: a node is a directed edge, an arc a turn from one to the next. The first nodes are the directed edges in their order;
 * behind them come those that one is on with a memory of what was driven before, by which a longer restriction may hold.
 */
export interface TurnGraph {
  nodeCount: number;
  /** Nodes that are directed edges and nothing more. */
  plainCount: number;
  directedOf: Int32Array;
  firstArc: Int32Array;
  head: Int32Array;
  /** What the turn itself takes. */
  turnMilliseconds: Uint16Array;
}

const TURN_MAX = 0xffff;

export interface TurnGraphInput {
  roads: Roads;
  edges: Edges;
  directed: DirectedEdges;
  forbidden: ForbiddenTurns;
  side: DrivingSide;
}

/**
 * Turning back is a turn only where there is no other: in the middle of a street nobody does it, at its blind end everybody has to. Where all
 * other roads are closed to through traffic an open road has a blind end too.
 */
export function turnGraph({ roads, edges, directed, forbidden, side }: TurnGraphInput): TurnGraph {
  const nodeOf = new Int32Array(directed.count).fill(-1);
  const nodes = new IntegerList();
  for (let each = 0; each < directed.count; each++) {
    if (directed.access(each) === 'no') continue;
    nodeOf[each] = nodes.length;
    nodes.add(each);
  }
  const plainCount = nodes.length;
  for (const memory of forbidden.memories) nodes.add(memory.at(-1)!);
  const directedOf = nodes.values.slice();
  const nodeCount = directedOf.length;

  /** The node that one is on after driving on from another, or -1 where that is forbidden. */
  const nextNode = (node: number, next: number): number => {
    if (node < plainCount && !forbidden.isWatched(directedOf[node])) return nodeOf[next];
    const state = forbidden.step(node < plainCount ? [directedOf[node]] : forbidden.memories[node - plainCount], next);
    if (state === FORBIDDEN) return -1;
    return state === PLAIN ? nodeOf[next] : plainCount + state;
  };
  const turns = turnMeter(roads, edges, directed, side);
  const firstArc = new Int32Array(nodeCount + 1);
  const heads = new IntegerList();
  const costs = new IntegerList();
  for (let node = 0; node < nodeCount; node++) {
    const from = directedOf[node];
    const back = reverseOf(from);
    const isClosed = directed.access(from) === 'end';
    let isBlindEnd = true;
    for (const next of directed.leaving(directed.head(from))) {
      const head = next === back ? -1 : nextNode(node, next);
      if (head === -1) continue;
      heads.add(head);
      costs.add(Math.min(TURN_MAX, turns.cost(from, next)));
      if (isClosed || directed.access(next) === 'through') isBlindEnd = false;
    }
    const head = isBlindEnd && nodeOf[back] !== -1 ? nextNode(node, back) : -1;
    if (head !== -1) {
      heads.add(head);
      costs.add(Math.min(TURN_MAX, turns.backCost(from)));
    }
    firstArc[node + 1] = heads.length;
  }
  const arcs = { head: heads.values.slice(), turnMilliseconds: Uint16Array.from(costs.values) };
  for (let node = 0; node < nodeCount; node++) sortArcs(arcs, firstArc[node], firstArc[node + 1]);
  return { nodeCount, plainCount, directedOf, firstArc, ...arcs };
}

interface TurnMeter {
  cost(from: number, to: number): number;
  backCost(from: number): number;
}

function turnMeter(roads: Roads, edges: Edges, directed: DirectedEdges, side: DrivingSide): TurnMeter {
  const { firstPoint, points, count } = edges;
  const leavesAt = new Float32Array(2 * count);
  const arrivesAt = new Float32Array(2 * count);
  for (let edge = 0; edge < count; edge++) {
    const line = points.subarray(2 * firstPoint[edge], 2 * firstPoint[edge + 1]);
    leavesAt[2 * edge] = headingAtStart(line);
    arrivesAt[2 * edge] = headingAtEnd(line);
    leavesAt[2 * edge + 1] = (arrivesAt[2 * edge] + 180) % 360;
    arrivesAt[2 * edge + 1] = (leavesAt[2 * edge] + 180) % 360;
  }
  const atJunction = (from: number): number => {
    const rules = roads.nodeRules.get(directed.head(from));
    return rules ? Math.round(1000 * Math.max(rules.forwardSeconds, rules.backwardSeconds)) : 0;
  };
  const hasLength = (each: number) => edges.centimetres[each >> 1] > 0;
  return {
    cost: (from, to) => {
      // Where only two edges meet the road goes on, however it bends; barriers have no direction.
      const isTurn = directed.degree(directed.head(from)) > 2 && hasLength(from) && hasLength(to);
      return atJunction(from) + (isTurn ? turnMilliseconds(turnDegrees(arrivesAt[from], leavesAt[to]), directed.kind, side) : 0);
    },
    backCost: (from) => atJunction(from) + U_TURN_MILLISECONDS[directed.kind] + turnMilliseconds(180, directed.kind, side),
  };
}
