import { openStore, type EntityManager, type Store } from '../db/store.ts';
import { unavailable } from '../contract/errors.ts';
import type { Engine } from '../regions/entity.ts';
import { openDatasetHolds, type DatasetHolds } from '../regions/dataset-holds.ts';
import { builtInRoads, valhallaRoads, type DatasetRoads, type VehicleRoads } from './dataset-roads.ts';

/** The datasets that a process has open. */
export interface RegionMaps {
  open(dataset: { version: string; engine: Engine }): Promise<DatasetRoads>;
  /** Closes what is not at work and has not been asked for so long: it may have been replaced, and then it can go. */
  closeIdle(forMs?: number): Promise<void>;
  close(): Promise<void>;
}

const idleMs = 10 * 60_000;
const lookEveryMs = 60_000;

/** From when it is asked for, and counted before anybody waits: nobody is given what is being closed. */
interface Opened {
  dataset: Promise<{ roads: DatasetRoads; release(): Promise<void> }>;
  work: Work;
}

interface Work {
  running: number;
  lastMs: number;
}

const mapsOf = new WeakMap<object, RegionMaps>();

/** Lets the businesses of this store be routed on regions. */
export function serveRegions(store: Store, config: { databaseUrl: string; dataDirectory: string }): RegionMaps {
  const opened = new Map<string, Opened>();
  // Connections of their own: whoever opens a dataset may hold one of the others and wait.
  let holds: Promise<{ store: Store; holds: DatasetHolds }> | undefined;
  const openHolds = async () => {
    const own = await openStore(config.databaseUrl, { poolSize: 2 });
    return { store: own, holds: openDatasetHolds(own, config.dataDirectory) };
  };

  async function openOne({ version, engine }: { version: string; engine: Engine }, work: Work): Promise<Awaited<Opened['dataset']>> {
    const hold = await (await (holds ??= openHolds())).holds.hold(version);
    if (hold === null) throw unavailable('the roads of the region have just been replaced; try again');
    try {
      const roads = await (engine === 'engine_a' ? valhallaRoads(hold.directory) : builtInRoads(hold.directory));
      return { roads: watched(roads, work), release: hold.release };
    } catch (error) {
      await hold.release();
      throw error;
    }
  }

  async function closeOne(version: string): Promise<void> {
    const { dataset } = opened.get(version)!;
    opened.delete(version);
    const found = await dataset.catch(() => null);
    await found?.roads.close();
    await found?.release();
  }

  const closeIdle = async (forMs = idleMs): Promise<void> => {
    const isIdle = ({ work: { running, lastMs } }: Opened) => running === 0 && Date.now() - lastMs >= forMs;
    const idle = [...opened].flatMap(([version, each]) => (isIdle(each) ? [version] : []));
    await Promise.all(idle.map(closeOne));
  };
  const timer = setInterval(() => { closeIdle().catch(() => {}); }, lookEveryMs);
  timer.unref();

  const maps: RegionMaps = {
    async open(dataset) {
      const { version } = dataset;
      let found = opened.get(version);
      if (found === undefined) {
        const work = { running: 0, lastMs: Date.now() };
        const opening = { dataset: during(work, openOne(dataset, work)), work };
        found = opening;
        opened.set(version, opening);
        opening.dataset.catch(() => { if (opened.get(version) === opening) opened.delete(version); });
      }
      found.work.lastMs = Date.now();
      return (await found.dataset).roads;
    },
    closeIdle,
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

/** The same roads, and it is seen when they are at work: a large table may take longer than what counts as idle. */
function watched(roads: DatasetRoads, work: Work): DatasetRoads {
  return { keyOf: roads.keyOf, for: (user) => watchedFor(roads.for(user), work), close: () => roads.close() };
}

const watchedFor = (roads: VehicleRoads, work: Work): VehicleRoads => ({
  locate: (locations) => during(work, roads.locate(locations)),
  rectangle: (from, to, cancel) => during(work, roads.rectangle(from, to, cancel)),
  legs: (pairs) => during(work, roads.legs(pairs)),
  lines: (pairs) => during(work, roads.lines(pairs)),
});

async function during<T>(work: Work, running: Promise<T>): Promise<T> {
  work.running++;
  try {
    return await running;
  } finally {
    work.running--;
    work.lastMs = Date.now();
  }
}

/** The datasets of the process that an entity manager belongs to. */
export function mapsFor(em: EntityManager): RegionMaps {
  const maps = mapsOf.get(em.config);
  if (maps === undefined) throw new Error('this process does not serve regions');
  return maps;
}
