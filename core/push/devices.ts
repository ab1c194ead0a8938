import { createHash } from 'node:crypto';
import { invalid, notFound } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { presentCommon } from '../records/present.ts';
import { PushDevice } from './entity.ts';
import type { PushDeviceInput } from './schema.ts';

export interface DeviceOwner {
  businessId: string;
  driverId: string;
  sessionId: string;
}

export const presentPushDevice = (device: PushDevice) => ({ ...presentCommon(device), provider: device.provider });

const hexadecimal = /^(?:[0-9a-f]{2})+$/i;

/** Who signs in on a telephone takes it over from whoever had it before, in this business or another. */
export async function registerDevice(em: EntityManager, owner: DeviceOwner, { provider, device_token: token }: PushDeviceInput, now = new Date()): Promise<PushDevice> {
  if (provider === 'provider_a' && !hexadecimal.test(token)) throw invalid('/device_token', 'must be hexadecimal of even length for provider_a');
  // Upper and lower case are the same hexadecimal number.
  const deviceToken = provider === 'provider_a' ? token.toLowerCase() : token;
  const tokenHash = createHash('sha256').update(`${provider} ${deviceToken}`).digest('hex');
  // Registrations of one token follow one another.
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 7264002))', [tokenHash]);
  const present = await em.findOne(PushDevice, { tokenHash, deletedAt: null }, { filters: false });
  if (present !== null && present.businessId === owner.businessId) {
    Object.assign(present, { driverId: owner.driverId, sessionId: owner.sessionId, registeredAt: now });
    await em.flush();
    return present;
  }
  if (present !== null) {
    Object.assign(present, { deletedAt: now, deletedBy: owner.sessionId });
    await em.flush();
  }
  const device = em.create(PushDevice, { ...owner, provider, deviceToken, tokenHash, registeredAt: now } as never) as PushDevice;
  await em.persist(device).flush();
  return device;
}

/** One device of the driver, or all. */
export async function removeDevices(em: EntityManager, owner: DeviceOwner, deviceId: string | undefined, now = new Date()): Promise<void> {
  const devices = await em.find(PushDevice, { driverId: owner.driverId, deletedAt: null, ...(deviceId === undefined ? {} : { id: deviceId }) });
  if (deviceId !== undefined && devices.length === 0) throw notFound('push device', deviceId);
  for (const device of devices) Object.assign(device, { deletedAt: now, deletedBy: owner.sessionId });
  await em.flush();
}
