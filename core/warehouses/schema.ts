import { inputOf, locationSchema, nameSchema, patchOf, recordOf, type FieldsOf } from '../contract/schemas.ts';

export const warehouseFields = { name: nameSchema, location: locationSchema } as const;
export type WarehouseFields = FieldsOf<typeof warehouseFields>;

export const warehouse = recordOf('Warehouse', warehouseFields);
export const warehouseInput = inputOf('Warehouse', warehouseFields, { required: ['name', 'location'] });
export const warehousePatch = patchOf('Warehouse', warehouseFields);
