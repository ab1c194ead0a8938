import type { StoredRecord } from './entity.ts';
import { formatInstant } from '../time/instants.ts';

export const instant = (date: Date): string => formatInstant(date.getTime());
export const instantOrNull = (date: Date | null | undefined): string | null => (date ? instant(date) : null);

/** The common fields of a record as they are shown: spec 2.1. */
export function presentCommon(record: Omit<StoredRecord, 'businessId'>) {
  return {
    id: record.id,
    created_at: instant(record.createdAt),
    updated_at: instant(record.updatedAt),
    revision: record.revision,
    deleted_at: instantOrNull(record.deletedAt),
    deleted_by: record.deletedBy ?? null,
  };
}
