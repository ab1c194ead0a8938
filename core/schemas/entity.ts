import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { FieldDefinition } from './schema.ts';

const schema = defineEntity({
  ...recordTable,
  name: 'CustomSchema',
  tableName: 'custom_schemas',
  properties: {
    ...recordProperties,
    name: p.string().length(200),
    fields: p.json<FieldDefinition[]>(),
  },
});
export class CustomSchema extends schema.class {}
schema.setClass(CustomSchema);

/** What an order keeps of the schemas that were active at its creation. */
export interface SchemaSnapshot {
  schemas: { id: string; name: string; revision: number; fields: FieldDefinition[] }[];
}
