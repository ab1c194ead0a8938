import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export type Respond = (received: Received, response: ServerResponse) => void;

/** A server that webhooks are sent to. It answers 204 unless it is told otherwise. */
export interface Endpoint {
  url: string;
  received: Received[];
  /** The most requests that were under way at one time. */
  readonly mostAtOnce: number;
  respond: Respond;
  /** Waits until so many requests have come. */
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

export const answer = (status: number, headers: Record<string, string> = {}, body = ''): Respond => (_received, response) => void response.writeHead(status, headers).end(body);

export async function startEndpoint(respond: Respond = answer(204)): Promise<Endpoint> {
  const received: Received[] = [];
  let [atOnce, mostAtOnce] = [0, 0];
  const server: Server = createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.on('close', () => void atOnce--);
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const one = { method: request.method!, path: request.url!, headers: request.headers, text, body: parsed(text) };
    received.push(one);
    endpoint.respond(one, response);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received, respond,
    get mostAtOnce() { return mostAtOnce; },
    async until(count) {
      while (received.length < count) await new Promise((resolve) => { setTimeout(resolve, 10); });
      return received;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
  return endpoint;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
