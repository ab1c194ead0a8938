import { ApiKey } from '../api-keys/entity.ts';
import { Driver } from '../drivers/entity.ts';
import type { EntityManager, Store } from '../db/store.ts';
import type { Credential } from './credential.ts';
import { Session } from './entity.ts';
import { tokenHash, tokenKind } from './tokens.ts';

const hourMs = 3_600_000;
/** How long a session lasts after its last use. */
export const sessionLifeMs = { account: 12 * hourMs, driver: 30 * 24 * hourMs } as const;
/** Use is written down this often at most. */
const touchMs = 60_000;

/** The holder of a bearer token; null when it is mistyped, unknown, revoked or expired. */
export async function authenticate(store: Store, token: string, nowMs = Date.now()): Promise<Credential | null> {
  const kind = tokenKind(token);
  const em = store.em.fork();
  if (kind === 'session' || kind === 'driver') return bySession(em, token, nowMs);
  if (kind === 'key') return byKey(em, token, nowMs);
  return null;
}

async function bySession(em: EntityManager, token: string, nowMs: number): Promise<Credential | null> {
  const session = await em.findOne(Session, { tokenHash: tokenHash(token), revokedAt: null, expiresAt: { $gt: new Date(nowMs) } });
  if (session === null) return null;
  const credential = session.kind === 'account' ? { kind: 'account' as const, accountId: session.accountId!, sessionId: session.id } : await driverCredential(em, session);
  if (credential !== null && nowMs - session.lastSeenAt.getTime() > touchMs) {
    await em.nativeUpdate(Session, { id: session.id }, { lastSeenAt: new Date(nowMs), expiresAt: new Date(nowMs + sessionLifeMs[session.kind]) });
  }
  return credential;
}

/** A driver who is deleted or not active has no access, whatever the session says. */
async function driverCredential(em: EntityManager, session: Session): Promise<Credential | null> {
  const [businessId, driverId] = [session.businessId!, session.driverId!];
  const driver = await em.findOne(Driver, { businessId, id: driverId, active: true, deletedAt: null }, { filters: false, fields: ['id'] as never });
  return driver === null ? null : { kind: 'driver', businessId, driverId, sessionId: session.id };
}

async function byKey(em: EntityManager, token: string, nowMs: number): Promise<Credential | null> {
  const key = await em.findOne(ApiKey, { keyHash: tokenHash(token), revokedAt: null, deletedAt: null }, { filters: false });
  if (key === null || (key.expiresAt && key.expiresAt.getTime() <= nowMs)) return null;
  if (!key.lastUsedAt || nowMs - key.lastUsedAt.getTime() > touchMs) {
    // Not an edit: neither revision nor updated_at moves.
    await em.execute('update api_keys set last_used_at = ? where business_id = ? and id = ?', [new Date(nowMs), key.businessId, key.id]);
  }
  return { kind: 'key', businessId: key.businessId, keyId: key.id, scopes: key.scopes };
}
