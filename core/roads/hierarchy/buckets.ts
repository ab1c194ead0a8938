import type { Hierarchy } from './hierarchy.ts';
import type { Places } from './places.ts';
import type { UpwardSearch } from './upward-search.ts';

/** Entries that are kept at a time: some 80 MB while they are sorted. */
const entriesMax = 2_000_000;

/** What backward searches from targets found, by the rank where they found it: the entries of rank r are `first[r]` to `first[r + 1]`. */
export class Buckets {
  readonly first: Int32Array;
  /** Counted from the first target of the block. */
  target = new Int32Array(0);
  /** From the rank to the target. */
  milliseconds = new Float64Array(0);
  centimetres = new Float64Array(0);
  /** Where the next block begins. */
  endTarget = 0;

  constructor({ nodeCount }: Hierarchy) {
    this.first = new Int32Array(nodeCount + 1);
  }

  /** Takes targets until there is no room for more entries; false when it was stopped. */
  take(search: UpwardSearch, targets: Places, { from, shouldStop, entriesLimit = entriesMax }: { from: number; shouldStop?: (() => boolean) | undefined; entriesLimit?: number }): boolean {
    let room = 1_024;
    let entries = { rank: new Int32Array(room), target: new Int32Array(room), milliseconds: new Float64Array(room), centimetres: new Float64Array(room) };
    let count = 0;
    let target = from;
    for (; target < targets.count && (target === from || count < entriesLimit); target++) {
      if (shouldStop?.()) return false;
      search.beginAt(targets, target);
      search.backwards();
      const { settled, settledCount, milliseconds, centimetres } = search;
      if (count + settledCount > room) {
        room = 2 * room + settledCount;
        entries = { rank: longer(entries.rank, room), target: longer(entries.target, room), milliseconds: longer(entries.milliseconds, room), centimetres: longer(entries.centimetres, room) };
      }
      for (let i = 0; i < settledCount; i++, count++) {
        entries.rank[count] = settled[i];
        entries.target[count] = target - from;
        entries.milliseconds[count] = milliseconds[settled[i]];
        entries.centimetres[count] = centimetres[settled[i]];
      }
    }
    this.endTarget = target;
    this.sort(entries, count);
    return true;
  }

  /** A counting sort by rank, which leaves the targets of each rank in their order. */
  sort(entries: { rank: Int32Array; target: Int32Array; milliseconds: Float64Array; centimetres: Float64Array }, count: number): void {
    const { first } = this;
    for (let i = 0; i < count; i++) first[entries.rank[i] + 1]++;
    for (let rank = 0; rank + 1 < first.length; rank++) first[rank + 1] += first[rank];
    const next = first.slice();
    this.target = new Int32Array(count);
    this.milliseconds = new Float64Array(count);
    this.centimetres = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const at = next[entries.rank[i]]++;
      this.target[at] = entries.target[i];
      this.milliseconds[at] = entries.milliseconds[i];
      this.centimetres[at] = entries.centimetres[i];
    }
  }
}

function longer<A extends Int32Array | Float64Array>(values: A, length: number): A {
  const copy = new (values.constructor as new (size: number) => A)(length);
  copy.set(values);
  return copy;
}
