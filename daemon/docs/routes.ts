import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Document } from './document.ts';
import { docsPage } from './page.ts';

interface Asset {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

/** The page has nothing from elsewhere and nothing inline, and nobody else's page may hold it. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
};

/** The API reference for people, made from the OpenAPI document when somebody first asks for it. */
export function docsRoutes(): Router {
  const router = new Router();
  const assets = new Map<string, Asset>();
  const serve = (path: string, type: string, make: () => string) => router.get(path, (context) => {
    if (!assets.has(path)) assets.set(path, assetOf(type, make()));
    send(context, assets.get(path)!);
  });
  serve('/docs', 'text/html; charset=utf-8', () => docsPage(JSON.parse(read('../openapi.json')) as Document));
  serve('/docs/docs.css', 'text/css; charset=utf-8', () => read('./docs.css'));
  serve('/docs/docs.js', 'text/javascript; charset=utf-8', () => read('./docs.js'));
  serve('/docs/docs.svg', 'image/svg+xml', () => read('./docs.svg'));
  return router;
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

function assetOf(type: string, text: string): Asset {
  const bytes = Buffer.from(text);
  return { type, bytes, gzipped: gzipSync(bytes), etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

function send(context: Context, { type, bytes, gzipped, etag }: Asset): void {
  context.set({ ...headers, 'Content-Type': type, ETag: etag });
  context.status = 200;
  if (context.fresh) {
    context.status = 304;
    return;
  }
  const isGzip = context.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isGzip) context.set('Content-Encoding', 'gzip');
  context.body = isGzip ? gzipped : bytes;
  context.set('Content-Type', type);
}
