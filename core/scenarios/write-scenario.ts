import { throwIfAny } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import type { Body, Intent } from '../records/kind.ts';
import { createRecord, lockRecord, updateRecord } from '../records/write-records.ts';
import type { NetworkText } from '../roads/network-text.ts';
import { judgeNetworkInThread } from '../roads/road-threads.ts';
import type { Scenario } from './entity.ts';
import { keepGraph, readField } from './graph-store.ts';
import { scenarioKind } from './kind.ts';

/** The body of a creation: `nodes` and `edges` are texts. */
export async function createScenario(em: EntityManager, businessId: string, { nodes, edges, ...rest }: Body): Promise<Scenario> {
  const graphDigest = await keepSound(em, businessId, { nodes, edges } as NetworkText);
  return createRecord(em, businessId, scenarioKind, { ...rest, graphDigest });
}

/** An edit of one of the two texts is judged together with the other one that is there. */
export async function updateScenario(em: EntityManager, businessId: string, id: string, { nodes, edges, ...rest }: Body, intent: Intent): Promise<Scenario> {
  if (nodes === undefined && edges === undefined) return updateRecord(em, scenarioKind, id, rest, intent);
  const { graphDigest: before } = await lockRecord<Scenario>(em, scenarioKind, id, { ifMatch: intent.ifMatch, revision: rest.revision });
  const text = { nodes: nodes ?? (await readField(em, businessId, before, 'nodes')), edges: edges ?? (await readField(em, businessId, before, 'edges')) } as NetworkText;
  return updateRecord(em, scenarioKind, id, { ...rest, graphDigest: await keepSound(em, businessId, text) }, intent);
}

async function keepSound(em: EntityManager, businessId: string, text: NetworkText): Promise<string> {
  const { problems, digest } = await judgeNetworkInThread(text);
  throwIfAny(problems);
  await keepGraph(em, businessId, digest, text);
  return digest;
}
