/** Nodes by the priority of their contraction, least first and of equal ones the one with the lowest number: a binary heap whose keys change. */
export class ContractionQueue {
  size = 0;
  readonly key: Float64Array;
  readonly heap: Int32Array;
  /** -1 where a node does not wait. */
  readonly place: Int32Array;

  constructor(nodeCount: number) {
    this.key = new Float64Array(nodeCount);
    this.heap = new Int32Array(nodeCount);
    this.place = new Int32Array(nodeCount).fill(-1);
  }

  least(): number {
    return this.heap[0];
  }

  has(node: number): boolean {
    return this.place[node] >= 0;
  }

  /** Lets a node wait with this key, whether it did before or not. */
  set(node: number, key: number): void {
    if (!this.has(node)) {
      this.place[node] = this.size;
      this.heap[this.size++] = node;
    }
    this.key[node] = key;
    this.rise(node);
    this.sink(node);
  }

  remove(node: number): void {
    if (!this.has(node)) return;
    const at = this.place[node];
    this.place[node] = -1;
    const last = this.heap[--this.size];
    if (last === node) return;
    this.heap[at] = last;
    this.place[last] = at;
    this.rise(last);
    this.sink(last);
  }

  isBefore(a: number, b: number): boolean {
    return this.key[a] < this.key[b] || (this.key[a] === this.key[b] && a < b);
  }

  rise(node: number): void {
    const { heap, place } = this;
    let i = place[node];
    while (i > 0) {
      const parentPlace = (i - 1) >> 1;
      const parent = heap[parentPlace];
      if (!this.isBefore(node, parent)) break;
      heap[i] = parent;
      place[parent] = i;
      i = parentPlace;
    }
    heap[i] = node;
    place[node] = i;
  }

  sink(node: number): void {
    const { heap, place, size } = this;
    let i = place[node];
    for (;;) {
      let childPlace = 2 * i + 1;
      if (childPlace >= size) break;
      if (childPlace + 1 < size && this.isBefore(heap[childPlace + 1], heap[childPlace])) childPlace++;
      const child = heap[childPlace];
      if (this.isBefore(node, child)) break;
      heap[i] = child;
      place[child] = i;
      i = childPlace;
    }
    heap[i] = node;
    place[node] = i;
  }
}
