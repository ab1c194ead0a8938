import { pino } from 'pino';
import type { Config } from '../core/config.ts';
import { openStore } from '../core/db/store.ts';
import { openObjectStore } from '../core/evidence/object-store.ts';
import { openQueues } from '../core/jobs/queue.ts';
import { queueNames, type QueueName } from '../core/jobs/queue-payloads.ts';
import { serveRegions } from '../core/networks/region-maps.ts';
import { closeOracle } from '../core/planning/consult-oracle.ts';
import { destroyRoadThreads } from '../core/roads/road-threads.ts';
import { closeSolver } from '../core/solver/solve.ts';
import { startEvidenceSweep } from './evidence-sweep.ts';
import { openSenders } from '../core/push/senders.ts';
import { planningWork } from './planning.ts';
import { pushWork, startPushRelay } from './push.ts';
import { regionWork, startMapSweep, startRegionUpdates } from './regions.ts';
import { startRelay } from './relay.ts';
import { startSweeps } from './sweep.ts';
import { startWebhookRelay, webhookWork } from './webhooks.ts';

export interface Workers {
  close(): Promise<void>;
}

/** Works on queues, all of them where none are named, until it is closed. */
export async function startWorkers(config: Config, { queues: names = [...queueNames] }: { queues?: QueueName[] } = {}): Promise<Workers> {
  const log = pino({ level: config.logLevel, base: { process: 'worker' } }, pino.destination(2));
  const senders = openSenders(config);
  const store = await openStore(config.databaseUrl);
  const maps = serveRegions(store, config);
  const queues = await openQueues(config, { onError: (error, where) => log.warn({ err: error, ...where }, 'queue') });
  const relay = startRelay({ store, queues, log });
  const sweeps = startSweeps({ store, log });
  const objects = openObjectStore(config.evidence);
  const evidenceSweep = startEvidenceSweep({ store, objects, log });
  const webhookRelay = startWebhookRelay({ store, queues, log });
  const pushRelay = startPushRelay({ store, queues, log });
  if (names.includes('push')) await queues.work('push', pushWork({ store, senders, log }));
  if (names.includes('planning')) await queues.work('planning', planningWork({ config, store, log }));
  const mapSweep = startMapSweep({ config, store, log });
  const regionUpdates = startRegionUpdates({ store, log });
  if (names.includes('regions')) await queues.work('regions', regionWork({ config, store, log }));
  if (names.includes('webhooks')) await queues.work('webhooks', webhookWork({ config, store, log }));
  return {
    async close() {
      await Promise.all([relay.close(), sweeps.close(), evidenceSweep.close(), webhookRelay.close(), pushRelay.close(), mapSweep.close(), regionUpdates.close()]);
      objects.close();
      await queues.close();
      await Promise.all([senders.provider_a?.close(), senders.provider_b?.close(), closeSolver(), closeOracle(), maps.close()]);
      await destroyRoadThreads();
      await store.close();
    },
  };
}
