import { defineEntity, p } from '@mikro-orm/postgresql';
import { recordProperties, recordTable } from '../records/entity.ts';
import type { WorkingHours } from '../time/working-hours.ts';

const schema = defineEntity({
  ...recordTable,
  name: 'Vehicle',
  tableName: 'vehicles',
  properties: {
    ...recordProperties,
    name: p.string().length(200),
    warehouseId: p.string().length(120),
    driverId: p.string().length(120).nullable(),
    color: p.string().length(40).nullable(),
    heightMeters: p.double().nullable(),
    weightKg: p.double().nullable(),
    workingHours: p.json<WorkingHours>(),
  },
});
export class Vehicle extends schema.class {}
schema.setClass(Vehicle);
