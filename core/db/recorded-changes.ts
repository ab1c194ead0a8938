import type { EventSubscriber, FlushEventArgs } from '@mikro-orm/core';
import { currentUnit } from './one-transaction.ts';

/** One row that a flush writes. Values are those of the columns' properties, before and after. */
export interface RecordedChange {
  entity: string;
  /** null where the row belongs to no business. */
  businessId: string | null;
  id: string;
  kind: 'created' | 'updated' | 'removed';
  fields: Record<string, { before: unknown; after: unknown }>;
}

/** Notes what the requests' transactions write, for the audit log. Statements made by hand, which count no revision, go unnoticed. */
export const changeRecorder: EventSubscriber = {
  onFlush({ uow }: FlushEventArgs) {
    const unit = currentUnit();
    if (unit === null) return;
    for (const changeSet of uow.getChangeSets()) unit.changes.push(noteOf(changeSet as never));
  },
};

interface Written {
  meta: { className: string; properties: Record<string, { type?: string; runtimeType?: string }> };
  type: string;
  entity: Record<string, unknown>;
  payload: Record<string, unknown>;
  originalEntity?: Record<string, unknown>;
}

function noteOf({ meta, type, entity, payload, originalEntity }: Written): RecordedChange {
  const kind = type === 'create' ? 'created' : type.startsWith('delete') ? 'removed' : 'updated';
  const fields = Object.fromEntries(Object.keys(payload).map((name) => [name, { before: plain(originalEntity?.[name], meta.properties[name]?.type), after: plain(entity[name]) }]));
  const key = entity as { id?: unknown; businessId?: string | null };
  return { entity: meta.className, businessId: key.businessId ?? (meta.className === 'Business' ? String(key.id) : null), id: String(key.id ?? ''), kind, fields };
}

/** What the row had is kept by the ORM in the form of the database, where JSON is text. */
function plain(value: unknown, type?: string): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (type !== undefined && /json/i.test(type) && typeof value === 'string') return JSON.parse(value) as unknown;
  // A copy: the record may change again before the transaction ends.
  return typeof value === 'object' ? structuredClone(value) : value;
}
