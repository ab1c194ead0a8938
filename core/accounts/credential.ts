import type { Scope } from '../contract/scopes.ts';

/** Who sends a request. */
export type Credential =
  | { kind: 'account'; accountId: string; sessionId: string }
  | { kind: 'key'; businessId: string; keyId: string; scopes: Scope[] }
  | { kind: 'driver'; businessId: string; driverId: string; sessionId: string };

/** What `deleted_by` shows. */
export const actorOf = (credential: Credential): string => (credential.kind === 'account' ? credential.accountId : credential.kind === 'key' ? credential.keyId : credential.sessionId);

/** Names a credential, and not its holder: what one session has sent is no other's to have again. */
export const credentialKey = (credential: Credential): string => (credential.kind === 'key' ? `key ${credential.keyId}` : `session ${credential.sessionId}`);
