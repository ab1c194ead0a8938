import { operation } from '../contract/operation.ts';
import { account, accountInput, me, session, sessionInput } from './schema.ts';

const credentials = { email: 'dispatch@depot.example', password: 'correct horse battery' };
const tag = 'accounts';

const createAccount = operation({
  id: 'accounts.create', method: 'POST', path: '/api/v1/accounts', tag, summary: 'Sign up', description: '403 where registration is closed.',
  access: { kind: 'public' }, body: accountInput, status: 201, answer: account, errors: [403, 409, 422, 503], example: { body: { ...credentials, name: 'Dispatch' } },
});
const createSession = operation({
  id: 'sessions.create', method: 'POST', path: '/api/v1/sessions', tag, summary: 'Sign in', description: 'A session lasts 12 hours after its last use.',
  access: { kind: 'public' }, body: sessionInput, status: 201, answer: session, errors: [401, 422, 503], example: { body: credentials },
});
const getMe = operation({ id: 'me.get', method: 'GET', path: '/api/v1/me', tag, summary: 'Who am I', access: { kind: 'account' }, status: 200, answer: me, errors: [401, 403, 503] });
const deleteSession = operation({ id: 'sessions.delete', method: 'DELETE', path: '/api/v1/sessions/current', tag, summary: 'Sign out', access: { kind: 'account' }, status: 204, errors: [401, 403, 503] });

export const accountOperations = [createAccount, createSession, getMe, deleteSession];
