import { conflict } from '../contract/errors.ts';
import { Session } from '../accounts/entity.ts';
import { lockCapacity } from '../businesses/capacity.ts';
import type { EntityManager } from '../db/store.ts';
import { Order } from '../orders/entity.ts';
import { finishedStatuses, hasUnfinishedPublishedWork } from '../plans/current-plans.ts';
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
    const draft = await draftOf(em, driver);
    if (draft) throw conflict(`the driver is in the planning version of ${draft.vehicle_id} on ${draft.shift_date}: plan that shift again first`);
    await releaseOrders(em, driver);
  },
  async afterWrite(em, driver) {
    if (!driver.active || driver.deletedAt) await endDriverSessions(em, driver);
  },
};

/** Orders that somebody meant for this driver are anybody's; only a handover has no driver left without one. */
async function releaseOrders(em: EntityManager, { id }: Driver): Promise<void> {
  const orders = await em.find(Order, { $or: [{ selectedDriverId: id }, { replacementDriverId: id }], status: { $nin: [...finishedStatuses] }, deletedAt: null }, { orderBy: { id: 'asc' } });
  const handover = orders.find((order) => order.replacementDriverId === id);
  if (handover) throw conflict(`the driver takes over at the break ${handover.id}: choose somebody else for it first`);
  for (const order of orders) order.selectedDriverId = null;
  await em.flush();
}

/** A planning version in which the driver still has something to do. */
async function draftOf(em: EntityManager, { businessId, id }: Driver): Promise<{ vehicle_id: string; shift_date: string } | undefined> {
  const [draft] = await em.execute<{ vehicle_id: string; shift_date: string }[]>(
    `select p.vehicle_id, p.shift_date from plans p
      where p.business_id = ? and p.state = 'planning' and p.deleted_at is null and exists (
        select 1 from jsonb_array_elements(p.stops) as stop join orders o on o.business_id = p.business_id and o.id = stop ->> 'order_id'
         where stop ->> 'driver_id' = ? and o.deleted_at is null and o.status not in (${finishedStatuses.map(() => '?').join(', ')}))
      order by p.shift_date, p.vehicle_id limit 1`,
    [businessId, id, ...finishedStatuses],
  );
  return draft;
}

/** From now on no token and no activation code of this driver works. */
export async function endDriverSessions(em: EntityManager, driver: Driver): Promise<void> {
  await em.nativeUpdate(Session, { kind: 'driver', businessId: driver.businessId, driverId: driver.id, revokedAt: null }, { revokedAt: new Date() });
  await withdrawActivationCode(em, driver);
}
