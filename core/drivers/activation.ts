import { newToken, tokenHash } from '../accounts/tokens.ts';
import type { Driver } from './entity.ts';

const codeLifeMs = 7 * 24 * 3_600_000;

/** Gives the driver a new activation code, which replaces the one before. The code is stored as a hash only. */
export function issueActivationCode(driver: Driver, nowMs = Date.now()): string {
  const code = newToken('activation');
  driver.activationHash = tokenHash(code);
  driver.activationExpiresAt = new Date(nowMs + codeLifeMs);
  return code;
}
