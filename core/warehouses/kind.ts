import { conflict } from '../contract/errors.ts';
import { lockCapacity, takeCapacity } from '../businesses/capacity.ts';
import { presentCommon } from '../records/present.ts';
import { pick } from '../records/fields.ts';
import type { RecordKind } from '../records/kind.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { Warehouse } from './entity.ts';

export const warehouseKind: RecordKind<Warehouse> = {
  word: 'warehouse',
  entity: Warehouse,
  searched: ['name'],
  columns: (body) => pick(body, { name: 'name', location: 'location' }),
  present: (warehouse) => ({ ...presentCommon(warehouse), name: warehouse.name, location: warehouse.location }),
  problems: () => [],
  lockFirst: lockCapacity,
  async guardDeletion(em, warehouse) {
    const vehicles = await em.count(Vehicle, { warehouseId: warehouse.id, deletedAt: null });
    if (vehicles > 0) throw conflict(`the warehouse is the base of ${vehicles} active vehicle${vehicles === 1 ? '' : 's'}`);
  },
  async afterWrite(em, warehouse, before) {
    // Its vehicles begin and end somewhere else now.
    if (before !== null && before.location !== warehouse.location) await takeCapacity(em, warehouse.businessId);
  },
};
