import { conflict } from '../contract/errors.ts';
import { pick } from '../records/fields.ts';
import { presentCommon } from '../records/present.ts';
import type { RecordKind } from '../records/kind.ts';
import type { EntityManager } from '../db/store.ts';
import { CustomSchema, type SchemaSnapshot } from './entity.ts';
import { fieldDefinitionProblems } from './rules.ts';

export const schemaKind: RecordKind<CustomSchema> = {
  word: 'schema',
  entity: CustomSchema,
  searched: ['name'],
  columns: (body) => pick(body, { name: 'name', fields: 'fields' }),
  present: (schema) => ({ ...presentCommon(schema), name: schema.name, fields: schema.fields }),
  async problems(em, schema) {
    const problems = fieldDefinitionProblems(schema.fields);
    if (problems.length === 0) await refuseSharedFieldIds(em, schema);
    return problems;
  },
};

/** Field ids are unique over the active schemas of a business, because an order keys its values by them. */
async function refuseSharedFieldIds(em: EntityManager, schema: CustomSchema): Promise<void> {
  // One writer of schemas at a time: two that add the same field id would not see one another.
  await em.execute("select pg_advisory_xact_lock(hashtextextended('schemas:' || ?, 0))", [schema.businessId]);
  const others = await em.find(CustomSchema, { deletedAt: null, id: { $ne: schema.id } });
  const ownerByField = new Map(others.flatMap((other) => other.fields.map((field) => [field.id, other] as const)));
  schema.fields.forEach((field, index) => {
    const owner = ownerByField.get(field.id);
    if (owner) throw conflict(`the field id ${JSON.stringify(field.id)} belongs to the schema ${JSON.stringify(owner.name)}`, [{ path: `/fields/${index}/id`, message: 'is used by another active schema' }]);
  });
}

/** The definitions that an order created now will keep. */
export async function captureSchemas(em: EntityManager): Promise<SchemaSnapshot> {
  const active = await em.find(CustomSchema, { deletedAt: null }, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return { schemas: active.map(({ id, name, revision, fields }) => ({ id, name, revision, fields })) };
}
