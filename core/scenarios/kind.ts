import { conflict } from '../contract/errors.ts';
import { Business } from '../businesses/entity.ts';
import type { EntityManager } from '../db/store.ts';
import { pick } from '../records/fields.ts';
import type { Body, RecordKind } from '../records/kind.ts';
import { presentCommon } from '../records/present.ts';
import { Scenario, type ScenarioSamples } from './entity.ts';
import type { SampleRecord } from './schema.ts';

export const sampleKinds = ['warehouses', 'drivers', 'vehicles', 'orders'] as const;
export type SampleKind = (typeof sampleKinds)[number];

const noSamples: ScenarioSamples = { orders: [], warehouses: [], vehicles: [], drivers: [] };

export const scenarioKind: RecordKind<Scenario> = {
  word: 'scenario',
  entity: Scenario,
  searched: ['name'],
  columns: (body) => ({ ...pick(body, { name: 'name', graphDigest: 'graphDigest' }), ...(sampleKinds.some((kind) => body[kind] !== undefined) ? { samples: samplesOf(body) } : {}) }),
  present: (scenario) => presentScenario(scenario, null),
  problems(_em, scenario, before) {
    scenario.samples = { ...noSamples, ...before?.samples, ...scenario.samples };
    return [];
  },
  async guardDeletion(em, scenario) {
    if ((await activeScenarioId(em, scenario.businessId)) === scenario.id) throw conflict('the business routes on this scenario: deactivate it first');
  },
};

const samplesOf = (body: Body) => Object.fromEntries(sampleKinds.filter((kind) => body[kind] !== undefined).map((kind) => [kind, body[kind] as SampleRecord[]])) as unknown as ScenarioSamples;

/** Without its graph, which is put into the answer while that is written: see `Answer.graphs`. */
export const presentScenario = (scenario: Scenario, activeId: string | null) => ({
  ...presentCommon(scenario),
  name: scenario.name,
  nodes: [],
  edges: [],
  ...scenario.samples,
  active: scenario.id === activeId,
});

export async function activeScenarioId(em: EntityManager, businessId: string): Promise<string | null> {
  const business = await em.findOneOrFail(Business, { id: businessId }, { refresh: true });
  return business.activeScenarioId ?? null;
}
