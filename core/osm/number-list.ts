/** Numbers, one after the other, in a typed array that grows. */
export class NumberList {
  private items = new Float64Array(1024);
  length = 0;

  add(value: number): void {
    if (this.length === this.items.length) this.items = grown(this.items, Float64Array);
    this.items[this.length++] = value;
  }

  /** What is in the list, valid until something is added. */
  get values(): Float64Array {
    return this.items.subarray(0, this.length);
  }
}

/** As NumberList, for integers of 32 bits. */
export class IntegerList {
  private items = new Int32Array(1024);
  length = 0;

  add(value: number): void {
    if (this.length === this.items.length) this.items = grown(this.items, Int32Array);
    this.items[this.length++] = value;
  }

  get values(): Int32Array {
    return this.items.subarray(0, this.length);
  }
}

function grown<T extends Float64Array | Int32Array>(items: T, kind: new (length: number) => T): T {
  const larger = new kind(2 * items.length);
  larger.set(items);
  return larger;
}
