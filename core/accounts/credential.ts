import type { Scope } from '../contract/scopes.ts';

/** Who sends a request. */
export type Credential =
  | { kind: 'account'; accountId: string; sessionId: string }
  | { kind: 'key'; businessId: string; keyId: string; scopes: Scope[] }
  | { kind: 'driver'; businessId: string; driverId: string; sessionId: string };

/** What `deleted_by` shows. */
export const actorOf = (credential: Credential): string => (credential.kind === 'account' ? credential.accountId : credential.kind === 'key' ? credential.keyId : credential.sessionId);
