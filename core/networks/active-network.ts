import { unavailable } from '../contract/errors.ts';
import type { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { regionNetwork } from './region-network.ts';
import type { RoadNetwork } from './road-network.ts';
import { scenarioNetwork } from './scenario-network.ts';

export type { RoadNetwork };

/** The active road network of a business: an activated scenario, else its ready regions. 503 where there is none. */
export async function activeNetwork(em: EntityManager, business: Business): Promise<RoadNetwork> {
  if (business.activeScenarioId) return scenarioNetwork(em, business.id, business.activeScenarioId);
  const network = await regionNetwork(em, business.id);
  if (network === null) throw unavailable('the business has no road network: install a region whose area holds its places, or load a scenario');
  return network;
}
