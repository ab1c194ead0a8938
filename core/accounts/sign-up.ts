import { conflict, throwIfAny, unauthorized } from '../contract/errors.ts';
import { sqlState, type EntityManager } from '../db/store.ts';
import { isEmail, normalizeEmail } from '../records/fields.ts';
import { instant } from '../records/present.ts';
import { sessionLifeMs } from './authenticate.ts';
import { Account, Session } from './entity.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { newToken, tokenHash } from './tokens.ts';

export const presentAccount = (account: Account) => ({ id: account.id, email: account.email, name: account.name ?? null, created_at: instant(account.createdAt) });

const uniqueViolation = '23505';

export async function createAccount(em: EntityManager, { email, password, name }: { email: string; password: string; name?: string | null }): Promise<Account> {
  const address = normalizeEmail(email);
  throwIfAny(isEmail(address) ? [] : [{ path: '/email', message: 'is not an e-mail address' }]);
  const account = em.create(Account, { email: address, name: name ?? null, passwordHash: await hashPassword(password) } as never) as Account;
  try {
    await em.persist(account).flush();
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw conflict('there is an account with this e-mail address already', [{ path: '/email', message: 'is taken' }]);
    throw error;
  }
  return account;
}

export interface IssuedSession {
  access_token: string;
  token_type: 'Bearer';
  expires_at: string;
}

/** Unknown address and wrong password give the same answer after the same time. */
export async function signIn(em: EntityManager, { email, password }: { email: string; password: string }): Promise<IssuedSession> {
  const account = await em.findOne(Account, { email: normalizeEmail(email) });
  if (!(await isPassword(password, account?.passwordHash ?? null))) throw unauthorized('the e-mail address or the password is wrong');
  return issueSession(em, { kind: 'account', accountId: account!.id });
}

export async function issueSession(em: EntityManager, holder: { kind: 'account'; accountId: string } | { kind: 'driver'; businessId: string; driverId: string }): Promise<IssuedSession> {
  const token = newToken(holder.kind === 'account' ? 'session' : 'driver');
  const expiresAt = new Date(Date.now() + sessionLifeMs[holder.kind]);
  await em.persist(em.create(Session, { ...holder, tokenHash: tokenHash(token), expiresAt } as never)).flush();
  return { access_token: token, token_type: 'Bearer', expires_at: instant(expiresAt) };
}

export async function signOut(em: EntityManager, sessionId: string): Promise<void> {
  await em.nativeUpdate(Session, { id: sessionId }, { revokedAt: new Date() });
}
