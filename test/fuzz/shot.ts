import type { Described } from './document.ts';

/** One request as it goes on the wire. */
export interface Shot {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** The body is sent in chunks, without its length. */
  isChunked: boolean;
  /** Bytes that are sent instead of a request of HTTP. */
  raw?: Buffer;
  /** What it is a request for, and what was done to it; of no use to the service. */
  aim: string;
  spoilt: string[];
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** How the connection failed instead of, or during, the answer. */
  failure?: string;
  ms: number;
}

/** A request that has been answered, and what the document says about the two. */
export interface Exchange {
  shot: Shot;
  reply: Reply;
  /** The operation that method and path name, if any. */
  operation: Described | undefined;
}

/** As `curl` takes it, so that anybody can send it again. */
export function told({ method, path, headers, body, isChunked, raw }: Shot): string {
  if (raw) return `these bytes, in base64, on a connection of their own: ${raw.toString('base64')}`;
  const text = body?.toString() ?? '';
  const isText = body !== null && Buffer.from(text).equals(body) && !/[\p{Cc}]/u.test(text);
  const data = body === null ? [] : isText && text.length <= 4_000 ? [`--data-binary ${quoted(text)}`] : [`# body: base64 -d <<< ${body.length <= 6_000 ? body.toString('base64') : `${body.subarray(0, 300).toString('base64')}… (${body.length} bytes)`}`];
  return [`curl -i --path-as-is -X ${method} ${quoted(`$URL${path}`)}`, ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value.length > 500 ? `${value.slice(0, 100)}… (${value.length} characters)` : value}`)}`), ...(isChunked ? ["-H 'transfer-encoding: chunked'"] : []), ...data].join(' \\\n  ');
}

const quoted = (text: string): string => (text.startsWith('$URL') ? `"$URL"${quoted(text.slice(4))}` : `'${text.replaceAll("'", String.raw`'\''`)}'`);
