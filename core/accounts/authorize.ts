import { forbidden, malformed, notFound, unauthorized, type ApiError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { Store } from '../db/store.ts';
import { isUuid } from '../records/ids.ts';
import type { Credential } from './credential.ts';

/**
 * May the holder of this credential call the operation? Throws the interface's answer where not: 401 without a credential, 404 where
 * nothing ties the credential to the business, 403 where the tie is not enough. The settings update knows no 403 (spec 4.9).
 */
export async function authorize(store: Store, operation: Operation, credential: Credential | null, businessId: string | undefined): Promise<void> {
  const { access } = operation;
  if (access.kind === 'public') return;
  if (credential === null) throw unauthorized();
  if (access.kind === 'driver') {
    if (credential.kind !== 'driver') throw forbidden('this needs the session of a driver');
    if (!(await isThere(store, credential.businessId))) throw notFound('business');
    return;
  }
  if (access.kind === 'account') {
    if (credential.kind !== 'account') throw forbidden('this needs the session of an account');
    return;
  }
  if (!isUuid(businessId!)) throw operation.settingsUpdate ? malformed('the business id is not a UUID') : notFound('business');
  await authorizeInBusiness(store, operation, credential, businessId!.toLowerCase());
}

async function authorizeInBusiness(store: Store, operation: Operation, credential: Credential, businessId: string): Promise<void> {
  if (credential.kind === 'account') return authorizeMember(store, operation, credential.accountId, businessId);
  if (credential.businessId !== businessId || !(await isThere(store, businessId))) throw notFound('business');
  const scope = operation.access.kind === 'business' ? operation.access.scope : null;
  if (credential.kind === 'driver') throw refuse(operation, 'a driver session can not do this');
  if (scope === null) throw refuse(operation, 'an integration key can not do this: it needs the session of an administrator');
  if (!credential.scopes.includes(scope)) throw forbidden(`the key lacks the scope ${scope}`);
}

const refuse = (operation: Operation, message: string): ApiError => (operation.settingsUpdate ? unauthorized(message) : forbidden(message));

async function authorizeMember(store: Store, operation: Operation, accountId: string, businessId: string): Promise<void> {
  const memberships = await store.em.getConnection().execute<{ state: string }[]>(standing, [businessId, accountId]);
  if (memberships.length === 0) throw notFound('business');
  if (memberships.some(({ state }) => state === 'active')) return;
  throw operation.settingsUpdate ? notFound('business') : forbidden('you are not an administrator of this business any more');
}

const standing = `
  select m.state from memberships m join businesses b on b.id = m.business_id
  where m.business_id = ? and m.account_id = ? and b.deleted_at is null`;

async function isThere(store: Store, businessId: string): Promise<boolean> {
  const found = await store.em.getConnection().execute('select 1 from businesses where id = ? and deleted_at is null', [businessId]);
  return found.length > 0;
}
