import type { EntityManager } from '../db/store.ts';
import { PushDelivery, PushDevice } from './entity.ts';

/** Messages to the devices of those whose published work has changed, written with the publication. Older ones that still wait are dropped. */
export async function announcePublication(em: EntityManager, businessId: string, publicationId: string, driverIds: Iterable<string>, now = new Date()): Promise<void> {
  const devices = await em.find(PushDevice, { driverId: { $in: [...driverIds] }, deletedAt: null }, { orderBy: { id: 'asc' } });
  if (devices.length === 0) return;
  await em.nativeUpdate(PushDelivery, { businessId, deviceId: { $in: devices.map((device) => device.id) }, status: 'queued' }, { status: 'not_sent', reason: 'a later publication took its place', finishedAt: now });
  for (const device of devices) {
    em.persist(em.create(PushDelivery, { businessId, publicationId, driverId: device.driverId, deviceId: device.id, status: 'queued', dueAt: now, createdAt: now } as never));
  }
  await em.flush();
}
