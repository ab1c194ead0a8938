import { unavailable } from '../contract/errors.ts';
import type { Location } from '../contract/schemas.ts';
import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { openRoads, type OpenRoads } from '../roads/open-roads.ts';
import type { Reach, TravelRow } from '../roads/reach.ts';
import { snapper } from '../roads/snap.ts';
import type { TravelMatrix } from '../roads/travel-matrix.ts';
import { Scenario } from '../scenarios/entity.ts';
import { readGraph } from './read-graph.ts';

/** What a business routes on. */
export interface RoadNetwork {
  /** Changes with every change of the roads: what a travel time depends on besides its places. */
  version: string;
  /** The node that stands for a point. */
  nodeAt(location: Location): number;
  /** Travel between nodes; null when cancelled. */
  matrix(nodes: number[], cancel?: Int32Array): Promise<TravelMatrix | null>;
  /** Nodes are numbered from 0 up to this. */
  nodeCount: number;
  /** Travel from a node to all others and back. */
  reach(node: number): Promise<Reach>;
  /** Travel of single legs, in their order. */
  legs(pairs: readonly (readonly [from: number, to: number])[]): Promise<TravelRow>;
}

/** The active road network of a business: an activated scenario. 503 where there is none. */
export async function activeNetwork(em: EntityManager, business: Business): Promise<RoadNetwork> {
  if (!business.activeScenarioId) throw unavailable('the business has no road network: load or activate a scenario first');
  const scenario = await em.findOne(Scenario, { id: business.activeScenarioId, deletedAt: null }, { fields: ['id', 'graphHash'] });
  if (scenario === null) throw unavailable('the activated scenario has been deleted: load or activate another one');
  const { roads, nodeAt } = await opened(scenario.graphHash, async () => openRoads(await readGraph(em, business.id, scenario.id)));
  return {
    version: `scenario:${scenario.id}:${scenario.graphHash}`,
    nodeAt,
    matrix: (nodes, cancel) => roads.matrix(Int32Array.from(nodes), cancel ? { cancel } : {}),
    nodeCount: roads.graph.nodeCount,
    reach: roads.reach,
    legs: roads.legs,
  };
}

interface OpenNetwork {
  roads: OpenRoads;
  nodeAt: RoadNetwork['nodeAt'];
}

/** Networks in use, the latest used last. They are found by their content, so that a change of roads can never be missed. */
const openNetworks = new Map<string, Promise<OpenNetwork>>();
const openNetworksMax = 4;

function opened(hash: string, open: () => Promise<OpenRoads>): Promise<OpenNetwork> {
  const network = openNetworks.get(hash) ?? open().then((roads) => ({ roads, nodeAt: nodeFinder(roads) }));
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

function nodeFinder({ graph }: OpenRoads): RoadNetwork['nodeAt'] {
  const snap = snapper(graph);
  return ({ latitude, longitude }) => snap(longitude, latitude).node;
}
