import { readConfig } from '../../core/config.ts';
import { startDaemon } from '../../daemon/main.ts';
import { startWorkers } from '../../workers/main.ts';
import { createClient, type Client } from './client.ts';
import { createDatabase } from './database.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestService {
  url: string;
  databaseUrl: string;
  /** Without a credential. */
  anonymous: Client;
  close(): Promise<void>;
}

/** A daemon on a database of its own, and workers beside it where a test needs background work. Real HTTP, real PostgreSQL. */
export async function startService(options: { workers?: boolean; env?: Record<string, string> } = {}): Promise<TestService> {
  const database = await createDatabase();
  const config = readConfig({ DATABASE_URL: database.url, MILKRUN_PORT: '0', MILKRUN_REGISTRATION: 'open', MILKRUN_LOG_LEVEL: process.env.MILKRUN_LOG_LEVEL ?? 'silent', MILKRUN_RATE_LIMIT: 'off', MILKRUN_DATA: temporaryFolder(), ...options.env });
  const daemon = await startDaemon(config);
  const workers = options.workers ? await startWorkers(config) : null;
  return {
    url: daemon.url,
    databaseUrl: database.url,
    anonymous: createClient(daemon.url),
    async close() {
      await workers?.close();
      await daemon.close();
      await database.drop();
    },
  };
}
