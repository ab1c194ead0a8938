import { invalid } from '../contract/errors.ts';
import type { EntityManager } from '../db/store.ts';
import { Driver } from '../drivers/entity.ts';
import { parseInstant } from '../time/instants.ts';
import type { DriverLocationInput } from './schema.ts';

/** A clock may be a little ahead of ours. */
const aheadMs = 5 * 60_000;

/**
 * Writes down where the driver is, unless something newer is known. A position is no edit of the driver: the revision stays.
 * With permission granted and no position (no GPS) the last one is kept.
 */
export async function reportLocation(em: EntityManager, driver: Driver, { permission, location, recorded_at: recordedAt }: DriverLocationInput, nowMs = Date.now()): Promise<Driver> {
  const atMs = recordedAt === undefined ? nowMs : parseInstant(recordedAt)!;
  if (atMs > nowMs + aheadMs) throw invalid('/recorded_at', 'is in the future');
  if (permission === 'denied' && location) throw invalid('/location', 'is given although permission is denied');
  const at = new Date(Math.min(atMs, nowMs));
  await em.execute('update drivers set location_permission = ? where business_id = ? and id = ?', [permission, driver.businessId, driver.id]);
  if (location) {
    await em.execute('update drivers set location = ?::jsonb, location_recorded_at = ? where business_id = ? and id = ? and (location_recorded_at is null or location_recorded_at <= ?)', [JSON.stringify(location), at, driver.businessId, driver.id, at]);
  }
  return em.findOneOrFail(Driver, { id: driver.id }, { refresh: true });
}
