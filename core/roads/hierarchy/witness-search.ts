import { OpenNodes } from '../open-nodes.ts';
import type { RemainingGraph } from './remaining-graph.ts';

/** A node with very many arcs must not make every search of its neighbours as long. */
const arcsPerSettled = 16;

/**
 * Looks for ways around a node: Dijkstra's search in what is left of the graph, and one step back from each end. It ends early, and may
 * fail to find a way; that costs a shortcut which nobody needs, and never a wrong number.
 *
 *     begin(); seek(each end, with the length that its way must not exceed); run(from, around); hasFound(each end)
 */
export class WitnessSearch {
  readonly graph: RemainingGraph;
  readonly milliseconds: Float64Array;
  readonly centimetres: Float64Array;
  readonly reachedIn: Uint32Array;
  readonly open: OpenNodes;
  round = 0;
  /** By node that is sought, in this round, how long the way to it may be. */
  readonly soughtIn: Uint32Array;
  readonly millisecondsMax: Float64Array;
  readonly centimetresMax: Float64Array;
  sought = 0;
  /** The longest of these ways. */
  farthest = 0;
  around = -1;
  /** Arcs looked at since the beginning: a measure of time that is the same on every machine. */
  work = 0;

  constructor(graph: RemainingGraph) {
    const n = graph.nodeCount;
    this.graph = graph;
    this.milliseconds = new Float64Array(n);
    this.centimetres = new Float64Array(n);
    this.reachedIn = new Uint32Array(n);
    this.soughtIn = new Uint32Array(n);
    this.millisecondsMax = new Float64Array(n);
    this.centimetresMax = new Float64Array(n);
    this.open = new OpenNodes(this);
  }

  begin(): void {
    this.round++;
    this.sought = 0;
    this.farthest = 0;
  }

  seek(node: number, millisecondsMax: number, centimetresMax: number): void {
    this.soughtIn[node] = this.round;
    this.millisecondsMax[node] = millisecondsMax;
    this.centimetresMax[node] = centimetresMax;
    this.farthest = Math.max(this.farthest, millisecondsMax);
    this.sought++;
  }

  run(from: number, around: number, settledMax: number): void {
    const { milliseconds, centimetres, reachedIn, soughtIn, open, round, farthest } = this;
    const { first, count, end, milliseconds: arcTime, centimetres: arcLength } = this.graph.leaving;
    let soughtLeft = this.sought;
    let arcsLeft = settledMax * arcsPerSettled;
    this.around = around;
    milliseconds[from] = 0;
    centimetres[from] = 0;
    reachedIn[from] = round;
    open.size = 0;
    open.add(from);
    for (let settled = 0; settled < settledMax && open.size > 0 && arcsLeft > 0; settled++) {
      const node = open.takeLeast();
      const time = milliseconds[node];
      const length = centimetres[node];
      const past = first[node] + Math.min(count[node], arcsLeft);
      this.work += 1 + past - first[node];
      arcsLeft -= past - first[node];
      for (let arc = first[node]; arc < past; arc++) {
        const next = end[arc];
        const nextTime = time + arcTime[arc];
        if (next === around || nextTime > farthest) continue;
        const nextLength = length + arcLength[arc];
        const isNew = reachedIn[next] !== round;
        if (!isNew && (nextTime > milliseconds[next] || (nextTime === milliseconds[next] && nextLength >= centimetres[next]))) continue;
        const wasFound = !isNew && soughtIn[next] === round && this.isShortEnough(next, milliseconds[next], centimetres[next]);
        reachedIn[next] = round;
        milliseconds[next] = nextTime;
        centimetres[next] = nextLength;
        if (!wasFound && soughtIn[next] === round && this.isShortEnough(next, nextTime, nextLength) && --soughtLeft === 0) return;
        if (isNew) open.add(next);
        else open.improve(next);
      }
    }
  }

  isShortEnough(node: number, milliseconds: number, centimetres: number): boolean {
    return milliseconds < this.millisecondsMax[node] || (milliseconds === this.millisecondsMax[node] && centimetres <= this.centimetresMax[node]);
  }

  /** Whether the search found a way to a sought node that is short enough, or one to a node before it. */
  hasFound(node: number): boolean {
    const { milliseconds, centimetres, reachedIn, round } = this;
    if (reachedIn[node] === round && this.isShortEnough(node, milliseconds[node], centimetres[node])) return true;
    const { first, count, end, milliseconds: arcTime, centimetres: arcLength } = this.graph.entering;
    const past = first[node] + Math.min(count[node], arcsBackMax);
    this.work += past - first[node];
    for (let arc = first[node]; arc < past; arc++) {
      const before = end[arc];
      if (reachedIn[before] !== round || before === this.around) continue;
      if (this.isShortEnough(node, milliseconds[before] + arcTime[arc], centimetres[before] + arcLength[arc])) return true;
    }
    return false;
  }
}

const arcsBackMax = 1_000;
