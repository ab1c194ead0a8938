import { forbidden } from '../../core/contract/errors.ts';
import { Account } from '../../core/accounts/entity.ts';
import { createAccount, presentAccount, signIn, signOut } from '../../core/accounts/sign-up.ts';
import type { Credential } from '../../core/accounts/credential.ts';
import { acceptInvitation, adminKind, inviteAdmin, namesOf, presentAdmin, removeAdmin } from '../../core/admins/write-admins.ts';
import type { Membership } from '../../core/admins/entity.ts';
import { businessesOf } from '../../core/businesses/write-businesses.ts';
import { reader, transaction } from '../../core/db/store.ts';
import { listRecords } from '../../core/records/read-records.ts';
import type { Call, Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';
import { created } from './records.ts';

/** The signed-in account; the operation has been authorized as one for accounts. */
export const accountOf = (call: Call): Extract<Credential, { kind: 'account' }> => call.credential as Extract<Credential, { kind: 'account' }>;

export const accountHandlers: Handlers = {
  'accounts.create': async ({ service, body }) => {
    if (service.config.registration === 'closed') throw forbidden('registration is closed here: ask an administrator for an invitation');
    const account = await transaction(service.store, null, (em) => createAccount(em, body as { email: string; password: string; name?: string }));
    return { body: presentAccount(account), headers: { Location: '/api/v1/me' } };
  },
  'sessions.create': async ({ service, body }) => ({ body: await transaction(service.store, null, (em) => signIn(em, body as { email: string; password: string })), headers: { Location: '/api/v1/sessions/current' } }),
  'sessions.delete': async (call) => {
    await transaction(call.service.store, null, (em) => signOut(em, accountOf(call).sessionId));
    return {};
  },
  'me.get': async (call) => {
    const em = reader(call.service.store, null);
    const { accountId } = accountOf(call);
    const account = await em.findOneOrFail(Account, { id: accountId });
    const businesses = await businessesOf(em, accountId);
    return { body: { account: presentAccount(account), businesses: businesses.map(({ business, membership }) => ({ id: business.id, name: business.name, membership_id: membership.id })) } };
  },
  'admins.list': async ({ service, businessId, query }) => {
    const em = reader(service.store, businessId);
    const { records, nextCursor } = await listRecords<Membership>(em, adminKind, businessId, query);
    const names = await namesOf(em, records);
    return { body: { items: records.map((membership) => presentAdmin(membership, names.get(membership.accountId ?? '') ?? null)), next_cursor: nextCursor } };
  },
  'admins.create': async (call) => {
    const { membership, code } = await transaction(call.service.store, call.businessId, (em) => inviteAdmin(em, call.businessId, String(call.body.email)));
    return created(call, 'admins', { ...presentAdmin(membership, null), invitation_code: code }, membership.id);
  },
  'admins.delete': async (call) => {
    await transaction(call.service.store, call.businessId, (em) => removeAdmin(em, call.params.record_id, intentOf(call)));
    return {};
  },
  'invitations.accept': async ({ service, body }) => {
    const { membership, account } = await transaction(service.store, null, (em) => acceptInvitation(em, { code: String(body.invitation_code), password: body.password as string | undefined, name: body.name as string | null | undefined }));
    return { body: presentAdmin(membership, account.name ?? null) };
  },
};
