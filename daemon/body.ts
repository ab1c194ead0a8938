import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalidAll, malformed, tooLarge, unsupportedType } from '../core/contract/errors.ts';
import { ByteArrayScanner } from './byte-array-scanner.ts';
import { isNestedBeyond } from './nesting.ts';
import { unstorableTexts } from './unstorable-texts.ts';

export interface JsonBody {
  value: unknown;
  sizeBytes: number;
  /** SHA-512 of the body as it came. */
  digest: Buffer;
  /** The array of byte values that was taken out; an empty one stands in its place. */
  byteArray?: Buffer;
}

/** A body that nobody has looked into yet, in memory that a thread can read too. */
export interface RawBody {
  bytes: Uint8Array<SharedArrayBuffer>;
  digest: Buffer;
}

interface Expected {
  limitBytes: number;
  /** The field with a long array of byte values. */
  byteArray?: string;
}

/** The JSON value of a request; undefined where it has no body. */
export async function readJson(request: IncomingMessage, { limitBytes, byteArray }: Expected): Promise<JsonBody | undefined> {
  if (!hasBody(request, limitBytes)) return undefined;
  return byteArray === undefined ? readWhole(request, limitBytes) : readAround(request, limitBytes, byteArray);
}

/** What a request brings; undefined where that is nothing. Chunks are put together as they come: at the end that would be a pause. */
export async function readRaw(request: IncomingMessage, limitBytes: number): Promise<RawBody | undefined> {
  if (!hasBody(request, limitBytes)) return undefined;
  const memory = new SharedArrayBuffer(0, { maxByteLength: limitBytes });
  const { sizeBytes, digest } = await readChunks(request, limitBytes, (chunk) => {
    const at = memory.byteLength;
    memory.grow(at + chunk.length);
    new Uint8Array(memory).set(chunk, at);
  });
  return sizeBytes === 0 ? undefined : { bytes: new Uint8Array(memory), digest };
}

async function readWhole(request: IncomingMessage, limitBytes: number): Promise<JsonBody | undefined> {
  const chunks: Buffer[] = [];
  const { sizeBytes, digest } = await readChunks(request, limitBytes, (chunk) => chunks.push(chunk));
  return sizeBytes === 0 ? undefined : { value: parseJson(Buffer.concat(chunks)), sizeBytes, digest };
}

/** By its headers, which have to be in order then. */
function hasBody({ headers }: IncomingMessage, limitBytes: number): boolean {
  const { 'content-length': length, 'content-type': type, 'content-encoding': encoding, 'transfer-encoding': transfer } = headers;
  const declared = Number(length ?? 0);
  if (declared === 0 && transfer === undefined) return false;
  if (!isJson(type) || (encoding !== undefined && encoding !== 'identity')) throw unsupportedType();
  if (declared > limitBytes) throw tooLarge(limitBytes);
  return true;
}

/** Takes the array of the field apart while it arrives. */
async function readAround(request: IncomingMessage, limitBytes: number, field: string): Promise<JsonBody | undefined> {
  const scanner = new ByteArrayScanner(field);
  const { sizeBytes, digest } = await readChunks(request, limitBytes, (chunk) => scanner.push(chunk));
  if (sizeBytes === 0) return undefined;
  const { rest, bytes } = scanner.end();
  return { value: parseJson(rest), sizeBytes, digest, ...(bytes ? { byteArray: bytes } : {}) };
}

const isJson = (contentType = ''): boolean => /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(contentType.trim());

/** How many bytes there were, and which. They are counted and hashed while they come: at the end of tens of megabytes that would be a long pause. */
async function readChunks(request: IncomingMessage, limitBytes: number, take: (chunk: Buffer) => void): Promise<{ sizeBytes: number; digest: Buffer }> {
  const hash = createHash('sha512');
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) break;
      hash.update(chunk);
      take(chunk);
    }
  } catch {
    // The client has gone: nobody reads this, but the figures shall not blame the database for the broken connection.
    throw malformed('the body ended before its time');
  }
  if (size > limitBytes) throw tooLarge(limitBytes);
  return { sizeBytes: size, digest: hash.digest() };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('the body is not UTF-8');
  }
}

/** Only an escape can bring a character that the database has no place for; most bodies have none and are not searched. */
const suspicious = /\\u(0000|d[89a-f])/i;

/** Far more than anybody needs, and far less than what recursion can follow, here and in the database. */
const levelsMax = 64;

export function parseJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(`the body is not JSON: ${(error as Error).message}`);
  }
  if (isNestedBeyond(levelsMax, value)) throw malformed(`the body is nested deeper than ${levelsMax} levels`);
  const problems = suspicious.test(text) ? unstorableTexts(value) : [];
  if (problems.length > 0) throw invalidAll(problems);
  return value;
}
