import { conflict, notFound, preconditionFailed, stale } from '../contract/errors.ts';
import { Membership } from '../admins/entity.ts';
import { Account } from '../accounts/entity.ts';
import { inBusiness, rowLock, type EntityManager } from '../db/store.ts';
import { newId } from '../records/ids.ts';
import type { Body, Intent } from '../records/kind.ts';
import { keepEqualValues } from '../records/write-records.ts';
import { rebuildForEngine } from '../regions/region-jobs.ts';
import { Business } from './entity.ts';
import { scheduleMapUpdate } from './map-updates.ts';
import { checkSettings, mergedSettings } from './settings.ts';

/** The creator becomes its administrator. */
export async function createBusiness(em: EntityManager, accountId: string, body: Body): Promise<Business> {
  const settings = mergedSettings(body, null);
  checkSettings(settings);
  const account = await em.findOneOrFail(Account, { id: accountId });
  const business = em.create(Business, { id: newId(), ...settings } as never) as Business;
  await em.persist(business).flush();
  await scheduleMapUpdate(em, business);
  inBusiness(em, business.id);
  em.persist(em.create(Membership, { businessId: business.id, email: account.email, accountId, state: 'active' } as never));
  await em.flush();
  return business;
}

export async function getBusiness(em: EntityManager, id: string): Promise<Business> {
  const business = await em.findOne(Business, { id, deletedAt: null });
  if (business === null) throw notFound('business');
  return business;
}

/** Changing the zone keeps every appointment at its instant. Another routing engine has installed regions built again for it. */
export async function updateSettings(em: EntityManager, id: string, body: Body, intent: Intent): Promise<Business> {
  const business = await em.findOne(Business, { id, deletedAt: null }, { lockMode: rowLock.write });
  if (business === null) throw notFound('business');
  if (intent.ifMatch && !intent.ifMatch.includes(business.revision)) throw preconditionFailed(business.revision);
  if (body.revision !== undefined && body.revision !== business.revision) throw stale('business', body.revision as number, business.revision);
  const settings = mergedSettings(body, business);
  checkSettings(settings);
  const before = { ...business };
  Object.assign(business, settings);
  keepEqualValues(business, before);
  await em.flush();
  if (business.timeZone !== before.timeZone || business.routing.update_schedule !== before.routing.update_schedule) await scheduleMapUpdate(em, business);
  if (business.routing.engine !== before.routing.engine) await rebuildForEngine(em, business.routing.engine);
  return business;
}

/** The businesses that an account administers, in the order of their creation. */
export async function businessesOf(em: EntityManager, accountId: string): Promise<{ business: Business; membership: Membership }[]> {
  const memberships = await em.find(Membership, { accountId, state: 'active' }, { filters: false });
  const byBusiness = new Map(memberships.map((membership) => [membership.businessId, membership]));
  const businesses = await em.find(Business, { id: { $in: [...byBusiness.keys()] }, deletedAt: null }, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return businesses.map((business) => ({ business, membership: byBusiness.get(business.id)! }));
}

/** The last administrator of a business can not leave it. */
export function refuseLast(count: number): void {
  if (count <= 1) throw conflict('this is the last administrator of the business');
}
