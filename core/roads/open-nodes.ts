/**
 * The open nodes of a search: a heap with four children each that gives the least label first, by milliseconds and then by centimetres.
 * Labels belong to the search, which writes them before it says so here; the same buffers serve many searches.
 */
export class OpenNodes {
  size = 0;
  readonly milliseconds: Float64Array;
  readonly centimetres: Float64Array;
  readonly heap: Int32Array;
  /** Where in the heap an open node stands. */
  readonly place: Int32Array;

  constructor(labels: { milliseconds: Float64Array; centimetres: Float64Array }) {
    this.milliseconds = labels.milliseconds;
    this.centimetres = labels.centimetres;
    this.heap = new Int32Array(labels.milliseconds.length);
    this.place = new Int32Array(labels.milliseconds.length);
  }

  /** A node that is not open yet. */
  add(node: number): void {
    this.place[node] = this.size++;
    this.improve(node);
  }

  /** An open node whose label has become less. */
  improve(node: number): void {
    const { heap, place, milliseconds, centimetres } = this;
    const nodeTime = milliseconds[node];
    const nodeLength = centimetres[node];
    let i = place[node];
    while (i > 0) {
      const parentPlace = (i - 1) >> 2;
      const parent = heap[parentPlace];
      if (milliseconds[parent] < nodeTime || (milliseconds[parent] === nodeTime && centimetres[parent] <= nodeLength)) break;
      heap[i] = parent;
      place[parent] = i;
      i = parentPlace;
    }
    heap[i] = node;
    place[node] = i;
  }

  /** The node with the least label; it is not open any more. There must be one. */
  takeLeast(): number {
    const least = this.heap[0];
    const last = this.heap[--this.size];
    if (this.size > 0) this.sink(last);
    return least;
  }

  /** Puts a node into the empty top of the heap and lets it down to where it belongs. */
  sink(node: number): void {
    const { heap, place, milliseconds, centimetres, size } = this;
    const nodeTime = milliseconds[node];
    const nodeLength = centimetres[node];
    let i = 0;
    for (;;) {
      const first = 4 * i + 1;
      if (first >= size) break;
      const end = first + 4 < size ? first + 4 : size;
      let least = heap[first];
      let leastPlace = first;
      for (let j = first + 1; j < end; j++) {
        const child = heap[j];
        if (milliseconds[child] < milliseconds[least] || (milliseconds[child] === milliseconds[least] && centimetres[child] < centimetres[least])) {
          least = child;
          leastPlace = j;
        }
      }
      if (nodeTime < milliseconds[least] || (nodeTime === milliseconds[least] && nodeLength <= centimetres[least])) break;
      heap[i] = least;
      place[least] = i;
      i = leastPlace;
    }
    heap[i] = node;
    place[node] = i;
  }
}
