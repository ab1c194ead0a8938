/** An arc that stands for one of the graph, or for two that meet at a contracted node. */
export interface Shortcut {
  milliseconds: number;
  centimetres: number;
  /** How many arcs of the graph it stands for. */
  hops: number;
  /** The contracted node that it goes over, or -1 - arc for an arc of the graph. */
  via: number;
}

/**
 * For each node a list of arcs by their other ends, all in one pool. Lists stand behind one another without gaps at first; one that
 * grows out of its room moves to the end of the pool, and a full pool is packed.
 */
export class ArcLists {
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly room: Int32Array;
  /** Where the free part of the pool begins. */
  used: number;
  end: Int32Array;
  milliseconds: Uint32Array;
  centimetres: Uint32Array;
  hops: Int32Array;
  via: Int32Array;

  /** Empty lists, with room for so many arcs of each node. */
  constructor(room: Int32Array) {
    this.room = room;
    this.first = new Int32Array(room.length);
    this.count = new Int32Array(room.length);
    this.used = 0;
    for (let node = 0; node < room.length; node++) {
      this.first[node] = this.used;
      this.used += room[node];
    }
    const size = roomyPool(this.used, room.length);
    this.end = new Int32Array(size);
    this.milliseconds = new Uint32Array(size);
    this.centimetres = new Uint32Array(size);
    this.hops = new Int32Array(size);
    this.via = new Int32Array(size);
  }

  /** Where the arc to another end stands in the pool, or -1. */
  find(node: number, end: number): number {
    const past = this.first[node] + this.count[node];
    for (let at = this.first[node]; at < past; at++) if (this.end[at] === end) return at;
    return -1;
  }

  /** Adds an arc to an end that the list does not have. */
  add(node: number, end: number, arc: Shortcut): void {
    if (this.count[node] === this.room[node]) this.move(node, 2 * this.room[node] + 2);
    const at = this.first[node] + this.count[node]++;
    this.end[at] = end;
    this.write(at, arc);
  }

  write(at: number, { milliseconds, centimetres, hops, via }: Shortcut): void {
    this.milliseconds[at] = milliseconds;
    this.centimetres[at] = centimetres;
    this.hops[at] = hops;
    this.via[at] = via;
  }

  /** Removes the arc to an end; the last of the list takes its place. */
  remove(node: number, end: number): void {
    const at = this.find(node, end);
    if (at >= 0) this.copy(this.first[node] + --this.count[node], at);
  }

  clear(node: number): void {
    this.count[node] = 0;
    this.room[node] = 0;
  }

  /** Moves a list to the end of the pool, where it has this room. */
  move(node: number, room: number): void {
    if (this.used + room > this.end.length) this.pack(room);
    const from = this.first[node];
    for (let i = 0; i < this.count[node]; i++) this.copy(from + i, this.used + i);
    this.first[node] = this.used;
    this.room[node] = room;
    this.used += room;
  }

  /** Moves all lists to another pool without gaps, which has more room behind them than this. */
  pack(more: number): void {
    const { end, milliseconds, centimetres, hops, via } = this;
    const size = roomyPool(this.count.reduce((sum, count) => sum + count, 0), this.first.length) + more;
    this.end = new Int32Array(size);
    this.milliseconds = new Uint32Array(size);
    this.centimetres = new Uint32Array(size);
    this.hops = new Int32Array(size);
    this.via = new Int32Array(size);
    this.used = 0;
    for (let node = 0; node < this.first.length; node++) {
      const from = this.first[node];
      const past = from + this.count[node];
      this.end.set(end.subarray(from, past), this.used);
      this.milliseconds.set(milliseconds.subarray(from, past), this.used);
      this.centimetres.set(centimetres.subarray(from, past), this.used);
      this.hops.set(hops.subarray(from, past), this.used);
      this.via.set(via.subarray(from, past), this.used);
      this.first[node] = this.used;
      this.room[node] = this.count[node];
      this.used += this.count[node];
    }
  }

  copy(from: number, to: number): void {
    this.end[to] = this.end[from];
    this.milliseconds[to] = this.milliseconds[from];
    this.centimetres[to] = this.centimetres[from];
    this.hops[to] = this.hops[from];
    this.via[to] = this.via[from];
  }
}

/** So much that packing is rare, and not more, for there are networks of millions of arcs. */
const roomyPool = (arcCount: number, nodeCount: number): number => arcCount + (arcCount >> 1) + nodeCount + 16;
