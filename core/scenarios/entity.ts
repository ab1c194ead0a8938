import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { SampleRecord } from './schema.ts';

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
    samples: p.json<ScenarioSamples>(),
    /** Which of the graphs in `graph-store.ts` is its own. */
    graphDigest: p.string().length(64),
  },
});
export class Scenario extends schema.class {}
schema.setClass(Scenario);
