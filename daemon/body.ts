import type { IncomingMessage } from 'node:http';
import { malformed, tooLarge, unsupportedType } from '../core/contract/errors.ts';

/** The JSON value of a request; undefined where it has no body. */
export async function readJson(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) return undefined;
  if (declared > limitBytes) throw tooLarge(limitBytes);
  const text = await readText(request, limitBytes);
  if (text === '') return undefined;
  if (!isJson(request.headers['content-type'])) throw unsupportedType();
  if (request.headers['content-encoding'] !== undefined && request.headers['content-encoding'] !== 'identity') throw unsupportedType();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`the body is not JSON: ${(error as Error).message}`);
  }
}

const isJson = (contentType = ''): boolean => /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(contentType.trim());

async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('the body is not UTF-8');
  }
}
