import { AsyncLocalStorage } from 'node:async_hooks';
import { IsolationLevel } from '@mikro-orm/postgresql';
import type { RecordedChange } from './recorded-changes.ts';
import type { EntityManager, Store } from './store.ts';

/** What belongs into the transaction of a request besides its effect: an idempotency key, an entry of the audit log. */
export interface Companions<T> {
  /** Before the first change, and again when a lost race makes the work begin anew. */
  begin(em: EntityManager): Promise<void>;
  /** Whether `begin` and `end` are called where nothing has been written. */
  always: boolean;
  /** After the last change, with the answer; `changes` is null where nothing has been written. */
  end(em: EntityManager, answer: T, changes: readonly RecordedChange[] | null): Promise<void>;
}

interface Unit {
  begin(em: EntityManager): Promise<void>;
  /** Open from the first writing on. */
  em: EntityManager | null;
  changes: RecordedChange[];
  isOver: boolean;
}

const units = new AsyncLocalStorage<Unit>();

/**
 * Runs `handle` so that its transactions are one, which is committed after the answer has been made: a retry after a crash finds
 * either nothing or the effect with the answer that belongs to it. The transaction opens with the first writing, so that whatever
 * is read and computed before it holds no connection.
 */
export async function inOneTransaction<T>(store: Store, companions: Companions<T>, handle: () => Promise<T>): Promise<T> {
  const unit: Unit = { begin: (em) => companions.begin(em), em: null, changes: [], isOver: false };
  try {
    const answer = await units.run(unit, handle);
    const changes = unit.em === null ? null : unit.changes;
    if (unit.em === null && companions.always) await openIn(unit, store.em.fork(), async () => {});
    if (unit.em !== null) await close(unit.em, (em) => companions.end(em, answer, changes));
    return answer;
  } catch (error) {
    if (unit.em?.isInTransaction()) await unit.em.rollback().catch(() => {});
    throw error;
  } finally {
    unit.isOver = true;
  }
}

async function close(em: EntityManager, end: (em: EntityManager) => Promise<void>): Promise<void> {
  // What somebody has done to a record since it was written is not to be written now.
  em.clear();
  await end(em);
  await em.commit();
}

/** The unit that the caller runs in. Work that outlives its request is on its own. */
export function currentUnit(): Unit | null {
  const unit = units.getStore();
  return unit === undefined || unit.isOver ? null : unit;
}

/** Begins the transaction of a unit with this work; when the work fails the unit is as before. */
export async function openIn<T>(unit: Unit, em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  await em.begin({ isolationLevel: IsolationLevel.READ_COMMITTED });
  try {
    await unit.begin(em);
    const result = await work(em);
    await em.flush();
    unit.em = em;
    return result;
  } catch (error) {
    unit.changes.length = 0;
    await em.rollback().catch(() => {});
    throw error;
  }
}

/** A later piece of work in the open transaction. Where it fails, only it is undone. */
export async function joinIn<T>(unit: Unit, em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const changesBefore = unit.changes.length;
  try {
    return await em.transactional(work);
  } catch (error) {
    unit.changes.length = changesBefore;
    throw error;
  }
}
