import { newToken, tokenHash } from '../accounts/tokens.ts';
import type { EntityManager } from '../db/store.ts';
import type { Driver } from './entity.ts';

const codeLifeMs = 7 * 24 * 3_600_000;

/**
 * Gives a stored driver a new activation code, which replaces the one before. The code is stored as a hash only. Codes come and go
 * without an edit of the driver: the revision that an administrator has read stays the current one.
 */
export async function issueActivationCode(em: EntityManager, driver: Driver, nowMs = Date.now()): Promise<string> {
  const code = newToken('activation');
  await writeActivation(em, driver, { hash: tokenHash(code), expiresAt: new Date(nowMs + codeLifeMs) });
  return code;
}

/** The code that the driver holds, if any, signs nobody in from now on. */
export const withdrawActivationCode = (em: EntityManager, driver: Driver): Promise<void> => writeActivation(em, driver, { hash: null, expiresAt: null });

async function writeActivation(em: EntityManager, driver: Driver, { hash, expiresAt }: { hash: string | null; expiresAt: Date | null }): Promise<void> {
  await em.execute('update drivers set activation_hash = ?, activation_expires_at = ? where business_id = ? and id = ?', [hash, expiresAt, driver.businessId, driver.id]);
}
