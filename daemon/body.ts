import type { IncomingMessage } from 'node:http';
import { invalidAll, malformed, tooLarge, unsupportedType } from '../core/contract/errors.ts';
import { unstorableTexts } from './unstorable-texts.ts';

export interface JsonBody {
  value: unknown;
  sizeBytes: number;
  /** As it came. */
  bytes: Buffer;
}

/** The JSON value of a request; undefined where it has no body. */
export async function readJson(request: IncomingMessage, limitBytes: number): Promise<JsonBody | undefined> {
  const { 'content-length': length, 'content-type': type, 'content-encoding': encoding, 'transfer-encoding': transfer } = request.headers;
  const declared = Number(length ?? 0);
  if (declared === 0 && transfer === undefined) return undefined;
  if (!isJson(type) || (encoding !== undefined && encoding !== 'identity')) throw unsupportedType();
  if (declared > limitBytes) throw tooLarge(limitBytes);
  const bytes = await readBytes(request, limitBytes);
  return bytes.length === 0 ? undefined : { value: parse(textOf(bytes)), sizeBytes: bytes.length, bytes };
}

const isJson = (contentType = ''): boolean => /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(contentType.trim());

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) break;
      chunks.push(chunk);
    }
  } catch {
    // The client has gone: nobody reads this, but the figures shall not blame the database for the broken connection.
    throw malformed('the body ended before its time');
  }
  if (size > limitBytes) throw tooLarge(limitBytes);
  return Buffer.concat(chunks);
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

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(`the body is not JSON: ${(error as Error).message}`);
  }
  const problems = suspicious.test(text) ? unstorableTexts(value) : [];
  if (problems.length > 0) throw invalidAll(problems);
  return value;
}
