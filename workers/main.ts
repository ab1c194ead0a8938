import { pino } from 'pino';
import type { Config } from '../core/config.ts';
import { openStore } from '../core/db/store.ts';
import { openObjectStore } from '../core/evidence/object-store.ts';
import { openQueues } from '../core/jobs/queue.ts';
import { queueNames, type QueueName } from '../core/jobs/queue-payloads.ts';
import { closeOracle } from '../core/planning/consult-oracle.ts';
import { destroyRoadThreads } from '../core/roads/road-threads.ts';
import { closeSolver } from '../core/solver/solve.ts';
import { startEvidenceSweep } from './evidence-sweep.ts';
import { planningWork } from './planning.ts';
import { startRelay } from './relay.ts';
import { startSweeps } from './sweep.ts';

export interface Workers {
  close(): Promise<void>;
}

/** Works on queues, all of them where none are named, until it is closed. */
export async function startWorkers(config: Config, { queues: names = [...queueNames] }: { queues?: QueueName[] } = {}): Promise<Workers> {
  const log = pino({ level: config.logLevel, base: { process: 'worker' } }, pino.destination(2));
  const store = await openStore(config.databaseUrl);
  const queues = await openQueues(config, { onError: (error, where) => log.warn({ err: error, ...where }, 'queue') });
  const relay = startRelay({ store, queues, log });
  const sweeps = startSweeps({ store, log });
  const objects = openObjectStore(config.evidence);
  const evidenceSweep = startEvidenceSweep({ store, objects, log });
  if (names.includes('planning')) await queues.work('planning', planningWork({ config, store, log }));
  return {
    async close() {
      await Promise.all([relay.close(), sweeps.close(), evidenceSweep.close()]);
      objects.close();
      await queues.close();
      await Promise.all([closeSolver(), closeOracle(), destroyRoadThreads()]);
      await store.close();
    },
  };
}
