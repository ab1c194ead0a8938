import { IsolationLevel, LockMode, MikroORM, OptimisticLockError, type EntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { conflict, unavailable } from '../contract/errors.ts';
import { tellChanges } from '../events/tell-changes.ts';
import { changeWatcher } from '../events/watch-changes.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations/index.ts';
import { currentUnit, joinIn, openIn } from './one-transaction.ts';
import { changeRecorder } from './recorded-changes.ts';

export type { EntityManager };
export type Store = MikroORM;

export async function openStore(databaseUrl: string, options: { poolSize?: number } = {}): Promise<Store> {
  return MikroORM.init({
    entities,
    extensions: [Migrator],
    clientUrl: databaseUrl,
    forceUtcTimezone: true,
    pool: { min: 0, max: options.poolSize ?? 10 },
    // Statements of a transaction stay as they are written: no look-ahead by the ORM, nothing flushed behind our back.
    flushMode: 'commit',
    subscribers: [changeRecorder, changeWatcher],
    migrations: { migrationsList: migrations, tableName: 'milkrun_migrations', snapshot: false, transactional: true, allOrNothing: true, silent: true },
    discovery: { checkDuplicateFieldNames: true },
  });
}

/** An entity manager that sees the records of one business and no others. */
export function inBusiness(em: EntityManager, businessId: string): EntityManager {
  em.setFilterParams('business', { businessId });
  return em;
}

const attemptsMax = 6;

/**
 * Runs `work` in one transaction over the records of one business. Serialization failures, deadlocks and lost races of two
 * writers are tried again from the start, with all reads; when they do not end, the caller gets a conflict. `work` must
 * have no effect outside the database. In a request that writes (`inOneTransaction`) it commits with the answer.
 */
export async function transaction<T>(store: Store, businessId: string | null, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const unit = currentUnit();
  const toldWork = telling(work);
  for (let attempt = 1; ; attempt++) {
    const em = scoped(unit?.em?.fork({ keepTransactionContext: true }) ?? store.em.fork(), businessId);
    try {
      if (unit?.em) return await joinIn(unit, em, toldWork);
      if (unit) return await openIn(unit, em, toldWork);
      return await em.transactional(toldWork, { isolationLevel: IsolationLevel.READ_COMMITTED });
    } catch (error) {
      if (!isLostRace(error)) throw error;
      // What has gone before in the same transaction can not be done again from here.
      if (unit?.em || attempt >= attemptsMax) throw conflict('others are changing the same records; try again');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
    }
  }
}

/** The last act of every transaction: the events of what it has changed. */
const telling = <T>(work: (em: EntityManager) => Promise<T>) => async (em: EntityManager): Promise<T> => {
  const result = await work(em);
  await em.flush();
  await tellChanges(em);
  return result;
};

/** A fresh entity manager for reading: outside of a transaction, or what the request has written so far. */
export function reader(store: Store, businessId: string | null): EntityManager {
  return scoped(currentUnit()?.em?.fork({ keepTransactionContext: true }) ?? store.em.fork(), businessId);
}

const scoped = (em: EntityManager, businessId: string | null): EntityManager => (businessId === null ? em : inBusiness(em, businessId));

/** All reads of `work` see the database as of one moment. */
export async function snapshot<T>(store: Store, businessId: string, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return inBusiness(store.em.fork(), businessId).transactional(work, { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
}

/** SQLSTATE of an error of the database, through the ORM's wrapping. */
export const sqlState = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

const serializationFailure = '40001';
const deadlockDetected = '40P01';

function isLostRace(error: unknown): boolean {
  const state = sqlState(error);
  return state === serializationFailure || state === deadlockDetected || error instanceof OptimisticLockError;
}

/** Connections that fail or are refused, no database, no right to enter it, no room in it; of SQL and of the network. */
const connectionTrouble = /^(08|28|3D000|53|57P0)|^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)$/;
/** The driver has no code for a server that hangs up. */
const hungUp = /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error/;

/** Turns "no database" into the interface's word for it; returns anything else as it is. */
export function asUnavailable(error: unknown): unknown {
  const isTrouble = connectionTrouble.test(sqlState(error) ?? '') || (error instanceof Error && hungUp.test(error.message));
  return isTrouble ? unavailable('the database can not be reached') : error;
}

/** Row locks: `read` keeps a referenced record from being deleted, `write` keeps everybody out. */
export const rowLock = { read: LockMode.PESSIMISTIC_READ, write: LockMode.PESSIMISTIC_WRITE } as const;
export type RowLock = (typeof rowLock)[keyof typeof rowLock];
