import type { Credential } from '../accounts/credential.ts';
import type { RecordedChange } from '../db/recorded-changes.ts';
import type { EntityManager } from '../db/store.ts';
import { newId } from '../records/ids.ts';
import { auditedChanges } from './changes.ts';
import type { ActorKind } from './schema.ts';

/** What has been done, as the process knows it that answers the request. */
export interface Deed {
  operation: string;
  credential: Credential | null;
  /** Of the path; empty outside of a business. */
  businessId: string;
  /** The record that the path or the answer names. */
  recordId: string | null;
  requestId: string;
  address: string;
}

interface Actor {
  kind: ActorKind;
  id: string | null;
  credentialId: string | null;
}

/** Writes the entry into the transaction of what it tells. */
export async function writeAuditEntry(em: EntityManager, deed: Deed, recorded: readonly RecordedChange[], now = new Date()): Promise<void> {
  const { changes, omitted } = auditedChanges(recorded);
  const businessId = deed.businessId || businessOf(recorded);
  const actor = deed.credential ? actorOf(deed.credential) : whoItWas(recorded);
  const recordId = deed.recordId ?? (changes.length === 1 ? changes[0].record_id : null);
  const recordKind = changes.find((change) => change.record_id === recordId)?.record_kind ?? null;
  const recordIds = [...new Set([...(recordId === null ? [] : [recordId]), ...recorded.map((change) => change.id)])].slice(0, 10_000);
  await em.execute(
    `insert into audit_entries (id, business_id, created_at, actor_kind, actor_id, actor_name, credential_id, operation, record_kind, record_id, record_ids, request_id, address, changes, changes_omitted)
     values (?, ?, ?, ?, ?, ${nameOf[actor.kind]}, ?, ?, ?, ?, ?::jsonb, ?, ?, ?::jsonb, ?)`,
    [
      newId(), businessId, now, actor.kind, actor.id, ...(actor.kind === 'anonymous' ? [] : actor.kind === 'account' ? [actor.id] : [businessId, actor.id]),
      actor.credentialId, deed.operation, recordKind, recordId, JSON.stringify(recordIds), deed.requestId, deed.address, JSON.stringify(changes), omitted,
    ],
  );
}

/** Names change, and keys and drivers go; the entry keeps what the name was. */
const nameOf: Record<ActorKind, string> = {
  account: '(select email from accounts where id = ?)',
  key: `(select name || ' (' || prefix || '…)' from api_keys where business_id = ? and id = ?)`,
  driver: '(select name from drivers where business_id = ? and id = ?)',
  anonymous: 'null',
};

function actorOf(credential: Credential): Actor {
  if (credential.kind === 'account') return { kind: 'account', id: credential.accountId, credentialId: credential.sessionId };
  if (credential.kind === 'key') return { kind: 'key', id: credential.keyId, credentialId: credential.keyId };
  return { kind: 'driver', id: credential.driverId, credentialId: credential.sessionId };
}

/** Somebody who signs up or in comes without a credential and turns out to be somebody. */
function whoItWas(recorded: readonly RecordedChange[]): Actor {
  const written = (entity: string, field: string): string | null => {
    const value = recorded.findLast((change) => change.entity === entity && change.fields[field]?.after)?.fields[field].after;
    return typeof value === 'string' ? value : null;
  };
  const credentialId = recorded.find((change) => change.entity === 'Session')?.id ?? null;
  const driverId = written('Session', 'driverId');
  if (driverId !== null) return { kind: 'driver', id: driverId, credentialId };
  const accountId = written('Session', 'accountId') ?? written('Membership', 'accountId') ?? recorded.find((change) => change.entity === 'Account')?.id ?? null;
  return accountId === null ? { kind: 'anonymous', id: null, credentialId } : { kind: 'account', id: accountId, credentialId };
}

/** Of an operation without a business in its path: the one whose records it has written. */
const businessOf = (recorded: readonly RecordedChange[]): string | null => recorded.find((change) => change.businessId !== null)?.businessId ?? null;
