/** Builds a Protocol Buffers message; the mirror of wire-reader.ts. */
export class WireWriter {
  private bytes = new Uint8Array(1024);
  length = 0;

  /** What was written since the last `clear`, valid until the next write. */
  get content(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  unsigned(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  zigzag(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Two's complement of 64 bits. */
  signed(value: number): void {
    if (value >= 0) return this.unsigned(value);
    this.reserve(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest >= 128n; rest >>= 7n) this.bytes[this.length++] = Number(rest & 127n) | 128;
    this.bytes[this.length++] = Number(rest);
  }

  numberField(field: number, value: number): void {
    this.unsigned(8 * field);
    this.unsigned(value);
  }

  signedField(field: number, value: number): void {
    this.unsigned(8 * field);
    this.signed(value);
  }

  zigzagField(field: number, value: number): void {
    this.unsigned(8 * field);
    this.zigzag(value);
  }

  textField(field: number, text: string): void {
    this.bytesField(field, Buffer.from(text));
  }

  messageField(field: number, message: WireWriter): void {
    this.bytesField(field, message.content);
  }

  bytesField(field: number, content: Uint8Array): void {
    this.unsigned(8 * field + 2);
    this.unsigned(content.length);
    this.reserve(content.length);
    this.bytes.set(content, this.length);
    this.length += content.length;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + more));
    larger.set(this.content);
    this.bytes = larger;
  }
}
