import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes what webhooks send and keeps nothing of it; below `/fail` it answers 500. */
export async function startTarget(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url?.endsWith('/fail') ? 500 : 204).end();
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
}
