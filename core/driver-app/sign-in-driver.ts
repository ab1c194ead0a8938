import { forbidden, unauthorized } from '../contract/errors.ts';
import { issueSession, type IssuedSession } from '../accounts/sign-up.ts';
import { tokenHash, tokenKind } from '../accounts/tokens.ts';
import { Business } from '../businesses/entity.ts';
import { rowLock, type EntityManager } from '../db/store.ts';
import { withdrawActivationCode } from '../drivers/activation.ts';
import { Driver } from '../drivers/entity.ts';

/** A code works once: of two that use it at the same time the second finds it gone. */
export async function signInDriver(em: EntityManager, code: string, nowMs = Date.now()): Promise<IssuedSession> {
  const refuse = () => unauthorized('the activation code is not valid, or not valid any more');
  if (tokenKind(code) !== 'activation') throw refuse();
  const driver = await em.findOne(Driver, { activationHash: tokenHash(code), deletedAt: null }, { filters: false, lockMode: rowLock.write });
  if (driver === null || driver.activationExpiresAt!.getTime() <= nowMs) throw refuse();
  if ((await em.count(Business, { id: driver.businessId, deletedAt: null })) === 0) throw refuse();
  if (!driver.active) throw forbidden('the driver is not active');
  await withdrawActivationCode(em, driver);
  return issueSession(em, { kind: 'driver', businessId: driver.businessId, driverId: driver.id });
}
