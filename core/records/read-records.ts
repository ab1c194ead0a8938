import { raw, type FilterQuery } from '@mikro-orm/postgresql';
import type { ListQuery } from '../contract/schemas.ts';
import { notFound } from '../contract/errors.ts';
import type { EntityManager, RowLock } from '../db/store.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { StoredRecord } from './entity.ts';
import type { RecordKind } from './kind.ts';

export type RecordStatus = 'active' | 'deleted' | 'all';

const byStatus = { active: { deletedAt: null }, deleted: { deletedAt: { $ne: null } }, all: {} } as const;

export interface Page<E> {
  records: E[];
  nextCursor: string | null;
}

const limitDefault = 10_000;

/** One page in the order of creation. `filter` is what the operation adds to the filters of every list. */
export async function listRecords<E extends StoredRecord>(em: EntityManager, kind: Pick<RecordKind<E>, 'word' | 'entity' | 'searched' | 'searchedExpressions'>, businessId: string, query: ListQuery & Record<string, unknown>, filter: object[] = []): Promise<Page<E>> {
  const { limit = limitDefault, cursor, ...bound } = query;
  const conditions: object[] = [byStatus[query.record_status ?? 'active'], ...filter];
  if (query.q) conditions.push(matching(query.q, ['id', ...kind.searched], kind.searchedExpressions ?? []));
  if (cursor !== undefined) conditions.push(after(decodeCursor(cursor, kind.word, businessId, bound)));
  const found = await em.find(kind.entity, { $and: conditions } as FilterQuery<E>, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] as never, limit: limit + 1 });
  const records = found.slice(0, limit) as E[];
  const last = records.at(-1);
  return { records, nextCursor: found.length > limit && last ? encodeCursor(last, kind.word, businessId, bound) : null };
}

const after = ({ createdAt, id }: { createdAt: Date; id: string }) => ({ $or: [{ createdAt: { $gt: createdAt } }, { createdAt, id: { $gt: id } }] });

/** Every word occurs in one of the columns, whatever the case. Words of three letters and more are looked up in an index. */
function matching(text: string, columns: string[], expressions: readonly string[]): object {
  const words = text.trim().split(/\s+/).filter(Boolean);
  return {
    $and: words.map((word) => {
      const pattern = { $ilike: `%${word.replace(/[\\%_]/g, '\\$&')}%` };
      return { $or: [...columns.map((column) => ({ [column]: pattern })), ...expressions.map((expression) => ({ [raw(expression)]: pattern }))] };
    }),
  };
}

export async function getRecord<E extends StoredRecord>(em: EntityManager, kind: Pick<RecordKind<E>, 'word' | 'entity'>, id: string, status: RecordStatus = 'active'): Promise<E> {
  const record = await em.findOne(kind.entity, { $and: [{ id }, byStatus[status]] } as FilterQuery<E>);
  if (record === null) throw notFound(kind.word, id);
  return record as E;
}

/** Active records by id; an id that is not there is missing from the map. */
export async function recordsById<E extends StoredRecord>(em: EntityManager, entity: RecordKind<E>['entity'], ids: readonly string[], lockMode?: RowLock): Promise<Map<string, E>> {
  if (ids.length === 0) return new Map();
  const records = await em.find(entity, { id: { $in: [...ids] }, deletedAt: null } as FilterQuery<E>, lockMode === undefined ? {} : { lockMode });
  return new Map((records as E[]).map((record) => [record.id, record]));
}
