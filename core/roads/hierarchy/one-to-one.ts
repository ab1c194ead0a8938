import type { Digraph } from '../graph.ts';
import { UNREACHABLE, wholeMetres, wholeSeconds } from '../travel-matrix.ts';
import type { Hierarchy, RankedArcs } from './hierarchy.ts';
import { checkPlaces, placesOf } from './places.ts';
import type { Candidate } from './places.ts';
import { UpwardSearch } from './upward-search.ts';

/** The way behind one number of a table. */
export interface Way {
  /** Arcs of the graph in the order of travel; none where it does not leave its node. */
  arcs: Int32Array;
  /** The candidates where it begins and ends. */
  source: number;
  target: number;
  /** Exact, the ways to and from the candidates included. */
  milliseconds: number;
  centimetres: number;
  /** As in the rectangle. */
  seconds: number;
  metres: number;
}

/** Where the two searches of the best way meet, and how long it is. */
export interface Meeting {
  rank: number;
  milliseconds: number;
  centimetres: number;
}

/** The fastest way from one place to another, each given by its candidates; null where there is none. It visits no node twice. */
export function fastestWay(graph: Digraph, hierarchy: Hierarchy, ends: { source: readonly Candidate[]; target: readonly Candidate[] }): Way | null {
  if (hierarchy.nodeCount !== graph.nodeCount || hierarchy.graphArcCount !== graph.arcCount) throw new Error('the hierarchy was made of another graph');
  const places = placesOf([ends.source, ends.target]);
  checkPlaces(hierarchy, places);
  const [forward, backward] = [new UpwardSearch(hierarchy), new UpwardSearch(hierarchy)];
  forward.beginAt(places, 0);
  forward.forwards();
  backward.beginAt(places, 1);
  backward.backwards();
  const meeting = meet(forward, backward);
  if (meeting === null) return null;
  const seconds = wholeSeconds(meeting.milliseconds);
  if (seconds === UNREACHABLE) return null;
  const up = climb(forward, hierarchy.leaving, meeting.rank);
  const down = climb(backward, hierarchy.entering, meeting.rank);
  const ranked = [...up.steps.toReversed().map(({ low, high, via }) => ({ from: low, to: high, via })), ...down.steps.map(({ low, high, via }) => ({ from: high, to: low, via }))];
  const arcs = ranked.flatMap((arc) => unpack(hierarchy, arc));
  return {
    arcs: withoutCircles(graph, ends.source[up.candidate].node, arcs),
    source: up.candidate, target: down.candidate, milliseconds: meeting.milliseconds, centimetres: meeting.centimetres, seconds, metres: wholeMetres(seconds, meeting.centimetres),
  };
}

/** The best of the ways over nodes that both searches settled; null where there is none. */
export function meet(forward: UpwardSearch, backward: UpwardSearch): Meeting | null {
  let best: Meeting | null = null;
  for (let i = 0; i < backward.settledCount; i++) {
    const rank = backward.settled[i];
    if (forward.reachedIn[rank] !== forward.round) continue;
    const milliseconds = forward.milliseconds[rank] + backward.milliseconds[rank];
    const centimetres = forward.centimetres[rank] + backward.centimetres[rank];
    if (best === null || milliseconds < best.milliseconds || (milliseconds === best.milliseconds && centimetres < best.centimetres)) best = { rank, milliseconds, centimetres };
  }
  return best;
}

interface Step {
  low: number;
  high: number;
  via: number;
}

/** The arcs over which a search reached a rank, the last first, and the candidate where it began. */
function climb({ reachedBy }: UpwardSearch, { first, via }: RankedArcs, rank: number): { steps: Step[]; candidate: number } {
  const steps: Step[] = [];
  let high = rank;
  while (reachedBy[high] >= 0) {
    const arc = reachedBy[high];
    const low = ownerOf(first, arc);
    steps.push({ low, high, via: via[arc] });
    high = low;
  }
  return { steps, candidate: -1 - reachedBy[high] };
}

/** The rank whose list an arc stands in. */
function ownerOf(first: Int32Array, arc: number): number {
  let [low, high] = [0, first.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (first[middle] <= arc) low = middle;
    else high = middle;
  }
  return low;
}

/** The arcs of the graph that an arc stands for. A shortcut's two halves are kept with the node that it goes over. */
function unpack({ leaving, entering }: Hierarchy, arc: { from: number; to: number; via: number }): number[] {
  const arcs: number[] = [];
  const open = [arc];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, to, via } = next;
    if (via < 0) arcs.push(-1 - via);
    else open.push({ from: via, to, via: viaOf(leaving, via, to) }, { from, to: via, via: viaOf(entering, via, from) });
  }
  return arcs;
}

function viaOf({ first, end, via }: RankedArcs, rank: number, other: number): number {
  let [low, high] = [first[rank], first[rank + 1]];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (end[middle] <= other) low = middle;
    else high = middle;
  }
  return via[low];
}

/** Equally good ways may go round in a circle that costs nothing. */
function withoutCircles({ head }: Digraph, from: number, arcs: number[]): Int32Array {
  const kept: number[] = [];
  const keptAt = new Map([[from, 0]]);
  for (const arc of arcs) {
    const length = keptAt.get(head[arc]);
    if (length === undefined) {
      kept.push(arc);
      keptAt.set(head[arc], kept.length);
    } else {
      for (const dropped of kept.splice(length)) keptAt.delete(head[dropped]);
    }
  }
  return Int32Array.from(kept);
}
