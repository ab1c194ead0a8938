import { openStore, type Store } from './store.ts';

/** Any number that nobody else takes: whoever migrates holds this lock. */
const advisoryLock = 7_264_001;

/** Brings the database to its present shape; answers the names of the migrations that ran. Two at once wait for one another. */
export async function migrate(config: { databaseUrl: string }): Promise<string[]> {
  const store = await openStore(config.databaseUrl, { poolSize: 3 });
  try {
    return await store.em.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [advisoryLock]);
      const ran = await store.migrator.up();
      return ran.map((migration) => migration.name);
    });
  } finally {
    await store.close();
  }
}

/** The names of the migrations that have not run yet. */
export async function pendingMigrations(store: Store): Promise<string[]> {
  return (await store.migrator.getPending()).map((migration) => migration.name);
}
