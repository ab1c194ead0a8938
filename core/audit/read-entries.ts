import { raw, type FilterQuery } from '@mikro-orm/postgresql';
import type { EntityManager } from '../db/store.ts';
import { decodeCursor, encodeCursor } from '../records/cursor.ts';
import { instant } from '../records/present.ts';
import { parseInstant } from '../time/instants.ts';
import { AuditEntry } from './entity.ts';

export interface AuditQuery {
  actor?: string;
  operation?: string;
  record_id?: string;
  from?: string;
  to?: string;
  limit?: number;
  cursor?: string;
}

const list = 'audit';

/** One page, oldest first. */
export async function listAuditEntries(em: EntityManager, businessId: string, query: AuditQuery): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const { limit = 10_000, cursor, ...bound } = query;
  const filter: object[] = [];
  if (query.actor) filter.push({ actorId: query.actor });
  if (query.operation) filter.push({ operation: query.operation });
  if (query.record_id) filter.push({ [raw('record_ids @> ?::jsonb', [JSON.stringify([query.record_id])])]: [] });
  if (query.from) filter.push({ createdAt: { $gte: new Date(parseInstant(query.from)!) } });
  if (query.to) filter.push({ createdAt: { $lt: new Date(parseInstant(query.to)!) } });
  if (cursor !== undefined) {
    const { createdAt, id } = decodeCursor(cursor, list, businessId, bound);
    filter.push({ $or: [{ createdAt: { $gt: createdAt } }, { createdAt, id: { $gt: id } }] });
  }
  const found = await em.find(AuditEntry, { $and: filter } as FilterQuery<AuditEntry>, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], limit: limit + 1 });
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: found.length > limit && last ? encodeCursor(last, list, businessId, bound) : null };
}

export const presentAuditEntry = (entry: AuditEntry) => ({
  id: entry.id,
  at: instant(entry.createdAt),
  actor: { kind: entry.actorKind, id: entry.actorId ?? null, name: entry.actorName ?? null },
  credential_id: entry.credentialId ?? null,
  operation: entry.operation,
  record_kind: entry.recordKind ?? null,
  record_id: entry.recordId ?? null,
  request_id: entry.requestId,
  address: entry.address,
  changes: entry.changes,
  changes_omitted: entry.changesOmitted,
});
