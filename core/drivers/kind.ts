import { conflict } from '../contract/errors.ts';
import { Session } from '../accounts/entity.ts';
import { lockCapacity } from '../businesses/capacity.ts';
import type { EntityManager } from '../db/store.ts';
import { hasUnfinishedPublishedWork } from '../plans/current-plans.ts';
import { isEmail, normalizeEmail, pick } from '../records/fields.ts';
import { instantOrNull, presentCommon } from '../records/present.ts';
import type { RecordKind } from '../records/kind.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { withdrawActivationCode } from './activation.ts';
import { Driver } from './entity.ts';

export const presentDriver = (driver: Driver) => ({
  ...presentCommon(driver),
  name: driver.name,
  email: driver.email,
  active: driver.active,
  duty_status: driver.dutyStatus,
  location: driver.location ?? null,
  duty_started_at: instantOrNull(driver.dutyStartedAt),
  duty_vehicle_id: driver.dutyVehicleId ?? null,
});

export const driverKind: RecordKind<Driver> = {
  word: 'driver',
  entity: Driver,
  searched: ['name', 'email'],
  columns: (body) => ({
    ...pick(body, { name: 'name', active: 'active' }),
    ...(typeof body.email === 'string' ? { email: normalizeEmail(body.email) } : {}),
  }),
  present: presentDriver,
  problems: (_em, driver) => (isEmail(driver.email) ? [] : [{ path: '/email', message: 'is not an e-mail address' }]),
  // Nobody is planned or published while it is looked at whether anybody is.
  lockFirst: async (em, businessId, deed) => (deed === 'delete' ? lockCapacity(em, businessId) : null),
  async guardDeletion(em, driver) {
    if (await hasUnfinishedPublishedWork(em, { driverId: driver.id })) throw conflict('the driver has published work that is not finished');
    const vehicles = await em.count(Vehicle, { driverId: driver.id, deletedAt: null });
    if (vehicles > 0) throw conflict(`the driver is assigned to ${vehicles} active vehicle${vehicles === 1 ? '' : 's'}`);
  },
  async afterWrite(em, driver) {
    if (!driver.active || driver.deletedAt) await endDriverSessions(em, driver);
  },
};

/** From now on no token and no activation code of this driver works. */
export async function endDriverSessions(em: EntityManager, driver: Driver): Promise<void> {
  await em.nativeUpdate(Session, { kind: 'driver', businessId: driver.businessId, driverId: driver.id, revokedAt: null }, { revokedAt: new Date() });
  await withdrawActivationCode(em, driver);
}
