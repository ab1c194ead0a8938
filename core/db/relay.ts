import type { Store } from './store.ts';

export interface RelayedEntry {
  id: number;
  queue: string;
  key: string;
  payload: Record<string, unknown>;
}

const batchSize = 100;

/**
 * Hands entries of the outbox on in the order in which they were written, and forgets those that `deliver` has taken. Several relays
 * may run: each takes entries that no other holds. A crash between delivering and forgetting delivers an entry twice. What is for other
 * queues, those of a newer release for instance, is left to relays that know them.
 */
export async function relayOutbox(store: Store, queues: readonly string[], deliver: (entry: RelayedEntry) => Promise<void>): Promise<number> {
  return store.em.fork().transactional(async (em) => {
    const entries = await em.execute<RelayedEntry[]>(`select id, queue, key, payload from outbox where queue in (${queues.map(() => '?').join(', ')}) order by id limit ? for update skip locked`, [...queues, batchSize]);
    for (const entry of entries) await deliver(entry);
    if (entries.length > 0) await em.execute(`delete from outbox where id in (${entries.map(() => '?').join(', ')})`, entries.map((entry) => entry.id));
    return entries.length;
  });
}
