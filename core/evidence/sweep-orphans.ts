import { Business } from '../businesses/entity.ts';
import type { Store } from '../db/store.ts';
import { isUuid } from '../records/ids.ts';
import { Evidence } from './entity.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** No upload takes this long, so what is older and has no row will never have one. */
const ageMsMin = 24 * 3_600_000;
const sweptAtOnce = 500;

/**
 * Removes objects that no record refers to: what a crash between storing and writing has left. Objects of businesses that this
 * database does not know are somebody else's and stay. How many were removed.
 */
export async function sweepOrphans(store: Store, objects: ObjectStore, { nowMs = Date.now(), signal }: { nowMs?: number; signal?: AbortSignal } = {}): Promise<number> {
  let count = 0;
  let batch: StoredObject[] = [];
  const sweep = async () => {
    for (const key of await orphans(store, batch.map((object) => object.key))) {
      await objects.remove(key);
      count++;
    }
    batch = [];
  };
  for await (const object of objects.list()) {
    if (signal?.aborted) return count;
    if (nowMs - object.modifiedAt.getTime() < ageMsMin) continue;
    batch.push(object);
    if (batch.length === sweptAtOnce) await sweep();
  }
  await sweep();
  return count;
}

async function orphans(store: Store, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const em = store.em.fork();
  const owners = [...new Set(keys.map(ownerOf).filter(isUuid))];
  const known = new Set((await em.find(Business, { id: { $in: owners } })).map((business) => business.id));
  const used = new Set((await em.find(Evidence, { objectKey: { $in: keys } }, { filters: false })).map((evidence) => evidence.objectKey));
  return keys.filter((key) => !used.has(key) && (known.has(ownerOf(key)) || ownerOf(key) === 'unfinished'));
}

const ownerOf = (key: string): string => key.split('/')[0];
