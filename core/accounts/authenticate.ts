import type { Scope } from '../contract/scopes.ts';
import type { Store } from '../db/store.ts';
import type { Credential } from './credential.ts';
import { tokenHash, tokenKind } from './tokens.ts';

const hourMs = 3_600_000;
/** How long a session lasts after its last use. */
export const sessionLifeMs = { account: 12 * hourMs, driver: 30 * 24 * hourMs } as const;
/** Use is written down this often at most. */
const touchMs = 60_000;

/**
 * The holder of a bearer token; null when it is mistyped, unknown, revoked or expired. Every request begins with this, so it is one
 * statement without the ORM's detour.
 */
export async function authenticate(store: Store, token: string, nowMs = Date.now()): Promise<Credential | null> {
  const kind = tokenKind(token);
  if (kind === 'session' || kind === 'driver') return bySession(store, token, nowMs);
  if (kind === 'key') return byKey(store, token, nowMs);
  return null;
}

/** `is_fresh`: its use has been written down a moment ago. */
type SessionRow = { id: string; account_id: string; is_fresh: boolean } & ({ kind: 'account' } | { kind: 'driver'; business_id: string; driver_id: string });

/** A driver who is deleted or not active has no access, whatever the session says. */
const liveSession = `
  select s.id, s.kind, s.account_id, s.business_id, s.driver_id, s.last_seen_at > ? as is_fresh
  from sessions s left join drivers d on d.business_id = s.business_id and d.id = s.driver_id
  where s.token_hash = ? and s.revoked_at is null and s.expires_at > ? and (s.kind = 'account' or (d.active and d.deleted_at is null))`;

async function bySession({ em }: Store, token: string, nowMs: number): Promise<Credential | null> {
  const connection = em.getConnection();
  const [session] = await connection.execute<SessionRow[]>(liveSession, [new Date(nowMs - touchMs), tokenHash(token), new Date(nowMs)]);
  if (session === undefined) return null;
  if (!session.is_fresh) {
    await connection.execute('update sessions set last_seen_at = ?, expires_at = ? where id = ?', [new Date(nowMs), new Date(nowMs + sessionLifeMs[session.kind]), session.id]);
  }
  return session.kind === 'account'
    ? { kind: 'account', accountId: session.account_id, sessionId: session.id }
    : { kind: 'driver', businessId: session.business_id, driverId: session.driver_id, sessionId: session.id };
}

interface KeyRow {
  business_id: string;
  id: string;
  scopes: Scope[];
  is_fresh: boolean | null;
}

const liveKey = `
  select business_id, id, scopes, last_used_at > ? as is_fresh from api_keys
  where key_hash = ? and revoked_at is null and deleted_at is null and (expires_at is null or expires_at > ?)`;

async function byKey({ em }: Store, token: string, nowMs: number): Promise<Credential | null> {
  const connection = em.getConnection();
  const [key] = await connection.execute<KeyRow[]>(liveKey, [new Date(nowMs - touchMs), tokenHash(token), new Date(nowMs)]);
  if (key === undefined) return null;
  // Not an edit: neither revision nor updated_at moves.
  if (!key.is_fresh) await connection.execute('update api_keys set last_used_at = ? where business_id = ? and id = ?', [new Date(nowMs), key.business_id, key.id]);
  return { kind: 'key', businessId: key.business_id, keyId: key.id, scopes: key.scopes };
}
