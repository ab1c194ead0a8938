import { invalid, malformed, tooLarge, type ApiError } from '../core/contract/errors.ts';
import { bodyLimits } from '../core/contract/operation.ts';

/** What a body has around its long array has to be an ordinary one. */
const restBytesMax = bodyLimits.ordinary;

const quote = 0x22, backslash = 0x5c, comma = 0x2c, colon = 0x3a, zero = 0x30, nine = 0x39;
const openBracket = 0x5b, closeBracket = 0x5d, openBrace = 0x7b, closeBrace = 0x7d;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export interface Scanned {
  /** The body with an empty array in the place of the long one: to be read as JSON. */
  rest: Buffer;
  /** The items of the array; null where the body has none under the field's plain name. */
  bytes: Buffer | null;
}

/**
 * Takes the array of byte values out of a JSON object while it arrives: `{"kind": "photo", "bytes": [137, 80, …]}` becomes
 * `{"kind": "photo", "bytes": []}` and a buffer. Tens of millions of numbers are never one text nor an array of numbers, and a chunk
 * takes no longer than it takes to look at each of its bytes. What surrounds the array is judged by whoever parses the rest.
 */
export class ByteArrayScanner {
  readonly #field: string;
  readonly #rest: Buffer[] = [];
  #restLength = 0;
  #fault: ApiError | null = null;

  // Outside of the array.
  #depth = 0;
  #isObject = false;
  #inText = false;
  #isEscaped = false;
  /** The text that was read last, as it is written; cut where it is longer than the field's name. */
  #text: number[] = [];
  /** The field's name and a colon have just been read, at the top of the object. */
  #isDue = false;

  // In the array.
  #inArray = false;
  #place: 'begin' | 'item due' | 'digits' | 'item done' = 'begin';
  #item = 0;
  #bytes: Buffer | null = null;
  #count = 0;

  constructor(field: string) {
    this.#field = field;
  }

  /** After a fault the rest of the body goes by unread. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#fault === null) at = this.#inArray ? this.#scanItems(chunk, at) : this.#scanRest(chunk, at);
  }

  end(): Scanned {
    if (this.#inArray) this.#fault ??= malformed('the body is not JSON: it ends in the middle of an array');
    if (this.#fault) throw this.#fault;
    return { rest: Buffer.concat(this.#rest), bytes: this.#bytes && this.#bytes.subarray(0, this.#count) };
  }

  /** Up to the bracket that opens the array, or to the end of the chunk. Where it stopped. */
  #scanRest(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && !this.#inArray) this.#step(chunk[at++]);
    this.#restLength += at - from;
    if (this.#restLength > restBytesMax) this.#fault = tooLarge(restBytesMax);
    else this.#rest.push(Buffer.from(chunk.subarray(from, at)));
    return at;
  }

  #step(byte: number): void {
    if (this.#inText) return this.#stepInText(byte);
    if (isSpace(byte)) return;
    const isDue = this.#isDue;
    this.#isDue = false;
    if (byte === quote) {
      this.#inText = true;
      this.#text = [];
    } else if (byte === colon) {
      this.#isDue = this.#depth === 1 && this.#isObject && String.fromCharCode(...this.#text) === this.#field;
    } else if (byte === openBracket && isDue) {
      this.#openArray();
    } else if (byte === openBrace || byte === openBracket) {
      if (this.#depth === 0) this.#isObject = byte === openBrace;
      this.#depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#depth--;
    }
  }

  #stepInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#inText = false;
    if (this.#inText && this.#text.length <= this.#field.length) this.#text.push(byte);
  }

  #openArray(): void {
    this.#inArray = true;
    this.#place = 'begin';
    this.#bytes = Buffer.allocUnsafe(1 << 16);
    this.#count = 0;
  }

  /** Up to the bracket that closes the array, which belongs to the rest again, or to the end of the chunk. Where it stopped. */
  #scanItems(chunk: Buffer, from: number): number {
    // Local copies: this loop looks at tens of millions of bytes.
    let place = this.#place, item = this.#item, count = this.#count, bytes = this.#bytes!;
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte >= zero && byte <= nine) {
        if (place === 'item done' || (place === 'digits' && item === 0)) return this.#fail(malformed('the body is not JSON: an array has a digit where none can be'));
        item = place === 'digits' ? item * 10 + byte - zero : byte - zero;
        if (item > 255) return this.#fail(this.#noByte(count));
        place = 'digits';
      } else if (byte === comma || byte === closeBracket) {
        if (place === 'item due' || (place === 'begin' && byte === comma)) return this.#fail(malformed('the body is not JSON: an array lacks an item'));
        if (place !== 'begin') {
          if (count === bytes.length) bytes = Buffer.concat([bytes], 2 * count);
          bytes[count++] = item;
        }
        place = 'item due';
        if (byte === closeBracket) {
          this.#inArray = false;
          break;
        }
      } else if (isSpace(byte)) {
        if (place === 'digits') place = 'item done';
      } else {
        return this.#fail(this.#noByte(count));
      }
    }
    this.#place = place;
    this.#item = item;
    this.#count = count;
    this.#bytes = bytes;
    if (!this.#inArray) {
      this.#rest.push(Buffer.from(']'));
      return at + 1;
    }
    return at;
  }

  #fail(fault: ApiError): number {
    this.#fault = fault;
    return 0;
  }

  #noByte = (index: number): ApiError => invalid(`/${this.#field}/${index}`, 'must be an integer from 0 to 255');
}
