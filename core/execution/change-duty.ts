import { invalid } from '../contract/errors.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import type { Driver } from '../drivers/entity.ts';
import { presentDriver } from '../drivers/kind.ts';
import { emit } from '../events/emit.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { performAction } from './perform-action.ts';
import type { DutyInput } from './schema.ts';
import { settleOnRoad } from './settle-on-road.ts';

/**
 * Begins or ends duty; where it is as wished already, nothing happens. An order in progress stays in progress when duty ends: it is
 * the driver's to end, with duty begun again, or an administrator's to override.
 */
export function changeDuty(em: EntityManager, { businessId, driverId, input }: { businessId: string; driverId: string; input: DutyInput }): Promise<object> {
  return performAction(em, { businessId, driverId, kind: input.online ? 'duty_started' : 'duty_ended', input }, async ({ driver, at }) => {
    const vehicleId = await vehicleOf(em, input);
    const hasChanged = (driver.dutyStatus === 'online') !== input.online;
    if (hasChanged) Object.assign(driver, { dutyStatus: input.online ? 'online' : 'offline', dutyStartedAt: input.online ? at : null });
    const hasMoved = moveTo(driver, input.online ? vehicleId : null);
    await em.flush();
    if (hasChanged) await settleOnRoad(em, [driverId]);
    const answer = presentDriver(driver);
    if (hasChanged || hasMoved) emit(em, businessId, 'driver.duty_changed', answer);
    return { answer };
  });
}

/** Undefined where the driver does not say. */
async function vehicleOf(em: EntityManager, { vehicle_id: id }: DutyInput): Promise<string | null | undefined> {
  if (id === undefined || id === null) return id;
  const vehicle = await em.findOne(Vehicle, { id, deletedAt: null }, { lockMode: rowLock.read });
  if (vehicle === null) throw invalid('/vehicle_id', 'names no vehicle');
  return id;
}

function moveTo(driver: Driver, vehicleId: string | null | undefined): boolean {
  if (vehicleId === undefined || vehicleId === (driver.dutyVehicleId ?? null)) return false;
  driver.dutyVehicleId = vehicleId;
  return true;
}
