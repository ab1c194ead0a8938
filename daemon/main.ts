import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Config } from '../core/config.ts';
import { openStore } from '../core/db/store.ts';
import { openObjectStore } from '../core/evidence/object-store.ts';
import { openQueues } from '../core/jobs/queue.ts';
import { serveRegions } from '../core/networks/region-maps.ts';
import { destroyRoadThreads } from '../core/roads/road-threads.ts';
import { answerUnreadable, refuseExpectation } from './answer-unreadable.ts';
import { createApp } from './app.ts';
import { openBulkBodies } from './bulk-body.ts';
import { openRateLimits } from './rate-limits.ts';

export interface Daemon {
  url: string;
  close(): Promise<void>;
}

/** How long requests in hand may take when the daemon stops. */
const drainMs = 10_000;

/** Serves the interface until it is closed. */
export async function startDaemon(config: Config): Promise<Daemon> {
  const log = pino({ level: config.logLevel, base: { process: 'daemon' } }, pino.destination(2));
  const store = await openStore(config.databaseUrl);
  const queues = await openQueues(config, { onError: (error, where) => log.warn({ err: error, ...where }, 'queue') });
  const objects = openObjectStore(config.evidence);
  const maps = serveRegions(store, config);
  const limits = openRateLimits(config, log);
  const bulkBodies = openBulkBodies();
  const stopping = new AbortController();
  const app = createApp({ config, store, queues, objects, limits, bulkBodies, log, stopping: stopping.signal });
  // Node would refuse a request without Host by itself, in no words.
  const server = createServer({ requireHostHeader: false }, app.callback()).on('clientError', answerUnreadable).on('checkExpectation', refuseExpectation);
  const release = async () => {
    objects.close();
    await Promise.all([queues.close(), limits.close(), maps.close(), bulkBodies.close()]);
    await Promise.all([store.close(), destroyRoadThreads()]);
  };
  try {
    await listen(server, config);
  } catch (error) {
    await release();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    async close() {
      stopping.abort();
      await drain(server);
      await release();
    },
  };
}

function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Takes no more connections, lets requests in hand end, and then hangs up. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(timer);
}
