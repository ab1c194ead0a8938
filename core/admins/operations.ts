import { businessPath, inBusiness, operation, usualErrors } from '../contract/operation.ts';
import { listOf, listQuery } from '../contract/schemas.ts';
import { admin, adminInput, invitationAcceptance, invitedAdmin } from './schema.ts';

const path = `${businessPath}/admins`;
const common = { tag: 'accounts', errors: usualErrors, access: inBusiness('accounts.manage') } as const;

const listAdmins = operation({ ...common, id: 'admins.list', method: 'GET', path, summary: 'List administrators and invitations', query: listQuery, status: 200, answer: listOf(admin) });
const inviteAdmin = operation({ ...common, id: 'admins.create', method: 'POST', path, summary: 'Invite an administrator', body: adminInput, status: 201, answer: invitedAdmin, example: { body: { email: 'second@depot.example' } } });
const removeAdmin = operation({ ...common, id: 'admins.delete', method: 'DELETE', path: `${path}/{record_id}`, summary: 'Remove an administrator or withdraw an invitation', precondition: 'If-Match', status: 204 });
const acceptInvitation = operation({
  id: 'invitations.accept', method: 'POST', path: '/api/v1/invitations/accept', tag: 'accounts', summary: 'Accept an invitation',
  access: { kind: 'public' }, body: invitationAcceptance, status: 200, answer: admin, errors: [401, 409, 422, 503],
  example: { body: { invitation_code: 'mi_invitation', password: 'correct horse battery' } },
});

export const adminOperations = [listAdmins, inviteAdmin, removeAdmin, acceptInvitation];
