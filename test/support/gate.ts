import pg from 'pg';

/** Keeps everybody waiting who is about to write to a table, or to lock rows of it; reading goes on. */
export interface Gate {
  /** How many connections stand still, before the gate or behind one another. */
  waiting(): Promise<number>;
  open(): Promise<void>;
}

export async function closeGate(databaseUrl: string, table: string): Promise<Gate> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`begin; lock table ${table} in exclusive mode`).catch(async (error) => {
    await client.end();
    throw error;
  });
  return {
    async waiting() {
      // Within a transaction the list of connections stays as it was when it was first read.
      await client.query('select pg_stat_clear_snapshot()');
      return (await client.query(standingStill)).rows[0].count;
    },
    open: () => client.end(),
  };
}

const standingStill = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
