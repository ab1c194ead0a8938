import { conflict, type Problem } from '../contract/errors.ts';
import { lockCapacity, takeCapacity } from '../businesses/capacity.ts';
import { Driver } from '../drivers/entity.ts';
import { hasUnfinishedPublishedWork } from '../plans/current-plans.ts';
import { pick } from '../records/fields.ts';
import { presentCommon } from '../records/present.ts';
import type { RecordKind } from '../records/kind.ts';
import { referenceProblem } from '../records/write-records.ts';
import { workingHoursProblems } from '../time/working-hours-problems.ts';
import type { WorkingHours } from '../time/working-hours.ts';
import { Warehouse } from '../warehouses/entity.ts';
import { Vehicle } from './entity.ts';
import { withdrawDrafts } from './withdraw-drafts.ts';

/** A vehicle that states no hours is never available. */
const noHours: WorkingHours = { weekly: {}, overrides: {} };

const fields = {
  name: 'name', warehouse_id: 'warehouseId', driver_id: 'driverId', color: 'color',
  height_meters: 'heightMeters', weight_kg: 'weightKg', working_hours: 'workingHours',
} as const;

export const vehicleKind: RecordKind<Vehicle> = {
  word: 'vehicle',
  entity: Vehicle,
  searched: ['name'],
  // No colour is shown as an empty text; put back, it still is none.
  columns: (body) => ({ ...pick(body, fields), ...(body.color === '' ? { color: null } : {}) }),
  present: (vehicle) => ({
    ...presentCommon(vehicle),
    name: vehicle.name,
    warehouse_id: vehicle.warehouseId,
    driver_id: vehicle.driverId ?? null,
    color: vehicle.color ?? '',
    height_meters: vehicle.heightMeters ?? null,
    weight_kg: vehicle.weightKg ?? null,
    working_hours: vehicle.workingHours,
  }),
  async problems(em, vehicle): Promise<Problem[]> {
    vehicle.workingHours ??= noHours;
    return [
      ...workingHoursProblems(vehicle.workingHours).map(({ path, message }) => ({ path: `/working_hours${path}`, message })),
      ...(await referenceProblem(em, { word: 'warehouse', entity: Warehouse }, vehicle.warehouseId, '/warehouse_id')),
      ...(await referenceProblem(em, { word: 'driver', entity: Driver }, vehicle.driverId, '/driver_id')),
    ];
  },
  lockFirst: lockCapacity,
  async guardDeletion(em, vehicle) {
    await takeCapacity(em, vehicle.businessId);
    if (await hasUnfinishedPublishedWork(em, { vehicleId: vehicle.id })) throw conflict('the vehicle has published work that is not finished');
    await withdrawDrafts(em, vehicle.id);
  },
  async afterWrite(em, vehicle, before) {
    if (vehicle.deletedAt != null || (before !== null && isSameCapacity(vehicle, before))) return;
    await takeCapacity(em, vehicle.businessId);
  },
};

function isSameCapacity(vehicle: Vehicle, before: Partial<Vehicle>): boolean {
  return vehicle.warehouseId === before.warehouseId && vehicle.driverId === before.driverId
    // They choose its roads.
    && vehicle.heightMeters === before.heightMeters && vehicle.weightKg === before.weightKg
    && JSON.stringify(vehicle.workingHours) === JSON.stringify(before.workingHours);
}
