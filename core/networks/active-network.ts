import { unavailable } from '../contract/errors.ts';
import type { Location } from '../contract/schemas.ts';
import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import type { Graph } from '../roads/graph.ts';
import type { Reach, TravelRow } from '../roads/reach.ts';
import { buildGraphInThread, legsInThread, reachInThread, reverseGraphInThread, travelMatrixInThread } from '../roads/road-threads.ts';
import { snapper } from '../roads/snap.ts';
import type { TravelMatrix } from '../roads/travel-matrix.ts';
import { Scenario } from '../scenarios/entity.ts';

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
  const { graph, nodeAt, reversed } = await opened(scenario.graphHash, () => readGraph(em, scenario.id));
  return {
    version: `scenario:${scenario.id}:${scenario.graphHash}`,
    nodeAt,
    matrix: (nodes, cancel) => travelMatrixInThread(graph, Int32Array.from(nodes), cancel ? { cancel } : {}),
    nodeCount: graph.nodeCount,
    reach: async (node) => reachInThread({ graph, reversed: await reversed() }, node),
    legs: (pairs) => legsInThread(graph, pairs),
  };
}

async function readGraph(em: EntityManager, id: string): Promise<Graph> {
  const { nodes, edges } = await em.findOneOrFail(Scenario, { id }, { fields: ['nodes', 'edges'] });
  return buildGraphInThread({ nodes, edges });
}

interface OpenGraph {
  graph: Graph;
  nodeAt: RoadNetwork['nodeAt'];
  /** Made when it is first needed. */
  reversed(): Promise<Graph>;
}

/** Graphs in use, the latest used last. They are found by their content, so that a change of roads can never be missed. */
const openGraphs = new Map<string, Promise<OpenGraph>>();
const openGraphsMax = 4;

function opened(hash: string, read: () => Promise<Graph>): Promise<OpenGraph> {
  const graph = openGraphs.get(hash) ?? read().then(openGraph);
  openGraphs.delete(hash);
  openGraphs.set(hash, graph);
  graph.catch(() => openGraphs.delete(hash));
  for (const oldest of openGraphs.keys()) {
    if (openGraphs.size <= openGraphsMax) break;
    openGraphs.delete(oldest);
  }
  return graph;
}

function openGraph(graph: Graph): OpenGraph {
  let reversed: Promise<Graph> | undefined;
  return { graph, nodeAt: nodeFinder(graph), reversed: () => (reversed ??= reverseGraphInThread(graph)) };
}

function nodeFinder(graph: Graph): RoadNetwork['nodeAt'] {
  const snap = snapper(graph);
  return ({ latitude, longitude }) => snap(longitude, latitude).node;
}
