import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { StatusChange } from './schema.ts';

const schema = defineEntity({
  ...recordTable,
  name: 'Publication',
  tableName: 'publications',
  properties: {
    ...recordProperties,
    planIds: p.json<string[]>(),
    orderIds: p.json<string[]>(),
    acknowledgedWarnings: p.json<string[]>(),
    /** The account or key that published. */
    publishedBy: p.uuid().nullable(),
    statusChanges: p.json<StatusChange[]>(),
  },
});
export class Publication extends schema.class {}
schema.setClass(Publication);
