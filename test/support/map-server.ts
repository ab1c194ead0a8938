import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MapServer {
  url: string;
  /** Method and path of every request, with its range and condition. */
  seen: { path: string; range: string | undefined; ifRange: string | undefined; ifNoneMatch: string | undefined; ifModifiedSince: string | undefined; authorization: string | undefined }[];
  /** By path: bytes that are served as a good server does, or whatever a bad one does. */
  on: Record<string, Buffer | Handler>;
  /** Whether it tells ETags, dates and checksums. */
  tells: { etag: boolean; lastModified: boolean; sha256: boolean; md5: boolean };
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of maps on a real socket. */
export async function startMapServer(): Promise<MapServer> {
  const maps: MapServer = { url: '', seen: [], on: {}, tells: { etag: true, lastModified: true, sha256: false, md5: false }, close: async () => {} };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url!);
    const { headers } = request;
    maps.seen.push({ path, range: headers.range, ifRange: headers['if-range'] as string | undefined, ifNoneMatch: headers['if-none-match'], ifModifiedSince: headers['if-modified-since'], authorization: headers.authorization });
    answer(maps, path, request, response);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  maps.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  maps.close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => { server.close(() => resolve()); });
  };
  return maps;
}

export const digest = (algorithm: 'sha256' | 'md5', bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex');
export const etagOf = (bytes: Buffer): string => `"${digest('md5', bytes).slice(0, 12)}"`;

function answer(maps: MapServer, path: string, request: IncomingMessage, response: ServerResponse): void {
  const found = maps.on[path];
  if (typeof found === 'function') return found(request, response);
  if (found !== undefined) return sendMap(maps, found, request, response);
  const [, map, algorithm] = /^(.*)\.(sha256|md5)$/.exec(path) ?? [];
  const bytes = map === undefined ? undefined : maps.on[map];
  if (bytes instanceof Buffer && maps.tells[algorithm as 'md5']) return void response.end(`${digest(algorithm as 'md5', bytes)}  ${map.slice(1)}\n`);
  response.writeHead(404, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Not found</title>');
}

/** As RFC 9110 has it. */
export function sendMap({ tells }: MapServer, bytes: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
  const etag = etagOf(bytes);
  const lastModified = new Date(Date.UTC(2026, 0, 1 + (bytes[40] ?? 0))).toUTCString();
  const head = { 'content-type': 'application/octet-stream', ...(tells.etag ? { etag } : {}), ...(tells.lastModified ? { 'last-modified': lastModified } : {}) };
  const isKnown = headers['if-none-match'] === undefined ? tells.lastModified && headers['if-modified-since'] === lastModified : tells.etag && headers['if-none-match'] === etag;
  if (isKnown) return void response.writeHead(304, head).end();
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]);
  const isSame = headers['if-range'] === undefined || [etag, lastModified].includes(headers['if-range'] as string);
  if (!(from >= 0) || !isSame) return void response.writeHead(200, { ...head, 'content-length': bytes.length }).end(bytes);
  if (from >= bytes.length) return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
  response.writeHead(206, { ...head, 'content-length': bytes.length - from, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }).end(bytes.subarray(from));
}

/** Bytes that begin as a map does, and mean nothing after that. */
export function bytesLikeAMap(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0, state = seed; index < length; index++) bytes[index] = (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16;
  Buffer.from('\0\0\0\x0d\n\tOSMHeader', 'latin1').copy(bytes);
  return bytes;
}
