import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';

const schema = defineEntity({
  ...recordTable,
  name: 'Publication',
  tableName: 'publications',
  properties: {
    ...recordProperties,
    planIds: p.json<string[]>(),
    orderIds: p.json<string[]>(),
    acknowledgedWarnings: p.json<string[]>(),
  },
});
export class Publication extends schema.class {}
schema.setClass(Publication);
