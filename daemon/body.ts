import type { IncomingMessage } from 'node:http';
import { invalidAll, malformed, tooLarge, unsupportedType } from '../core/contract/errors.ts';
import { ByteArrayScanner } from './byte-array-scanner.ts';
import { isNestedBeyond } from './nesting.ts';
import { unstorableTexts } from './unstorable-texts.ts';

export interface JsonBody {
  value: unknown;
  sizeBytes: number;
  /** As it came; or, where an array was taken out of it, what tells it from any other body. */
  bytes: Buffer;
  /** The array of byte values that was taken out; an empty one stands in its place. */
  byteArray?: Buffer;
}

interface Expected {
  limitBytes: number;
  /** The field with a long array of byte values. */
  byteArray?: string;
}

/** The JSON value of a request; undefined where it has no body. */
export async function readJson(request: IncomingMessage, { limitBytes, byteArray }: Expected): Promise<JsonBody | undefined> {
  const { 'content-length': length, 'content-type': type, 'content-encoding': encoding, 'transfer-encoding': transfer } = request.headers;
  const declared = Number(length ?? 0);
  if (declared === 0 && transfer === undefined) return undefined;
  if (!isJson(type) || (encoding !== undefined && encoding !== 'identity')) throw unsupportedType();
  if (declared > limitBytes) throw tooLarge(limitBytes);
  return byteArray === undefined ? readWhole(request, limitBytes) : readAround(request, limitBytes, byteArray);
}

async function readWhole(request: IncomingMessage, limitBytes: number): Promise<JsonBody | undefined> {
  const chunks: Buffer[] = [];
  await readChunks(request, limitBytes, (chunk) => chunks.push(chunk));
  const bytes = Buffer.concat(chunks);
  return bytes.length === 0 ? undefined : { value: parse(textOf(bytes)), sizeBytes: bytes.length, bytes };
}

/** Takes the array of the field apart while it arrives. */
async function readAround(request: IncomingMessage, limitBytes: number, field: string): Promise<JsonBody | undefined> {
  const scanner = new ByteArrayScanner(field);
  const sizeBytes = await readChunks(request, limitBytes, (chunk) => scanner.push(chunk));
  if (sizeBytes === 0) return undefined;
  const { rest, bytes } = scanner.end();
  const value = parse(textOf(rest));
  return { value, sizeBytes, bytes: Buffer.concat([rest, bytes ?? Buffer.alloc(0)]), ...(bytes ? { byteArray: bytes } : {}) };
}

const isJson = (contentType = ''): boolean => /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(contentType.trim());

/** How many bytes there were. */
async function readChunks(request: IncomingMessage, limitBytes: number, take: (chunk: Buffer) => void): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) break;
      take(chunk);
    }
  } catch {
    // The client has gone: nobody reads this, but the figures shall not blame the database for the broken connection.
    throw malformed('the body ended before its time');
  }
  if (size > limitBytes) throw tooLarge(limitBytes);
  return size;
}

function textOf(bytes: Buffer): string {
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

function parse(text: string): unknown {
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
