import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../core/config.ts';
import { inBusiness, openStore, type Store } from '../../core/db/store.ts';
import { regionNetwork } from '../../core/networks/region-network.ts';
import { serveRegions, type RegionMaps } from '../../core/networks/region-maps.ts';
import { sweepMaps } from '../../core/regions/drop-datasets.ts';
import { destroyRoadThreads } from '../../core/roads/road-threads.ts';
import { UNREACHABLE } from '../../core/roads/travel-matrix.ts';
import { valhallaProblem } from '../../core/valhalla/valhalla-problem.ts';
import { startDaemon } from '../../daemon/main.ts';
import { startWorkers } from '../../workers/main.ts';
import { createClient } from '../support/client.ts';
import { hoursOf, ok, time as timeOn } from '../support/line-world.ts';
import { osmTown, townPlace } from '../support/osm-town.ts';
import { writeOsmFile } from '../support/osm-files.ts';
import { regionBusiness, startRegionWorld, type RegionBusiness, type RegionWorld } from '../support/region-world.ts';

jest.setTimeout(600_000);

const valhalla = await valhallaProblem();
const engines = valhalla === null ? ['engine_b', 'engine_a'] : ['engine_b'];
if (valhalla !== null) test.skip(`engine_a needs Valhalla: ${valhalla.message}`, () => {});

const switches = 10;
const editions = ([1, 2] as const).map((edition) => readFileSync(writeOsmFile(osmTown({ edition }))));
const day = '2031-03-03';
const time = (clock: string): string => timeOn(clock, day);

let world: RegionWorld;
let store: Store;
let maps: RegionMaps;
beforeAll(async () => {
  world = await startRegionWorld();
  store = await openStore(world.service.databaseUrl);
  maps = serveRegions(store, world.config);
});
afterAll(async () => {
  await maps.close();
  await destroyRoadThreads();
  await store.close();
  await world.close();
});

test.each(engines)('on %s ten datasets take the place of one another while everybody asks, nobody is refused, and the old ones go', async (engine) => {
  world.maps.on['/town.osm.pbf'] = editions[0];
  const w = await regionBusiness(world, { engine });
  // Processes of their own, which end before we look at what is left.
  const workers = await startWorkers(world.config);
  const daemon = await startDaemon(readConfig({ ...world.env, MILKRUN_PORT: '0', MILKRUN_RATE_LIMIT: 'off' }));
  await w.endOf(await w.install());
  await dispatch(w);

  const answers = new Map<string, string>();
  const { body: { key } } = await w.admin.post(`${w.path}/api-keys`, { name: 'asker', scopes: ['planning.run', 'availability.query'] });
  const asking = askAll([() => askRoads(w, answers), () => askRoads(w, answers), ...clientsOf(w, createClient(daemon.url, key))]);
  const outcomes: string[] = [];
  for (let nth = 1; nth <= switches && asking.failures.length === 0; nth++) {
    world.maps.on['/town.osm.pbf'] = editions[nth % 2];
    outcomes.push((await w.endOf(await w.install())).result?.outcome);
    await asking.again();
  }
  await asking.end();
  const present = (await w.region()).dataset_version;
  await Promise.all([daemon.close(), workers.close(), maps.closeIdle(0)]);

  expect(asking.failures).toEqual([]);
  expect(outcomes).toEqual(Array.from({ length: switches }, () => 'installed'));
  expect(answers.size).toBe(switches + 1);
  // Each dataset has always answered the same, and what it answers is up to its map.
  const [first, second] = answers.values();
  expect(first).not.toBe(second);
  expect([...answers.values()]).toEqual(Array.from(answers, (_, nth) => (nth % 2 === 0 ? first : second)));

  await sweepMaps(store, world.config.dataDirectory, Date.now() + 3_600_000);
  expect(await w.datasets()).toMatchObject([{ version: present, state: 'ready' }]);
  const ready = await w.sql(`select version from region_datasets where state = 'ready'`);
  expect(w.files().datasets.toSorted()).toEqual(ready.map(({ version }) => version).toSorted());
});

const places = [[2, 2], [6, 3], [9, 8], [1, 7], [12, 4], [4, 9]].map(([column, row]) => townPlace(column, row));

/** All that can be asked of the roads; the answers of one version are always the same. */
async function askRoads(w: RegionBusiness, answers: Map<string, string>): Promise<void> {
  const network = (await regionNetwork(inBusiness(store.em.fork(), w.id), w.id))!;
  const roads = network.for({});
  await roads.find(places);
  const numbers = places.map((place) => roads.placeAt(place));
  const pairs = numbers.map((number, nth) => [number, numbers[(nth + 1) % numbers.length]] as const);
  const [matrix, reach, legs, lines] = await Promise.all([roads.matrix(numbers), roads.reach(numbers[0], numbers), roads.legs(pairs), roads.lines(pairs)]);
  expect(Math.max(...matrix!.seconds, ...legs.seconds)).toBeLessThan(UNREACHABLE);
  const answer = JSON.stringify([[...matrix!.seconds], [...matrix!.metres], numbers.map((number) => reach.there.seconds[number]), [...legs.seconds], lines]);
  expect(answer).toBe(answers.get(network.version) ?? answer);
  answers.set(network.version, answer);
}

const window = { window_start: time('08:00'), window_end: time('16:00') };

async function dispatch(w: RegionBusiness): Promise<void> {
  ok(await w.admin.post(`${w.path}/warehouses`, { id: 'depot', name: 'Depot', location: places[0] }));
  ok(await w.admin.post(`${w.path}/vehicles`, { id: 'van', name: 'Van', warehouse_id: 'depot', working_hours: hoursOf(['08:00-16:00']) }));
  for (const [nth, location] of places.slice(1, 4).entries()) ok(await w.admin.post(`${w.path}/orders`, { id: `order-${nth}`, location, duration_seconds: 600, ...window }));
}

/** What the daemon and the workers answer. */
const clientsOf = (w: RegionBusiness, client: ReturnType<typeof createClient>) => [
  async () => {
    const { windows } = ok(await client.post(`${w.path}/availability`, { start: time('08:00'), end: time('16:00'), location: places[4], duration_seconds: 600, candidate_windows: [{ start: time('08:00'), end: time('12:00') }] }));
    expect(windows).toEqual([expect.objectContaining({ available: true })]);
  },
  async () => {
    const { job_id: id } = ok(await client.post(`${w.path}/planning/preview`, { vehicle_ids: ['van'], date_start: day, date_end: day, seed: 1, max_iterations: 50, include_planned: true }));
    expect(await w.endOf(id)).toMatchObject({ status: 'completed', result: { planned: 3 } });
  },
];

/** Asks the same questions over and over, each beside the others, until the end or a failure. */
function askAll(questions: readonly (() => Promise<void>)[]) {
  const failures: unknown[] = [];
  const counts = questions.map(() => 0);
  let isEnded = false;
  const running = questions.map(async (ask, nth) => {
    while (!isEnded && failures.length === 0) {
      await ask().catch((error: unknown) => failures.push(error));
      counts[nth]++;
      // Others have to work as well.
      await sleep(100);
    }
  });
  return {
    failures,
    /** Until each has been asked and answered once more from now on. */
    async again() {
      const before = [...counts];
      while (failures.length === 0 && counts.some((count, nth) => count < before[nth] + 2)) await sleep(10);
    },
    async end() {
      isEnded = true;
      await Promise.all(running);
    },
  };
}
