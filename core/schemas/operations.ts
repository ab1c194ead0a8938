import { crudOperations } from '../contract/crud.ts';
import { customSchema, customSchemaInput, customSchemaPatch } from './schema.ts';

export const schemaOperations = crudOperations({
  plural: 'schemas', singular: 'schema', read: 'settings.read', write: 'settings.write',
  record: customSchema, input: customSchemaInput, patch: customSchemaPatch,
  example: {
    name: 'Delivery',
    fields: [
      { id: 'parcels', name: 'Parcels', type: 'number', required: false, driver_visible: true },
      { id: 'floor', name: 'Floor', type: 'select', driver_visible: true, driver_editable: true, choices: [{ id: 'ground', label: 'Ground floor' }, { id: 'upper', label: 'Upper floor' }] },
    ],
  },
});
