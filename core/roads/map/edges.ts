import { IntegerList, NumberList } from '../../osm/number-list.ts';
import { metresBetween } from './geo.ts';
import { hilbertOrder } from './hilbert-order.ts';
import type { NodeRules } from './node-rules.ts';
import type { Roads } from './read-roads.ts';
import { NO_LIMITS } from './vehicle.ts';
import type { WayRules } from './way-rules.ts';

/**
 * Roads cut at junctions. An edge has a direction for the sake of order only; what may be driven is in its rules. Edges that lie
 * near each other have near numbers.
 */
export interface Edges {
  count: number;
  /** Junctions at both ends: nodes of the roads, and further numbers for the far sides of barriers. */
  tail: Int32Array;
  head: Int32Array;
  junctionCount: number;
  /** Index into `rules`. */
  rulesOf: Int32Array;
  rules: WayRules[];
  /** Of the way that an edge is part of; 0 for barriers, which are edges of no length. */
  wayId: Float64Array;
  /** Points of edge e are `firstPoint[e]` up to, not including, `firstPoint[e + 1]`; longitude and latitude in turn. */
  firstPoint: Int32Array;
  points: Int32Array;
  centimetres: Uint32Array;
  /** What signals, crossings and gates on the way cost, by direction: `[2 * e]` along the edge, `[2 * e + 1]` against it. */
  delayMilliseconds: Float64Array;
  /** Travel time of carriers that tell it, by their share of the way; otherwise 0. */
  fixedMilliseconds: Float64Array;
  /** Barriers at junctions, where nobody can say which road they are on, and which are passed over. */
  barriersPassedOver: number;
}

/**
 * Cuts roads at their ends, where they meet, and at barriers that do not let everybody through. Nodes that the file lacks end a road: what is on
 * both sides of them is not joined.
 */
export function cutEdges(roads: Roads): Edges {
  const cutter = new Cutter(roads);
  for (let way = 0; way < roads.wayCount; way++) cutter.cut(way);
  cutter.openBarriers();
  return inPlaceOrder(cutter.finish());
}

class Cutter {
  private readonly roads: Roads;
  private readonly isJunction: Uint8Array;
  private readonly tail = new IntegerList();
  private readonly head = new IntegerList();
  private readonly rulesOf = new IntegerList();
  private readonly wayId = new NumberList();
  private readonly firstPoint = new IntegerList();
  private readonly points = new IntegerList();
  private readonly centimetres = new NumberList();
  private readonly delays = new NumberList();
  private readonly fixed = new NumberList();
  private readonly rules: WayRules[];
  private junctionCount: number;
  private barriersPassedOver = 0;

  constructor(roads: Roads) {
    this.roads = roads;
    this.rules = [...roads.rules];
    this.junctionCount = roads.nodeIds.size;
    this.isJunction = junctionsOf(roads);
  }

  cut(way: number): void {
    const { firstRef, refs } = this.roads;
    const firstEdge = this.tail.length;
    let start = firstRef[way];
    for (let at = start + 1; at < firstRef[way + 1]; at++) {
      if (refs[at] === -1 || refs[start] === -1) start = at;
      else if (this.isJunction[refs[at]] === 1 || at === firstRef[way + 1] - 1 || refs[at + 1] === -1) {
        this.addStretch(way, start, at);
        start = at;
      }
    }
    this.shareDuration(way, firstEdge);
  }

  /** One that leads back to where it began is cut in the middle, so that no edge has the same junction at both ends. */
  private addStretch(way: number, start: number, end: number): void {
    const { refs } = this.roads;
    if (refs[start] !== refs[end]) return this.addEdge(way, start, end);
    let middle = start;
    for (let at = start + 1; at < end; at++) if (refs[at] !== refs[start]) middle = at;
    if (middle === start) return;
    this.addEdge(way, start, middle);
    this.addEdge(way, middle, end);
  }

  private addEdge(way: number, start: number, end: number): void {
    const { refs, longitudeE7, latitudeE7, nodeRules, wayIds, wayRules } = this.roads;
    this.tail.add(refs[start]);
    this.head.add(refs[end]);
    this.rulesOf.add(wayRules[way]);
    this.wayId.add(wayIds[way]);
    this.firstPoint.add(this.points.length / 2);
    let metres = 0;
    let forwardSeconds = 0;
    let backwardSeconds = 0;
    for (let at = start; at <= end; at++) {
      const node = refs[at];
      if (at > start && node === refs[at - 1]) continue;
      this.points.add(longitudeE7[node]);
      this.points.add(latitudeE7[node]);
      if (at === start) continue;
      metres += metresBetween(longitudeE7[refs[at - 1]], latitudeE7[refs[at - 1]], longitudeE7[node], latitudeE7[node]);
      // Those at both ends are met by whoever turns there.
      const onTheWay = at < end ? nodeRules.get(node) : undefined;
      forwardSeconds += onTheWay?.forwardSeconds ?? 0;
      backwardSeconds += onTheWay?.backwardSeconds ?? 0;
    }
    this.centimetres.add(Math.round(metres * 100));
    this.delays.add(Math.round(forwardSeconds * 1000));
    this.delays.add(Math.round(backwardSeconds * 1000));
    this.fixed.add(0);
  }

  private shareDuration(way: number, firstEdge: number): void {
    const { durationSeconds } = this.roads.rules[this.roads.wayRules[way]];
    if (durationSeconds === null) return;
    const [lengths, fixed] = [this.centimetres.values, this.fixed.values];
    const total = lengths.subarray(firstEdge).reduce((sum, length) => sum + length, 0);
    for (let edge = firstEdge; edge < fixed.length; edge++) fixed[edge] = Math.round((1000 * durationSeconds * lengths[edge]) / Math.max(1, total));
  }

  /**
   * A barrier that nobody may pass parts the roads that meet there. One that lets some pass becomes an edge of no length with the barrier's
   * rules, so that gates, private entrances and low bars are obeyed as roads are. Where more than two roads meet, such a one costs time and
   * nothing else.
   */
  openBarriers(): void {
    const endsAt = new Map<number, { list: IntegerList; edge: number }[]>();
    for (const [node, rules] of this.roads.nodeRules) if (isBarrier(rules)) endsAt.set(node, []);
    for (const list of [this.tail, this.head]) list.values.forEach((node, edge) => endsAt.get(node)?.push({ list, edge }));
    for (const [node, ends] of endsAt) {
      const rules = this.roads.nodeRules.get(node)!;
      if (rules.car === 'no' && rules.truck === 'no') for (const { list, edge } of ends.slice(1)) list.values[edge] = this.junctionCount++;
      else if (ends.length === 2) this.openBarrier(node, ends[1], rules);
      else if (ends.length > 2 && isSelective(rules)) this.barriersPassedOver++;
    }
  }

  private openBarrier(node: number, { list, edge }: { list: IntegerList; edge: number }, rules: NodeRules): void {
    const farSide = this.junctionCount++;
    list.values[edge] = farSide;
    this.tail.add(node);
    this.head.add(farSide);
    this.rulesOf.add(this.rules.push(barrierRules(rules)) - 1);
    this.wayId.add(0);
    this.firstPoint.add(this.points.length / 2);
    for (let i = 0; i < 2; i++) {
      this.points.add(this.roads.longitudeE7[node]);
      this.points.add(this.roads.latitudeE7[node]);
    }
    this.centimetres.add(0);
    // What it takes to pass is paid by whoever turns at the junction that it was made of.
    for (const delays of [this.delays, this.delays, this.fixed]) delays.add(0);
  }

  finish(): Edges {
    this.firstPoint.add(this.points.length / 2);
    return {
      count: this.tail.length, tail: this.tail.values, head: this.head.values, junctionCount: this.junctionCount, rulesOf: this.rulesOf.values, rules: this.rules, wayId: this.wayId.values,
      firstPoint: this.firstPoint.values, points: this.points.values, centimetres: Uint32Array.from(this.centimetres.values),
      delayMilliseconds: this.delays.values, fixedMilliseconds: this.fixed.values, barriersPassedOver: this.barriersPassedOver,
    };
  }
}

/** Delays shorter than this are spread over the edge that they are on; those of gates would put places on the wrong side of them. */
const BARRIER_SECONDS = 10;

function isBarrier(rules: NodeRules): boolean {
  return isSelective(rules) || Math.min(rules.forwardSeconds, rules.backwardSeconds) >= BARRIER_SECONDS;
}

function isSelective({ car, truck, limits }: NodeRules): boolean {
  return car !== 'through' || truck !== 'through' || limits !== NO_LIMITS;
}

function barrierRules({ car, truck, limits }: NodeRules): WayRules {
  const passage = (access: NodeRules['car']) => ({ forward: access, backward: access, forwardSpeed: 5, backwardSpeed: 5 });
  return { car: passage(car), truck: passage(truck), limits, isRoundabout: false, isCarrier: false, durationSeconds: null, isSeldomStop: true };
}

/** Nodes where roads end or meet, also a road with itself, and barriers. */
function junctionsOf({ nodeIds, nodeRules, wayCount, firstRef, refs }: Roads): Uint8Array {
  const isJunction = new Uint8Array(nodeIds.size);
  const isUsed = new Uint8Array(nodeIds.size);
  for (let way = 0; way < wayCount; way++) {
    for (let at = firstRef[way]; at < firstRef[way + 1]; at++) {
      const node = refs[at];
      if (node === -1) continue;
      // The same node twice in a row is one point, not a meeting.
      const isRepeated = at > firstRef[way] && refs[at - 1] === node;
      if (at === firstRef[way] || at === firstRef[way + 1] - 1 || (isUsed[node] === 1 && !isRepeated)) isJunction[node] = 1;
      isUsed[node] = 1;
    }
  }
  for (const [node, rules] of nodeRules) if (isBarrier(rules)) isJunction[node] = 1;
  return isJunction;
}

/** Numbers edges along a Hilbert curve through their middles: what is near on the map is near in memory, and the search for places relies on it. */
function inPlaceOrder(edges: Edges): Edges {
  const { count, firstPoint, points } = edges;
  const middle = (axis: 0 | 1) => Float64Array.from({ length: count }, (_, edge) => {
    const [first, last] = [firstPoint[edge], firstPoint[edge + 1] - 1];
    return (points[2 * first + axis] + points[2 * last + axis]) / 2;
  });
  const order = hilbertOrder(middle(0), middle(1));
  const newFirstPoint = new Int32Array(count + 1);
  const newPoints = new Int32Array(points.length);
  order.forEach((old, edge) => {
    const start = 2 * newFirstPoint[edge];
    const piece = points.subarray(2 * firstPoint[old], 2 * firstPoint[old + 1]);
    newPoints.set(piece, start);
    newFirstPoint[edge + 1] = (start + piece.length) / 2;
  });
  const pick = <T extends Int32Array | Uint32Array | Float64Array>(values: T): T => values.map((_, edge) => values[order[edge]]) as T;
  return {
    ...edges, tail: pick(edges.tail), head: pick(edges.head), rulesOf: pick(edges.rulesOf), wayId: pick(edges.wayId), firstPoint: newFirstPoint, points: newPoints,
    centimetres: pick(edges.centimetres), fixedMilliseconds: pick(edges.fixedMilliseconds),
    delayMilliseconds: Float64Array.from({ length: 2 * count }, (_, i) => edges.delayMilliseconds[2 * order[i >> 1] + (i & 1)]),
  };
}
