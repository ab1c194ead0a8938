import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A store that speaks the few calls of S3 that evidence needs, on a real socket. It takes only requests that are signed (version 4). */
export interface S3Server {
  url: string;
  objects: Map<string, { bytes: Buffer; type: string; modifiedAt: Date }>;
  /** Answers this status to everything from now on; null: works again. */
  failWith: number | null;
  close(): Promise<void>;
}

export const accessKey = 'AKIATESTKEY';

export async function startS3Server(): Promise<S3Server> {
  const s3: S3Server = { url: '', objects: new Map(), failWith: null, close: async () => {} };
  const server = createServer((request, response) => void answer(s3, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  s3.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  s3.close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return s3;
}

/** Keys on a page of a list. */
const pageSize = 2;

async function answer(s3: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const reply = (status: number, text = '', headers: Record<string, string> = {}) => response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text);
  if (s3.failWith !== null) return void reply(s3.failWith, '<Error><Code>InternalError</Code></Error>');
  if (!isSigned(request, body)) return void reply(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
  const url = new URL(request.url!, s3.url);
  const key = decodeURIComponent(url.pathname.slice(1));
  if (request.method === 'PUT') {
    s3.objects.set(key, { bytes: body, type: request.headers['content-type'] ?? '', modifiedAt: new Date() });
    return void reply(200, '', { etag: '"x"' });
  }
  if (request.method === 'DELETE') {
    s3.objects.delete(key);
    return void reply(204);
  }
  if (url.searchParams.get('list-type') === '2') return void reply(200, list(s3, key.replace(/\/$/, ''), url.searchParams));
  const object = s3.objects.get(key);
  if (!object) return void reply(404, '<Error><Code>NoSuchKey</Code></Error>');
  response.writeHead(200, { 'content-type': object.type, 'content-length': object.bytes.length }).end(object.bytes);
}

function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const digest = createHash('sha256').update(body).digest('hex');
  return new RegExp(`^AWS4-HMAC-SHA256 Credential=${accessKey}/\\d{8}/[a-z0-9-]+/s3/aws4_request, SignedHeaders=[^,]*host[^,]*, Signature=[0-9a-f]{64}$`).test(headers.authorization ?? '')
    && headers['x-amz-content-sha256'] === digest;
}

function list(s3: S3Server, bucket: string, query: URLSearchParams): string {
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const from = Number(query.get('continuation-token') ?? 0);
  const isMore = from + pageSize < keys.length;
  const contents = keys.slice(from, from + pageSize).map((key) => `<Contents><Key>${key.slice(bucket.length + 1)}</Key><LastModified>${s3.objects.get(key)!.modifiedAt.toISOString()}</LastModified></Contents>`);
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isMore}</IsTruncated>${isMore ? `<NextContinuationToken>${from + pageSize}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`;
}
