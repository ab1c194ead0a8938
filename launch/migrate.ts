import { migrate } from '../core/db/migrate.ts';
import { migrateQueues } from '../core/jobs/migrate-queues.ts';

/** Brings everything in the database to the present shape, our tables and the queues'. The names of the migrations that ran. */
export async function migrateAll(config: { databaseUrl: string }): Promise<string[]> {
  const ran = await migrate(config);
  // Also where Redis holds the queues: the way back is then only a variable.
  await migrateQueues(config);
  return ran;
}
