import { openStore, type EntityManager, type Store } from '../db/store.ts';
import { unavailable } from '../contract/errors.ts';
import { openDatasetHolds, type DatasetHolds } from '../regions/dataset-holds.ts';
import { builtInRoads, valhallaRoads, type DatasetRoads } from './dataset-roads.ts';

/** The datasets that a process has open. */
export interface RegionMaps {
  open(dataset: { version: string; engine: 'engine_a' | 'engine_b' }): Promise<DatasetRoads>;
  close(): Promise<void>;
}

/** What nobody has asked for so long is closed: it may have been replaced, and then it can go. */
const idleMs = 10 * 60_000;
const lookEveryMs = 60_000;

interface Opened {
  roads: Promise<DatasetRoads>;
  release(): Promise<void>;
  usedMs: number;
}

const mapsOf = new WeakMap<object, RegionMaps>();

/** Lets the businesses of this store be routed on regions. */
export function serveRegions(store: Store, config: { databaseUrl: string; dataDirectory: string }): RegionMaps {
  const opened = new Map<string, Promise<Opened>>();
  // Connections of their own: whoever opens a dataset may hold one of the others and wait.
  let holds: Promise<{ store: Store; holds: DatasetHolds }> | undefined;
  const openHolds = async () => {
    const own = await openStore(config.databaseUrl, { poolSize: 2 });
    return { store: own, holds: openDatasetHolds(own, config.dataDirectory) };
  };

  async function openOne({ version, engine }: { version: string; engine: 'engine_a' | 'engine_b' }): Promise<Opened> {
    const hold = await (await (holds ??= openHolds())).holds.hold(version);
    if (hold === null) throw unavailable('the roads of the region have just been replaced; try again');
    const roads = engine === 'engine_a' ? valhallaRoads(hold.directory) : builtInRoads(hold.directory);
    return { roads, release: hold.release, usedMs: Date.now() };
  }

  async function closeOne(version: string): Promise<void> {
    const closing = opened.get(version);
    opened.delete(version);
    const found = await closing?.catch(() => null);
    if (!found) return;
    await found.roads.then((roads) => roads.close(), () => {});
    await found.release();
  }

  const timer = setInterval(async () => {
    for (const [version, opening] of opened) {
      const found = await opening.catch(() => null);
      if (found !== null && Date.now() - found.usedMs > idleMs) await closeOne(version).catch(() => {});
    }
  }, lookEveryMs);
  timer.unref();

  const maps: RegionMaps = {
    async open(dataset) {
      const { version } = dataset;
      let opening = opened.get(version);
      if (opening === undefined) {
        opening = openOne(dataset);
        opened.set(version, opening);
        const forget = () => void opened.delete(version);
        opening.then(({ roads, release }) => roads.catch(() => { forget(); return release(); }), forget);
      }
      const found = await opening;
      found.usedMs = Date.now();
      return found.roads;
    },
    async close() {
      clearInterval(timer);
      await Promise.all([...opened.keys()].map(closeOne));
      const own = await holds?.catch(() => undefined);
      await own?.holds.close();
      await own?.store.close();
    },
  };
  mapsOf.set(store.config, maps);
  return maps;
}

/** The datasets of the process that an entity manager belongs to. */
export function mapsFor(em: EntityManager): RegionMaps {
  const maps = mapsOf.get(em.config);
  if (maps === undefined) throw new Error('this process does not serve regions');
  return maps;
}
