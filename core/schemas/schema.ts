import { idSchema, inputOf, nameSchema, patchOf, recordOf, type FieldsOf } from '../contract/schemas.ts';

export const fieldTypes = ['text', 'number', 'date', 'datetime', 'boolean', 'select'] as const;

const choice = {
  type: 'object', additionalProperties: false, required: ['id', 'label'],
  properties: { id: idSchema, label: nameSchema },
} as const;

/** Spec 2.6: one custom field. */
export const fieldDefinition = {
  type: 'object', additionalProperties: false, required: ['id', 'name', 'type'],
  properties: {
    id: idSchema,
    name: nameSchema,
    type: { type: 'string', enum: fieldTypes },
    required: { type: 'boolean' },
    driver_visible: { type: 'boolean' },
    driver_editable: { type: 'boolean', description: 'A hidden field can not be editable.' },
    multiple: { type: 'boolean', description: 'Several choices; for select only.' },
    choices: { type: 'array', maxItems: 1_000, items: choice },
  },
} as const;

export const schemaFields = {
  name: nameSchema,
  fields: { type: 'array', maxItems: 200, items: fieldDefinition },
} as const;
export type SchemaFields = FieldsOf<typeof schemaFields>;
export type FieldDefinition = NonNullable<SchemaFields['fields']>[number];

export const customSchema = recordOf('Schema', schemaFields);
export const customSchemaInput = inputOf('Schema', schemaFields, { required: ['name', 'fields'] });
export const customSchemaPatch = patchOf('Schema', schemaFields);
