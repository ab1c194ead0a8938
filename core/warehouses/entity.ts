import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Location } from '../contract/schemas.ts';
import { recordProperties, recordTable } from '../records/entity.ts';

const schema = defineEntity({
  ...recordTable,
  name: 'Warehouse',
  tableName: 'warehouses',
  properties: {
    ...recordProperties,
    name: p.string().length(200),
    location: p.json<Location>(),
  },
});
export class Warehouse extends schema.class {}
schema.setClass(Warehouse);
