import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReadyMessage } from '../../launch/serve.ts';
import { createClient, type Client } from './client.ts';
import { createDatabase } from './database.ts';
import type { TestService } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TwoDaemons extends TestService {
  /** The same credential at the one and at the other. */
  both(client: Client): [Client, Client];
}

/** Two daemons, as processes of their own, on one database: what they agree on, they agree on there. */
export async function startTwoDaemons(): Promise<TwoDaemons> {
  const database = await createDatabase();
  const env = { ...process.env, DATABASE_URL: database.url, MILKRUN_PORT: '0', MILKRUN_REGISTRATION: 'open', MILKRUN_LOG_LEVEL: process.env.MILKRUN_LOG_LEVEL ?? 'silent', MILKRUN_RATE_LIMIT: 'off', MILKRUN_DATA: temporaryFolder() };
  const [one, other] = await Promise.all([start(env), start(env)]);
  return {
    url: one.url,
    databaseUrl: database.url,
    anonymous: createClient(one.url),
    both: ({ token }) => [createClient(one.url, token), createClient(other.url, token)],
    async close() {
      await Promise.all([one, other].map(({ process: child }) => stop(child)));
      await database.drop();
    },
  };
}

async function start(env: NodeJS.ProcessEnv): Promise<{ url: string; process: ChildProcess }> {
  const child = fork(fileURLToPath(new URL('../../bin/milkrun.ts', import.meta.url)), ['daemon'], { env, execArgv: [] });
  const ended = once(child, 'exit').then(([code]) => { throw new Error(`the daemon ended with ${code}`); });
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [ReadyMessage];
  ended.catch(() => {});
  return { url: url!, process: child };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
