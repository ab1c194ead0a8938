import { unavailable } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { openRoads, type OpenRoads } from '../roads/open-roads.ts';
import type { Reach } from '../roads/reach.ts';
import { buildGraphInThread } from '../roads/road-threads.ts';
import { snapper } from '../roads/snap.ts';
import { Scenario } from '../scenarios/entity.ts';
import { readGraphText } from '../scenarios/graph-store.ts';
import { recentlyUsed } from './recently-used.ts';
import type { Line, RoadNetwork, VehicleNetwork } from './road-network.ts';

/** The graph of a scenario: points stand on its nodes. Its edges have one time and no limits, so all vehicles have the same roads. */
export async function scenarioNetwork(em: EntityManager, businessId: string, id: string): Promise<RoadNetwork> {
  const scenario = await em.findOne(Scenario, { id, deletedAt: null }, { fields: ['id', 'graphDigest'] });
  if (scenario === null) throw unavailable('the activated scenario has been deleted: load or activate another one');
  const { network } = await opened(scenario.graphDigest, async () => openRoads(await buildGraphInThread(await readGraphText(em, businessId, scenario.graphDigest))));
  const version = `scenario:${scenario.id}:${scenario.graphDigest}`;
  const everybody = { numbering: version, ...network };
  return { version, attribution: null, for: () => everybody };
}

interface OpenNetwork {
  roads: OpenRoads;
  network: Omit<VehicleNetwork, 'numbering'>;
}

/** Networks in use, the latest used last. They are found by their content, so that a change of roads can never be missed. */
const openNetworks = new Map<string, Promise<OpenNetwork>>();
const openNetworksMax = 4;

function opened(hash: string, open: () => Promise<OpenRoads>): Promise<OpenNetwork> {
  const network = openNetworks.get(hash) ?? open().then((roads) => ({ roads, network: networkOn(roads) }));
  openNetworks.delete(hash);
  openNetworks.set(hash, network);
  network.catch(() => openNetworks.delete(hash));
  for (const [oldest, closing] of openNetworks) {
    if (openNetworks.size <= openNetworksMax) break;
    openNetworks.delete(oldest);
    closing.then(({ roads }) => roads.close(), () => {});
  }
  return network;
}

const reachBytesMax = 64 * 1024 * 1024;

function networkOn(roads: OpenRoads): OpenNetwork['network'] {
  const { graph } = roads;
  const snap = snapper(graph);
  /** Two rows of two numbers for each node. */
  const reaches = recentlyUsed<number, Promise<Reach>>(Math.max(4, Math.floor(reachBytesMax / 2 / (16 * graph.nodeCount))));
  return {
    find: async () => {},
    placeAt: ({ latitude, longitude }) => snap(longitude, latitude).node,
    whyNowhere: () => null,
    matrix: (nodes, cancel) => roads.matrix(Int32Array.from(nodes), cancel ? { cancel } : {}),
    reach(node) {
      const asked = reaches.get(node);
      if (asked !== undefined) return asked;
      const reach = roads.reach(node);
      reaches.set(node, reach);
      reach.catch(() => reaches.delete(node));
      return reach;
    },
    legs: roads.legs,
    async lines(pairs) {
      const paths = await roads.paths(pairs);
      return paths.map((nodes): Line | null => nodes && lineOver(Array.from(nodes, (node) => [graph.longitude[node], graph.latitude[node]] as const)));
    },
  };
}

/** A line has two ends, also where nobody moves. */
const lineOver = (line: Line): Line => (line.length === 1 ? [line[0], line[0]] : line);
