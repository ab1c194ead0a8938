/**
 * Ids in ascending order, each once, and the place of each. Eight bytes an id: a bitmap would be smaller only where ids are dense, which
 * those of one region are not.
 */
export class IdSet {
  readonly ids: Float64Array;
  /** Ids come mostly in order; the place after the last one found is tried first. */
  private next = 0;

  /** Takes the array over: it is sorted in place. */
  constructor(ids: Float64Array) {
    ids.sort();
    let kept = 0;
    for (const id of ids) if (kept === 0 || id !== ids[kept - 1]) ids[kept++] = id;
    this.ids = kept === ids.length ? ids : ids.slice(0, kept);
  }

  get size(): number {
    return this.ids.length;
  }

  has(id: number): boolean {
    return this.indexOf(id) !== -1;
  }

  /** The place of an id, or -1. */
  indexOf(id: number): number {
    const { ids } = this;
    let least = 0;
    let end = ids.length;
    if (this.next < end) {
      if (ids[this.next] === id) return this.next++;
      if (ids[this.next] < id) least = this.next + 1;
      else if (this.next === 0 || ids[this.next - 1] < id) return -1;
      else end = this.next;
    }
    while (least < end) {
      const middle = (least + end) >> 1;
      if (ids[middle] < id) least = middle + 1;
      else end = middle;
    }
    // A miss leaves the next place where the id would be, so that a walk in order through many misses stays cheap.
    this.next = least;
    if (ids[least] !== id) return -1;
    this.next++;
    return least;
  }
}
