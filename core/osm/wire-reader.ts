import { OsmFileError } from './osm-file-error.ts';

/** Of a number on the wire: what a double holds exactly. */
const EXACT_MAX = Number.MAX_SAFE_INTEGER;
const VARINT_BYTES_MAX = 10;

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

/**
 * A place in the bytes of a Protocol Buffers message, and the values that can be read from it on. It never reads past its end, whatever
 * the bytes say. https://protobuf.dev/programming-guides/encoding
 */
export class WireReader {
  bytes: Uint8Array;
  at: number;
  end: number;
  /** Of the field that `nextField` came to. */
  field = 0;
  wireType = 0;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get hasMore(): boolean {
    return this.at < this.end;
  }

  /** Comes to the next field of the message; false at its end. */
  nextField(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.unsigned();
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.field === 0) throw corrupt('a field with the number 0');
    return true;
  }

  /** An unsigned integer up to 2^53 - 1. */
  unsigned(): number {
    const { bytes, end } = this;
    let { at } = this;
    let value = 0;
    let unit = 1;
    for (let count = 1; at < end; count++) {
      const byte = bytes[at++];
      value += (byte & 127) * unit;
      if (byte < 128) {
        if (value > EXACT_MAX) throw corrupt('a number beyond 2^53');
        this.at = at;
        return value;
      }
      if (count === VARINT_BYTES_MAX) throw corrupt(`a number of more than ${VARINT_BYTES_MAX} bytes`);
      unit *= 128;
    }
    throw corrupt('a number that goes on past the end of its message');
  }

  /** A signed integer in zigzag order, as coordinates and differences of ids are written. */
  zigzag(): number {
    const value = this.unsigned();
    if (value <= 0x7fffffff) return (value >>> 1) ^ -(value & 1);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A signed integer in two's complement of 64 bits, as ids of ways are written. */
  signed(): number {
    const { bytes, end } = this;
    // Only negative ones take the full ten bytes.
    if (this.at + VARINT_BYTES_MAX > end || !isLong(bytes, this.at)) return this.unsigned();
    let value = 0n;
    for (let i = 0; i < VARINT_BYTES_MAX; i++) value |= BigInt(bytes[this.at + i] & 127) << BigInt(7 * i);
    if (bytes[this.at + VARINT_BYTES_MAX - 1] > 1) throw corrupt('a number of more than 64 bits');
    this.at += VARINT_BYTES_MAX;
    const exact = Number(BigInt.asIntN(64, value));
    if (!Number.isSafeInteger(exact)) throw corrupt('a number beyond 2^53');
    return exact;
  }

  /** Comes to the content of the present field, which has a length, and says where it ends. */
  contentEnd(): number {
    if (this.wireType !== BYTES) throw corrupt(`field ${this.field} with the wrong type ${this.wireType}`);
    const length = this.unsigned();
    if (length > this.end - this.at) throw corrupt(`field ${this.field} of ${length} bytes where only ${this.end - this.at} are left`);
    return this.at + length;
  }

  /** The content of the present field. */
  content(): WireReader {
    const end = this.contentEnd();
    const inner = new WireReader(this.bytes, this.at, end);
    this.at = end;
    return inner;
  }

  contentBytes(): Uint8Array {
    const end = this.contentEnd();
    const inner = this.bytes.subarray(this.at, end);
    this.at = end;
    return inner;
  }

  text(): string {
    return Buffer.from(this.contentBytes()).toString('utf8');
  }

  number(): number {
    this.expectVarint();
    return this.unsigned();
  }

  zigzagNumber(): number {
    this.expectVarint();
    return this.zigzag();
  }

  signedNumber(): number {
    this.expectVarint();
    return this.signed();
  }

  /** Leaves out the present field. */
  skip(): void {
    if (this.wireType === BYTES) this.at = this.contentEnd();
    else if (this.wireType === VARINT) this.skipVarint();
    else if (this.wireType === FIXED64) this.advance(8);
    else if (this.wireType === FIXED32) this.advance(4);
    else throw corrupt(`field ${this.field} with the unknown type ${this.wireType}`);
  }

  private expectVarint(): void {
    if (this.wireType !== VARINT) throw corrupt(`field ${this.field} with the wrong type ${this.wireType}`);
  }

  private skipVarint(): void {
    for (let count = 1; this.at < this.end; count++) {
      if (this.bytes[this.at++] < 128) return;
      if (count === VARINT_BYTES_MAX) throw corrupt(`a number of more than ${VARINT_BYTES_MAX} bytes`);
    }
    throw corrupt('a number that goes on past the end of its message');
  }

  private advance(length: number): void {
    if (length > this.end - this.at) throw corrupt(`field ${this.field} goes on past the end of its message`);
    this.at += length;
  }
}

export function corrupt(what: string): OsmFileError {
  return new OsmFileError('corrupt', what);
}

function isLong(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < VARINT_BYTES_MAX - 1; i++) if (bytes[at + i] < 128) return false;
  return true;
}
