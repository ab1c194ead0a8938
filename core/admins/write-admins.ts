import { conflict, invalid, throwIfAny, unauthorized } from '../contract/errors.ts';
import { createAccount } from '../accounts/sign-up.ts';
import { Account } from '../accounts/entity.ts';
import { newToken, tokenHash, tokenKind } from '../accounts/tokens.ts';
import { Business } from '../businesses/entity.ts';
import { refuseLast } from '../businesses/write-businesses.ts';
import { inBusiness, rowLock, sqlState, type EntityManager } from '../db/store.ts';
import { isEmail, normalizeEmail } from '../records/fields.ts';
import type { Intent } from '../records/kind.ts';
import { instantOrNull, presentCommon } from '../records/present.ts';
import { lockRecord, markDeleted } from '../records/write-records.ts';
import { Membership } from './entity.ts';

export const adminKind = { word: 'administrator', entity: Membership, searched: ['email'] as const };

export const presentAdmin = (membership: Membership, name: string | null) => ({
  ...presentCommon(membership),
  email: membership.email,
  name,
  account_id: membership.accountId ?? null,
  state: membership.state,
  invitation_expires_at: instantOrNull(membership.invitationExpiresAt),
});

/** The names that the accounts behind memberships have given themselves. */
export async function namesOf(em: EntityManager, memberships: Membership[]): Promise<Map<string, string | null>> {
  const ids = memberships.flatMap((membership) => (membership.accountId ? [membership.accountId] : []));
  const accounts = ids.length === 0 ? [] : await em.find(Account, { id: { $in: ids } });
  return new Map(accounts.map((account) => [account.id, account.name ?? null]));
}

const invitationLifeMs = 7 * 24 * 3_600_000;
const uniqueViolation = '23505';

/** The code is shown once and works once. Inviting an address again replaces its code. */
export async function inviteAdmin(em: EntityManager, businessId: string, email: string): Promise<{ membership: Membership; code: string }> {
  const address = normalizeEmail(email);
  throwIfAny(isEmail(address) ? [] : [{ path: '/email', message: 'is not an e-mail address' }]);
  const present = await em.findOne(Membership, { email: address, state: { $ne: 'removed' } }, { lockMode: rowLock.write });
  if (present?.state === 'active') throw conflict(`${address} is an administrator already`, [{ path: '/email', message: 'is an administrator already' }]);
  const code = newToken('invitation');
  const membership = present ?? (em.create(Membership, { businessId, email: address, state: 'invited' } as never) as Membership);
  Object.assign(membership, { invitationHash: tokenHash(code), invitationExpiresAt: new Date(Date.now() + invitationLifeMs) });
  try {
    await em.persist(membership).flush();
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw conflict(`${address} has just been invited`);
    throw error;
  }
  return { membership, code };
}

export async function removeAdmin(em: EntityManager, id: string, intent: Intent): Promise<void> {
  // All active memberships are locked, so that two administrators can not remove one another at the same time.
  const active = await em.find(Membership, { state: 'active' }, { lockMode: rowLock.write, orderBy: { id: 'asc' } });
  const membership = await lockRecord<Membership>(em, adminKind, id, { ifMatch: intent.ifMatch });
  if (membership.state === 'active') refuseLast(active.length);
  Object.assign(membership, { state: 'removed', invitationHash: null, invitationExpiresAt: null });
  markDeleted(membership, intent);
  await em.flush();
}

/** Whoever holds the code becomes administrator: with the account of the invited address, or with a new one and this password. */
export async function acceptInvitation(em: EntityManager, { code, password, name }: { code: string; password?: string; name?: string | null }): Promise<{ membership: Membership; account: Account }> {
  const refuse = () => unauthorized('the invitation code is not valid, or not valid any more');
  if (tokenKind(code) !== 'invitation') throw refuse();
  const membership = await em.findOne(Membership, { invitationHash: tokenHash(code), state: 'invited' }, { filters: false, lockMode: rowLock.write });
  if (membership === null || membership.invitationExpiresAt!.getTime() <= Date.now()) throw refuse();
  if ((await em.count(Business, { id: membership.businessId, deletedAt: null })) === 0) throw refuse();
  inBusiness(em, membership.businessId);
  const account = (await em.findOne(Account, { email: membership.email })) ?? (await newAccount(em, membership.email, password, name));
  Object.assign(membership, { accountId: account.id, state: 'active', invitationHash: null, invitationExpiresAt: null });
  await em.flush();
  return { membership, account };
}

async function newAccount(em: EntityManager, email: string, password: string | undefined, name: string | null | undefined): Promise<Account> {
  if (password === undefined) throw invalid('/password', 'is required: the invited address has no account yet');
  return createAccount(em, { email, password, name: name ?? null });
}
