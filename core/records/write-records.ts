import { isDeepStrictEqual } from 'node:util';
import type { FilterQuery } from '@mikro-orm/postgresql';
import { conflict, notFound, preconditionFailed, stale, taken, throwIfAny } from '../contract/errors.ts';
import { rowLock, sqlState, type EntityManager } from '../db/store.ts';
import type { StoredRecord } from './entity.ts';
import type { Body, Intent, RecordKind } from './kind.ts';

/** The id that a client chose; undefined where it leaves the choice to us. Its form has been judged by the schema of the body. */
export const chosenId = (body: Body): string | undefined => body.id as string | undefined;

export async function createRecord<E extends StoredRecord>(em: EntityManager, businessId: string, kind: RecordKind<E>, body: Body): Promise<E> {
  await kind.lockFirst?.(em, businessId, 'create');
  const id = chosenId(body);
  if (id !== undefined) await refuseTaken(em, kind, id);
  const record = em.create(kind.entity, { businessId, ...(id === undefined ? {} : { id }), ...kind.columns(body) } as never, { partial: true }) as E;
  throwIfAny(await kind.problems(em, record, null));
  em.persist(record);
  await flushNew(em, kind.word, [record]);
  await kind.afterWrite?.(em, record, null);
  return record;
}

/** Ids of deleted records stay taken. */
async function refuseTaken<E extends StoredRecord>(em: EntityManager, kind: RecordKind<E>, id: string): Promise<void> {
  if ((await em.count(kind.entity, { id } as FilterQuery<E>)) > 0) throw taken(kind.word, id);
}

const uniqueViolation = '23505';

/** Another transaction may have taken an id since we looked; the primary key decides. */
export async function flushNew(em: EntityManager, word: string, records: StoredRecord[]): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    throw records.length === 1 ? taken(word, records[0].id) : conflict(`another request has just created a ${word} with one of these ids`);
  }
}

/** The active record, locked, in the revision that the client expects. */
export async function lockRecord<E extends StoredRecord>(em: EntityManager, kind: Pick<RecordKind<E>, 'word' | 'entity'>, id: string, expected: { ifMatch?: readonly number[]; revision?: unknown } = {}): Promise<E> {
  const record = (await em.findOne(kind.entity, { id } as FilterQuery<E>, { lockMode: rowLock.write })) as E | null;
  if (record === null) throw notFound(kind.word, id);
  if (record.deletedAt) throw notFound(`active ${kind.word}`, id);
  if (expected.ifMatch && !expected.ifMatch.includes(record.revision)) throw preconditionFailed(record.revision);
  if (expected.revision !== undefined && expected.revision !== record.revision) throw stale(kind.word, expected.revision as number, record.revision);
  return record;
}

/** Merges the fields of the body into the record. */
export async function updateRecord<E extends StoredRecord>(em: EntityManager, kind: RecordKind<E>, id: string, body: Body, intent: Intent): Promise<E> {
  await kind.lockFirst?.(em, businessOf(em), 'update');
  const record = await lockRecord(em, kind, id, { ifMatch: intent.ifMatch, revision: body.revision });
  const before = { ...record } as Partial<E>;
  Object.assign(record, kind.columns(body));
  throwIfAny(await kind.problems(em, record, before));
  keepEqualValues(record, before);
  await em.flush();
  await kind.afterWrite?.(em, record, before);
  return record;
}

/** A value that says the same in another order of its keys is no edit, and makes no revision. */
export function keepEqualValues<E extends object>(record: E, before: Partial<E>): void {
  for (const key of Object.keys(before) as (keyof E)[]) {
    if (record[key] !== before[key] && isDeepStrictEqual(record[key], before[key])) record[key] = before[key] as E[typeof key];
  }
}

export async function deleteRecord<E extends StoredRecord>(em: EntityManager, kind: RecordKind<E>, id: string, intent: Intent): Promise<void> {
  await kind.lockFirst?.(em, businessOf(em), 'delete');
  const record = await lockRecord(em, kind, id, { ifMatch: intent.ifMatch });
  await kind.guardDeletion?.(em, record);
  markDeleted(record, intent);
  await em.flush();
  await kind.afterWrite?.(em, record, record);
}

const businessOf = (em: EntityManager): string => (em.getFilterParams('business') as { businessId: string }).businessId;

export function markDeleted(record: StoredRecord, intent: Intent): void {
  record.deletedAt = new Date();
  record.deletedBy = intent.actorId;
}

/** Fails unless `id` names an active record; keeps it from being deleted until the transaction ends. */
export async function referenceProblem<E extends StoredRecord>(em: EntityManager, kind: { word: string; entity: RecordKind<E>['entity'] }, id: string | null | undefined, path: string) {
  if (id === null || id === undefined) return [];
  const found = await em.findOne(kind.entity, { id, deletedAt: null } as FilterQuery<E>, { lockMode: rowLock.read });
  return found === null ? [{ path, message: `names no ${kind.word}` }] : [];
}
