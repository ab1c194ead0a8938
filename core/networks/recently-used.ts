/** A map that forgets what has not been used for long. */
export interface RecentlyUsed<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
}

/**
 * Keeps the last `max` used entries, and up to as many that are older: when the young half is full it becomes the old one, and what
 * is used again moves over. Unlike a list in the order of use, reading costs a lookup and nothing more.
 */
export function recentlyUsed<K, V>(max: number): RecentlyUsed<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  const set = (key: K, value: V) => {
    young.set(key, value);
    if (young.size < max) return;
    old = young;
    young = new Map();
  };
  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}
