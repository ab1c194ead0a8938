import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Of this machine: one build at a time, however many workers there are. */
export const buildsHere = (): string => `builds on ${hostname()}`;
/** Of all machines: one map is fetched once. */
export const downloadsOf = (address: string): string => `downloads of ${address}`;

const askEveryMs = 500;
/** Our own, so that our numbers are nobody else's. */
const lockClass = 7_264_002;

/**
 * Runs `work` when nobody else is at work under the same name. The turn is a lock of a connection of its own, so it ends with the process
 * that has it, however that ends.
 */
export async function inTurn<T>({ databaseUrl, name, signal, onWait }: { databaseUrl: string; name: string; signal: AbortSignal; onWait: () => void }, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'milkrun turn' });
  // A connection that breaks ends the turn, and not the work: what it writes is guarded by its attempt.
  client.on('error', () => {});
  await client.connect();
  try {
    const key = createHash('sha256').update(name).digest().readInt32BE(0);
    while (!(await client.query('select pg_try_advisory_lock($1, $2) as mine', [lockClass, key])).rows[0].mine) {
      onWait();
      await sleep(askEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    return await work();
  } finally {
    await client.end().catch(() => {});
  }
}
