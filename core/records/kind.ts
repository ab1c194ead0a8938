import type { EntityClass } from '@mikro-orm/core';
import type { EntityManager } from '../db/store.ts';
import type { Problem } from '../contract/errors.ts';
import type { StoredRecord } from './entity.ts';

/** The wire body of a creation or an update, after the schema has passed it. */
export type Body = Record<string, unknown>;

/** Who does it, and what it expects to change. */
export interface Intent {
  /** An account or an API key: what `deleted_by` shows. */
  actorId: string;
  requestId?: string;
  /** The revisions in If-Match, one of which must be the current one; checked before anything else. */
  ifMatch?: readonly number[];
}

/** What a kind of record says about itself; `core/records` does the rest. */
export interface RecordKind<E extends StoredRecord> {
  /** In messages: `vehicle`. */
  word: string;
  entity: EntityClass<E>;
  /** Columns that `q` looks into, besides the id. */
  searched: readonly (keyof E & string)[];
  /** And expressions in SQL. The ones here are indexed by a migration; it and this must be the same text. */
  searchedExpressions?: readonly string[];
  /** The columns that the fields of a body stand for; only the fields that are present. */
  columns(body: Body): Partial<E>;
  present(record: E): object;
  /**
   * The rules of the record as it will be stored, references included. Takes a read lock on what it refers to, so that it can not
   * be deleted meanwhile. Throws a conflict itself where the answer is not 422.
   */
  problems(em: EntityManager, next: E, before: Partial<E> | null): Promise<Problem[]> | Problem[];
  /**
   * Locks what has to be locked before the record and before what it refers to. Drivers' actions hold the capacity of the business first
   * and rows after it: whoever waited for the capacity with a row in hand would stop them and be stopped by them.
   */
  lockFirst?(em: EntityManager, businessId: string, deed: 'create' | 'update' | 'delete'): Promise<unknown>;
  /** Throws a conflict where the record must stay. The record is locked. */
  guardDeletion?(em: EntityManager, record: E): Promise<void>;
  /** What else changes in the same transaction. */
  afterWrite?(em: EntityManager, record: E, before: Partial<E> | null): Promise<void>;
}
