import { createHash } from 'node:crypto';
import { conflict } from '../contract/errors.ts';
import { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { pick } from '../records/fields.ts';
import type { Body, RecordKind } from '../records/kind.ts';
import { presentCommon } from '../records/present.ts';
import { networkProblems } from '../roads/network.ts';
import { Scenario, type ScenarioSamples } from './entity.ts';
import type { SampleRecord } from './schema.ts';

export const sampleKinds = ['warehouses', 'drivers', 'vehicles', 'orders'] as const;
export type SampleKind = (typeof sampleKinds)[number];

const noSamples: ScenarioSamples = { orders: [], warehouses: [], vehicles: [], drivers: [] };

export const scenarioKind: RecordKind<Scenario> = {
  word: 'scenario',
  entity: Scenario,
  searched: ['name'],
  columns: (body) => ({ ...pick(body, { name: 'name', nodes: 'nodes', edges: 'edges' }), ...(sampleKinds.some((kind) => body[kind] !== undefined) ? { samples: samplesOf(body) } : {}) }),
  present: (scenario) => presentScenario(scenario, null),
  problems(_em, scenario, before) {
    scenario.samples = { ...noSamples, ...before?.samples, ...scenario.samples };
    const problems = networkProblems(scenario);
    if (problems.length === 0) scenario.graphHash = hashOf(scenario);
    return problems;
  },
  async guardDeletion(em, scenario) {
    if ((await activeScenarioId(em, scenario.businessId)) === scenario.id) throw conflict('the business routes on this scenario: deactivate it first');
  },
};

/** The same for the same graph, in whichever order a client or the database puts the fields. */
function hashOf({ nodes, edges }: Pick<Scenario, 'nodes' | 'edges'>): string {
  const graph = [
    nodes.map(({ id, x, y }) => [id, x, y]),
    edges.map((edge) => [edge.id, edge.from, edge.to, edge.time_seconds, edge.distance_meters, edge.bidirectional, edge.reverse_time_seconds, edge.reverse_distance_meters]),
  ];
  return createHash('sha256').update(JSON.stringify(graph)).digest('hex');
}

const samplesOf = (body: Body) => Object.fromEntries(sampleKinds.filter((kind) => body[kind] !== undefined).map((kind) => [kind, body[kind] as SampleRecord[]])) as unknown as ScenarioSamples;

export const presentScenario = (scenario: Scenario, activeId: string | null) => ({
  ...presentCommon(scenario),
  name: scenario.name,
  nodes: scenario.nodes,
  edges: scenario.edges,
  ...scenario.samples,
  active: scenario.id === activeId,
});

export async function activeScenarioId(em: EntityManager, businessId: string): Promise<string | null> {
  const business = await em.findOneOrFail(Business, { id: businessId }, { refresh: true });
  return business.activeScenarioId ?? null;
}
