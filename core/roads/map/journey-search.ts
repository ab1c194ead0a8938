import { UNREACHABLE, wholeMetres, wholeSeconds } from '../travel-matrix.ts';
import type { TravelMatrix } from '../travel-matrix.ts';
import { OpenNodes } from '../open-nodes.ts';
import { travelAlongEdge } from './places.ts';
import type { Place } from './places.ts';
import { nodesOf } from './vehicle-graph.ts';
import type { VehicleGraph } from './vehicle-graph.ts';

/** A way between two places: fastest first and, of equally fast ones, the shortest. */
export interface Journey {
  milliseconds: number;
  centimetres: number;
  /** Nodes after the edge that one starts on, the last one that of the edge one ends on; empty for a way along one edge. */
  nodes: number[];
  /** The directed edge on which the journey begins. */
  firstDirected: number;
}

/**
 * Dijkstra's search between places on roads: plain, exact, and what every faster method is compared with. One searcher serves many searches
 * over one graph.
 */
export class JourneySearch {
  private readonly graph: VehicleGraph;
  private readonly milliseconds: Float64Array;
  private readonly centimetres: Float64Array;
  private readonly before: Int32Array;
  private readonly reachedIn: Uint32Array;
  private readonly open: OpenNodes;
  private round = 0;

  constructor(graph: VehicleGraph) {
    this.graph = graph;
    this.milliseconds = new Float64Array(graph.nodeCount);
    this.centimetres = new Float64Array(graph.nodeCount);
    this.before = new Int32Array(graph.nodeCount);
    this.reachedIn = new Uint32Array(graph.nodeCount);
    this.open = new OpenNodes({ milliseconds: this.milliseconds, centimetres: this.centimetres });
  }

  /** The best way from one place to another; null where there is none. */
  journey(from: Place, to: Place): Journey | null {
    this.search(from, [to]);
    return this.journeyTo(from, to);
  }

  /** Seconds and metres of all pairs, as in travel-matrix.ts. */
  matrix(places: readonly Place[]): TravelMatrix {
    const size = places.length;
    const matrix = { size, seconds: new Int32Array(size * size), metres: new Int32Array(size * size) };
    places.forEach((from, row) => {
      this.search(from, places);
      places.forEach((to, column) => {
        const best = this.best(from, to);
        const seconds = best ? wholeSeconds(best.milliseconds) : UNREACHABLE;
        matrix.seconds[row * size + column] = seconds;
        matrix.metres[row * size + column] = best ? wholeMetres(seconds, best.centimetres) : UNREACHABLE;
      });
    });
    return matrix;
  }

  private search(from: Place, to: readonly Place[]): void {
    const { firstArc, head, milliseconds: arcTime, centimetres: arcLength } = this.graph;
    const wanted = new Set(to.flatMap(({ targets }) => targets.map(({ node }) => node)));
    this.round++;
    this.open.size = 0;
    for (const { node, milliseconds, centimetres } of from.sources) this.offer(node, milliseconds, centimetres, -1);
    while (this.open.size > 0) {
      const node = this.open.takeLeast();
      if (wanted.delete(node) && wanted.size === 0) return;
      const [time, length] = [this.milliseconds[node], this.centimetres[node]];
      for (let arc = firstArc[node]; arc < firstArc[node + 1]; arc++) this.offer(head[arc], time + arcTime[arc], length + arcLength[arc], node);
    }
  }

  private offer(node: number, milliseconds: number, centimetres: number, before: number): void {
    const isNew = this.reachedIn[node] !== this.round;
    if (!isNew && (milliseconds > this.milliseconds[node] || (milliseconds === this.milliseconds[node] && centimetres >= this.centimetres[node]))) return;
    this.reachedIn[node] = this.round;
    this.milliseconds[node] = milliseconds;
    this.centimetres[node] = centimetres;
    this.before[node] = before;
    if (isNew) this.open.add(node);
    else this.open.improve(node);
  }

  /** What the last search says, against the way along the common edge. */
  private best(from: Place, to: Place): { milliseconds: number; centimetres: number; node: number } | null {
    const along = travelAlongEdge(from, to);
    let best: ReturnType<JourneySearch['best']> = along && { ...along, node: -1 };
    for (const { node, milliseconds, centimetres } of to.targets) {
      if (this.reachedIn[node] !== this.round) continue;
      const way = { milliseconds: this.milliseconds[node] + milliseconds, centimetres: this.centimetres[node] + centimetres, node };
      if (best === null || way.milliseconds < best.milliseconds || (way.milliseconds === best.milliseconds && way.centimetres < best.centimetres)) best = way;
    }
    return best;
  }

  private journeyTo(from: Place, to: Place): Journey | null {
    const best = this.best(from, to);
    if (best === null) return null;
    const { milliseconds, centimetres } = best;
    if (best.node === -1) return { milliseconds, centimetres, nodes: [], firstDirected: travelAlongEdge(from, to)!.directed };
    const nodes: number[] = [];
    for (let node = best.node; node !== -1; node = this.before[node]) nodes.push(node);
    nodes.reverse();
    return { milliseconds, centimetres, nodes, firstDirected: this.firstDirected(from, nodes[0]) };
  }

  /** Two directions of the first edge may lead to one node only where they cost the same: then the first is taken. */
  private firstDirected(from: Place, node: number): number {
    const { firstArc, head, roads, milliseconds, centimetres } = this.graph;
    for (const direction of from.directions) {
      const { plain } = nodesOf(roads, direction.directed);
      for (let arc = firstArc[plain]; arc < firstArc[plain + 1]; arc++) {
        if (head[arc] === node && milliseconds[arc] - direction.milliseconds === this.milliseconds[node] && centimetres[arc] - direction.centimetres === this.centimetres[node]) return direction.directed;
      }
    }
    throw new Error(`no way from the place onto node ${node}`);
  }
}
