import { OpenNodes } from '../open-nodes.ts';
import type { Hierarchy, RankedArcs } from './hierarchy.ts';
import type { Places } from './places.ts';

/**
 * Dijkstra's search that only goes up in a hierarchy: forwards along the arcs that leave a node, or backwards along those that enter it.
 * A best way goes up from its one end and down to the other, so two such searches meet at its highest node. In the core, where arcs
 * lead up and down, the forward search goes on and the backward one ends.
 *
 * A node that a higher one knows a better way to is stalled: no best way goes on from it (Geisberger and others 2008, "stall-on-demand").
 */
export class UpwardSearch {
  readonly hierarchy: Hierarchy;
  /** Labels by rank; they count only where `reachedIn` holds `round`, and those of stalled ranks may be too long. */
  readonly milliseconds: Float64Array;
  readonly centimetres: Float64Array;
  readonly reachedIn: Uint32Array;
  /** The arc over which a rank was reached, or -1 - candidate where the search began. */
  readonly reachedBy: Int32Array;
  readonly open: OpenNodes;
  round = 0;
  /** The ranks that the last search settled and did not stall, nearest first. */
  readonly settled: Int32Array;
  settledCount = 0;

  constructor(hierarchy: Hierarchy) {
    const n = hierarchy.nodeCount;
    this.hierarchy = hierarchy;
    this.milliseconds = new Float64Array(n);
    this.centimetres = new Float64Array(n);
    this.reachedIn = new Uint32Array(n);
    this.reachedBy = new Int32Array(n);
    this.settled = new Int32Array(n);
    this.open = new OpenNodes(this);
  }

  /** Begins another search at all candidates of a place. */
  beginAt({ first, node, milliseconds, centimetres }: Places, place: number): void {
    this.round++;
    this.open.size = 0;
    this.settledCount = 0;
    for (let i = first[place]; i < first[place + 1]; i++) this.reach(this.hierarchy.rankOf[node[i]], milliseconds[i], centimetres[i], first[place] - i - 1);
  }

  forwards(): void {
    this.run(this.hierarchy.leaving, this.hierarchy.entering, this.hierarchy.nodeCount);
  }

  backwards(): void {
    this.run(this.hierarchy.entering, this.hierarchy.leaving, this.hierarchy.coreStart);
  }

  /** Backwards through the core too, for whoever wants all of it. */
  backwardsThroughCore(): void {
    this.run(this.hierarchy.entering, this.hierarchy.leaving, this.hierarchy.nodeCount);
  }

  /** Ranks from `endRank` on are settled, but the search does not go on from them. */
  run(arcs: RankedArcs, opposite: RankedArcs, endRank: number): void {
    const { milliseconds, centimetres, settled, open } = this;
    const { coreStart } = this.hierarchy;
    const { first, end, milliseconds: arcTime, centimetres: arcLength } = arcs;
    while (open.size > 0) {
      const rank = open.takeLeast();
      if (rank < coreStart && this.isStalled(rank, opposite)) continue;
      settled[this.settledCount++] = rank;
      if (rank >= endRank) continue;
      const time = milliseconds[rank];
      const length = centimetres[rank];
      for (let arc = first[rank]; arc < first[rank + 1]; arc++) this.reach(end[arc], time + arcTime[arc], length + arcLength[arc], arc);
    }
  }

  reach(rank: number, milliseconds: number, centimetres: number, by: number): void {
    const isNew = this.reachedIn[rank] !== this.round;
    if (!isNew && (milliseconds > this.milliseconds[rank] || (milliseconds === this.milliseconds[rank] && centimetres >= this.centimetres[rank]))) return;
    this.reachedIn[rank] = this.round;
    this.milliseconds[rank] = milliseconds;
    this.centimetres[rank] = centimetres;
    this.reachedBy[rank] = by;
    if (isNew) this.open.add(rank);
    else this.open.improve(rank);
  }

  isStalled(rank: number, { first, end, milliseconds: arcTime, centimetres: arcLength }: RankedArcs): boolean {
    const { milliseconds, centimetres, reachedIn, round } = this;
    const time = milliseconds[rank];
    for (let arc = first[rank]; arc < first[rank + 1]; arc++) {
      const above = end[arc];
      if (reachedIn[above] !== round) continue;
      const other = milliseconds[above] + arcTime[arc];
      if (other < time || (other === time && centimetres[above] + arcLength[arc] < centimetres[rank])) return true;
    }
    return false;
  }
}
