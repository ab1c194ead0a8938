import { takeCapacity } from '../businesses/capacity.ts';
import type { EntityManager } from '../db/store.ts';
import { lockRecord } from '../records/write-records.ts';
import type { Scenario } from './entity.ts';
import { scenarioKind } from './kind.ts';

/** From now on the business routes on this graph. Other roads are another capacity. */
export async function activateScenario(em: EntityManager, businessId: string, id: string): Promise<Scenario> {
  const scenario = await lockRecord<Scenario>(em, scenarioKind, id);
  await takeCapacity(em, businessId);
  await em.execute('update businesses set active_scenario_id = ? where id = ?', [scenario.id, businessId]);
  return scenario;
}

/** Deactivating a scenario that is not active changes nothing. */
export async function deactivateScenario(em: EntityManager, businessId: string, id: string): Promise<Scenario> {
  const scenario = await lockRecord<Scenario>(em, scenarioKind, id);
  await takeCapacity(em, businessId);
  await em.execute('update businesses set active_scenario_id = null where id = ? and active_scenario_id = ?', [businessId, scenario.id]);
  return scenario;
}
