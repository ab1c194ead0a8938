import type pg from 'pg';

/** Until a statement of the service waits for a lock of the database; false where the request is answered without waiting. */
export async function waitsForLock(db: pg.Client, pending: Promise<unknown>): Promise<boolean> {
  let isAnswered = false;
  void pending.finally(() => (isAnswered = true));
  for (;;) {
    const { rows } = await db.query(`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if (rows[0].n > 0 || isAnswered) return rows[0].n > 0;
  }
}
