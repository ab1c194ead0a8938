import { crudOperations } from '../contract/crud.ts';
import { warehouse, warehouseInput, warehousePatch } from './schema.ts';

export const warehouseOperations = crudOperations({
  plural: 'warehouses', singular: 'warehouse', read: 'resources.read', write: 'resources.write',
  record: warehouse, input: warehouseInput, patch: warehousePatch,
  example: { name: 'North depot', location: { latitude: 52.5412, longitude: 13.3861 } },
});
