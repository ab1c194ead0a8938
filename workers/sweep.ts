import type { Logger } from 'pino';
import type { Store } from '../core/db/store.ts';
import { sweepReservations } from '../core/availability/sweep-reservations.ts';
import { sweepAnswers } from '../core/idempotency/answers.ts';
import { sweepJobEvents } from '../core/jobs/events.ts';
import { sweepPushes } from '../core/push/deliver.ts';
import { sweepGraphs } from '../core/scenarios/graph-store.ts';
import { repeat, type Repeated } from './repeat.ts';

const everyMs = 60_000;

const sweeps = [sweepAnswers, sweepPushes, sweepReservations, sweepJobEvents, sweepGraphs];

/** Removes what has had its time, so that no table grows for ever with what nobody asks for. */
export function startSweeps({ store, log }: { store: Store; log: Logger }): Repeated {
  return repeat(async (stopping) => {
    for (const sweep of sweeps) while (!stopping.aborted && (await sweep(store)) > 0);
    return everyMs;
  }, { log, failure: 'what has had its time could not be removed', failurePauseMs: everyMs });
}
