import { randomUUID } from 'node:crypto';
import { newToken, tokenHash } from '../../core/accounts/tokens.ts';
import type { Operation } from '../../core/contract/operation.ts';
import { scopes, type Scope } from '../../core/contract/scopes.ts';
import { keyClient, signedIn } from './business.ts';
import type { Client } from './client.ts';
import { ok, type LineWorld } from './line-world.ts';

/** Everything that a request to a business may come with. */
export const credentialNames = [
  'administrator', 'removed administrator', 'expired session', 'signed-out session',
  'key with the scope', 'key without the scope', 'revoked key', 'expired key',
  'driver', 'deactivated driver', 'reset driver',
  'no credential', 'malformed token', 'unknown token',
] as const;
export type CredentialName = (typeof credentialNames)[number];

/** Credentials of one business. What a key may do is said for the operation: all but its scope, or nothing else. */
export type Credentials = (name: CredentialName, operation: Operation) => Client | Promise<Client>;

export async function credentialsOf(w: LineWorld): Promise<Credentials> {
  const { service } = w;
  const administrator = await joined(w);
  const removed = await joined(w);
  ok(await w.admin.delete(`${w.path}/admins/${removed.membership}`));

  const expire = (table: 'sessions' | 'api_keys', { token }: Client) => w.sql(`update ${table} set expires_at = now() where ${table === 'sessions' ? 'token_hash' : 'key_hash'} = $1`, [tokenHash(token!)]);
  const [expired, signedOut] = [await signedIn(service, administrator.email), await signedIn(service, administrator.email)];
  await expire('sessions', expired);
  ok(await signedOut.delete('/api/v1/sessions/current'));

  const [expiredKey, revokedKey] = [await keyClient(w, [...scopes]), await keyClient(w, [...scopes])];
  await expire('api_keys', expiredKey);
  const keys = (await w.get('/api-keys')).items;
  ok(await w.admin.post(`${w.path}/api-keys/${keys.at(-1).id}/revoke`));
  const only = new Map<Scope | null, Client>([[null, await keyClient(w, [...scopes])]]);
  const allBut = new Map<Scope | null, Client>(only);
  for (const scope of scopes) {
    only.set(scope, await keyClient(w, [scope]));
    allBut.set(scope, await keyClient(w, scopes.filter((other) => other !== scope)));
  }

  const drivers = await Promise.all(Array.from({ length: 3 }, async () => w.driver(randomUUID())));
  const [driver, deactivated, reset] = await Promise.all(drivers.map((id) => w.as(id)));
  ok(await w.admin.patch(`${w.path}/drivers/${drivers[1]}`, { active: false }));
  ok(await w.admin.post(`${w.path}/drivers/${drivers[2]}/reset`));

  const scopeOf = ({ access }: Operation): Scope | null => (access.kind === 'business' ? access.scope : null);
  /** Some of the operations for accounts end the session. */
  const session = ({ email, client }: Joined, { access }: Operation) => (access.kind === 'account' ? signedIn(service, email) : client);
  const given: Record<CredentialName, (operation: Operation) => Client | Promise<Client>> = {
    administrator: (operation) => session(administrator, operation),
    'removed administrator': (operation) => session(removed, operation),
    'expired session': () => expired,
    'signed-out session': () => signedOut,
    'key with the scope': (operation) => only.get(scopeOf(operation))!,
    'key without the scope': (operation) => allBut.get(scopeOf(operation))!,
    'revoked key': () => revokedKey,
    'expired key': () => expiredKey,
    driver: () => driver,
    'deactivated driver': () => deactivated,
    'reset driver': () => reset,
    'no credential': () => service.anonymous,
    'malformed token': () => service.anonymous.as(mistyped(w.admin.token!)),
    'unknown token': () => service.anonymous.as(newToken('session')),
  };
  return (name, operation) => given[name](operation);
}

interface Joined {
  email: string;
  client: Client;
  membership: string;
}

/** One more administrator. */
async function joined(w: LineWorld): Promise<Joined> {
  const email = `${randomUUID()}@depot.example`;
  const client = await signedIn(w.service, email);
  const { id, invitation_code: code } = ok(await w.admin.post(`${w.path}/admins`, { email }));
  ok(await w.service.anonymous.post('/api/v1/invitations/accept', { invitation_code: code }));
  return { email, client, membership: id };
}

const mistyped = (token: string): string => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
