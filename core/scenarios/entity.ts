import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { SampleRecord, ScenarioFields } from './schema.ts';

export interface ScenarioSamples {
  orders: SampleRecord[];
  warehouses: SampleRecord[];
  vehicles: SampleRecord[];
  drivers: SampleRecord[];
}

const schema = defineEntity({
  ...recordTable,
  name: 'Scenario',
  tableName: 'scenarios',
  properties: {
    ...recordProperties,
    name: p.string().length(200),
    nodes: p.json<NonNullable<ScenarioFields['nodes']>>(),
    edges: p.json<NonNullable<ScenarioFields['edges']>>(),
    samples: p.json<ScenarioSamples>(),
    /** SHA-256 of the graph: what a travel time depends on. */
    graphHash: p.string().length(64),
  },
});
export class Scenario extends schema.class {}
schema.setClass(Scenario);
