import type { RecordedChange } from '../db/recorded-changes.ts';
import { isSecret, passedOver, recordKinds } from './audited.ts';
import type { AuditedChange } from './entity.ts';

/** An entry shall be readable: more than this is counted only. */
const changesMax = 200;
/** Characters of JSON with values; after that only the records are named. */
const detailedMax = 64 * 1024;
/** One value: a plan's stops or a scenario's roads are no reading matter. */
const valueMax = 1_000;

export interface AuditedChanges {
  changes: AuditedChange[];
  omitted: number;
}

/** What flushes have written, one change for each record, from its first state to its last. */
export function auditedChanges(recorded: readonly RecordedChange[]): AuditedChanges {
  const merged = mergeByRecord(recorded);
  let size = 0;
  const changes = merged.slice(0, changesMax).map((change): AuditedChange => {
    const fields = visible(change.fields);
    size += JSON.stringify(fields).length;
    return { record_kind: recordKinds[change.entity]!, record_id: change.id, change: kindOf(change), fields: size > detailedMax ? null : fields };
  });
  return { changes, omitted: merged.length - changes.length };
}

function mergeByRecord(recorded: readonly RecordedChange[]): RecordedChange[] {
  const byRecord = new Map<string, RecordedChange>();
  for (const change of recorded) {
    if (recordKinds[change.entity] == null) continue;
    const key = `${change.entity} ${change.id}`;
    const before = byRecord.get(key);
    byRecord.set(key, before ? { ...before, fields: mergedFields(before.fields, change.fields) } : change);
  }
  return [...byRecord.values()];
}

function mergedFields(first: RecordedChange['fields'], second: RecordedChange['fields']): RecordedChange['fields'] {
  const later = Object.entries(second).map(([name, { before, after }]) => [name, { before: name in first ? first[name].before : before, after }]);
  return { ...first, ...Object.fromEntries(later) };
}

/** Deletion is soft: a row that gets its time of deletion. */
const kindOf = ({ kind, fields }: RecordedChange): AuditedChange['change'] =>
  kind === 'created' ? 'created' : kind === 'removed' || (fields.deletedAt && fields.deletedAt.after !== null) ? 'deleted' : 'updated';

function visible(fields: RecordedChange['fields']): Record<string, { before: unknown; after: unknown }> {
  const shown = Object.entries(fields)
    .filter(([name, { before, after }]) => !passedOver.has(name) && JSON.stringify(before) !== JSON.stringify(after))
    .map(([name, { before, after }]) => [wireName(name), { before: shownValue(name, before), after: shownValue(name, after) }]);
  return Object.fromEntries(shown);
}

const wireName = (property: string): string => property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function shownValue(property: string, value: unknown): unknown {
  if (value === null) return null;
  if (isSecret(property)) return '***';
  const length = JSON.stringify(value).length;
  return length > valueMax ? `(${length} characters of JSON)` : value;
}
