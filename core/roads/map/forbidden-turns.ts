import type { DirectedEdges } from './directed-edges.ts';
import type { Edges } from './edges.ts';
import type { Roads } from './read-roads.ts';
import type { Restriction, RestrictionGap } from './restriction.ts';

/**
 * Sequences of directed edges that nobody may drive one after the other, and what has to be remembered on the way to obey them. Two edges
 * are a plain turn; longer ones come of restrictions over ways. A memory is the beginning of a longer sequence, at least two edges
 * of it: the states of Aho and Corasick's machine ("Efficient string matching", 1975) that are longer than one edge.
 */
export interface ForbiddenTurns {
  /** Memories, each ending with the edge that one is on. */
  memories: readonly (readonly number[])[];
  /** What one is in after driving on to an edge: a memory, PLAIN, or FORBIDDEN. */
  step(behind: readonly number[], next: number): number;
  /** Whether any sequence begins with an edge: others need no step. */
  isWatched(directed: number): boolean;
  used: number;
  gaps: Partial<Record<RestrictionGap, number>>;
}

export const PLAIN = -1;
export const FORBIDDEN = -2;

export function forbiddenTurns(roads: Roads, edges: Edges, directed: DirectedEdges): ForbiddenTurns {
  const finder = new SequenceFinder(roads, edges, directed);
  const gaps: ForbiddenTurns['gaps'] = {};
  const sequences: number[][] = [];
  const allowed = new Map<string, { path: number[]; next: Set<number> }>();
  let used = 0;
  for (const restriction of roads.restrictions) {
    if (!restriction.holdsFor[directed.kind]) continue;
    const found = finder.sequences(restriction);
    if (typeof found === 'string') {
      gaps[found] = (gaps[found] ?? 0) + 1;
      continue;
    }
    used++;
    if (restriction.kind === 'no') sequences.push(...found);
    else for (const sequence of found) allow(allowed, sequence);
  }
  // Two that name the only way on from one place name two ways.
  for (const { path, next } of allowed.values()) {
    for (const other of directed.leaving(directed.head(path.at(-1)!))) if (!next.has(other)) sequences.push([...path, other]);
  }
  return { ...machineOf(sequences), used, gaps };
}

function allow(allowed: Map<string, { path: number[]; next: Set<number> }>, sequence: number[]): void {
  const path = sequence.slice(0, -1);
  const key = path.join();
  const entry = allowed.get(key) ?? { path, next: new Set() };
  entry.next.add(sequence.at(-1)!);
  allowed.set(key, entry);
}

function machineOf(sequences: number[][]): Pick<ForbiddenTurns, 'memories' | 'step' | 'isWatched'> {
  const forbidden = new Set(sequences.map((sequence) => sequence.join()));
  const places = new Map<string, number>();
  const memories: number[][] = [];
  for (const sequence of sequences) {
    for (let length = 2; length < sequence.length; length++) {
      const memory = sequence.slice(0, length);
      if (!places.has(memory.join())) places.set(memory.join(), memories.push(memory) - 1);
    }
  }
  const watched = new Set(sequences.map(([first]) => first));
  return {
    memories,
    isWatched: (directed) => watched.has(directed),
    step: (behind, next) => {
      const driven = [...behind, next];
      let state = PLAIN;
      for (let start = driven.length - 2; start >= 0; start--) {
        const tail = driven.slice(start).join();
        if (forbidden.has(tail)) return FORBIDDEN;
        // The longest memory is kept: it knows all that shorter ones know.
        state = places.get(tail) ?? state;
      }
      return state;
    },
  };
}

/** Steps that are tried to find the way over the ways of one restriction: a big roundabout takes a few dozen, a hostile mesh for ever. */
const STEPS_MAX = 2000;

/** Finds the edges that a restriction speaks of. */
class SequenceFinder {
  private readonly roads: Roads;
  private readonly edges: Edges;
  private readonly directed: DirectedEdges;
  private readonly edgesOfWay = new Map<number, number[]>();

  constructor(roads: Roads, edges: Edges, directed: DirectedEdges) {
    this.roads = roads;
    this.edges = edges;
    this.directed = directed;
    const named = new Set(roads.restrictions.flatMap(({ from, viaWays, to }) => [...from, ...viaWays, ...to]));
    edges.wayId.forEach((way, edge) => {
      if (!named.has(way)) return;
      if (!this.edgesOfWay.has(way)) this.edgesOfWay.set(way, []);
      this.edgesOfWay.get(way)!.push(edge);
    });
  }

  /** Every sequence that is meant, at least one, or why there is none. */
  sequences({ kind, from, viaNode, viaWays, to }: Restriction): number[][] | RestrictionGap {
    const named = [...from, ...viaWays, ...to];
    if (named.some((way) => !this.edgesOfWay.has(way))) return kind === 'no' ? 'moot' : 'incomplete';
    const sequences: number[][] = [];
    for (const fromWay of from) for (const toWay of to) {
      const found = viaNode === null ? this.overWays(fromWay, viaWays, toWay) : this.overNode(fromWay, viaNode, toWay);
      if (typeof found === 'string') return found;
      sequences.push(...found);
    }
    return sequences.length > 0 ? sequences : 'moot';
  }

  private overNode(from: number, via: number, to: number): number[][] | RestrictionGap {
    const junction = this.roads.nodeIds.indexOf(via);
    const arriving = this.usable(from).filter((each) => this.directed.head(each) === junction);
    const leaving = this.usable(to).filter((each) => this.directed.tail(each) === junction);
    // A way that goes on beyond the junction should have been split there: which half is meant nobody can tell. Turning back is the exception.
    if (from === to) return arriving.filter((each) => leaving.includes(each ^ 1)).map((each) => [each, each ^ 1]);
    if (arriving.length > 1 || leaving.length > 1) return 'ambiguous';
    if (!this.touches(from, junction) || !this.touches(to, junction)) return 'incomplete';
    return arriving.length === 1 && leaving.length === 1 ? [[arriving[0], leaving[0]]] : [];
  }

  private touches(way: number, junction: number): boolean {
    return this.edgesOfWay.get(way)!.some((edge) => this.edges.tail[edge] === junction || this.edges.head[edge] === junction);
  }

  /** From the end of one way along all of the others to the beginning of the last. */
  private overWays(from: number, via: number[], to: number): number[][] | RestrictionGap {
    const through = new Set(via.flatMap((way) => this.usable(way)));
    const starts = this.usable(from).filter((each) => [...through].some((next) => this.directed.tail(next) === this.directed.head(each)));
    const found = starts.flatMap((start) => this.pathsOver(start, through, via, to));
    return found.length > 1 ? 'ambiguous' : found;
  }

  private pathsOver(start: number, through: Set<number>, via: number[], to: number): number[][] {
    const ends = this.usable(to);
    const found: number[][] = [];
    let steps = 0;
    const walk = (path: number[]): void => {
      const at = this.directed.head(path.at(-1)!);
      if (path.length > 1 && this.coversAll(path, via)) for (const end of ends) if (this.directed.tail(end) === at) found.push([...path, end]);
      if (++steps > STEPS_MAX) return;
      for (const next of this.directed.leaving(at)) {
        if (!through.has(next) || path.includes(next) || path.includes(next ^ 1)) continue;
        // Whoever comes through a junction a second time is not on the way there any more.
        if (path.some((each, i) => i > 0 && this.directed.head(each) === this.directed.head(next))) continue;
        walk([...path, next]);
      }
    };
    walk([start]);
    const shortest = Math.min(...found.map((path) => path.length));
    return found.filter((path) => path.length === shortest);
  }

  private coversAll(path: number[], via: number[]): boolean {
    const ways = new Set(path.map((each) => this.edges.wayId[each >> 1]));
    return via.every((way) => ways.has(way));
  }

  private usable(way: number): number[] {
    return this.edgesOfWay.get(way)!.flatMap((edge) => [2 * edge, 2 * edge + 1]).filter((each) => this.directed.access(each) !== 'no');
  }
}
