import { fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../../launch/embedded-postgres.ts';
import { migrateAll } from '../../launch/migrate.ts';

const json = { 'content-type': 'application/json' };

/** What a benchmark of the interface runs against: a daemon and the floor, as processes of their own on one new database. */
export async function startBenchService() {
  const postgres = await startEmbeddedPostgres({ directory: mkdtempSync(join(tmpdir(), 'milkrun-bench-')), isTemporary: true });
  await migrateAll({ databaseUrl: postgres.url });
  const env = { ...process.env, DATABASE_URL: postgres.url, MILKRUN_PORT: '0', MILKRUN_REGISTRATION: 'open', MILKRUN_LOG_LEVEL: 'warn', MILKRUN_RATE_LIMIT: 'off' };
  const daemon = await start('../../bin/milkrun.ts', ['daemon'], env);
  const floor = await start('./floor-server.ts', [], env);
  let headers: Record<string, string> = json;
  const post = async (path: string, body: unknown): Promise<any> => { // eslint-disable-line @typescript-eslint/no-explicit-any
    const response = await fetch(daemon.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    daemon, floor, json, post,
    databaseUrl: postgres.url,
    /** Signs up and in: from then on `post` is an administrator's. The headers of further requests. */
    async signIn() {
      const credentials = { email: 'bench@depot.example', password: 'correct horse battery' };
      await post('/api/v1/accounts', credentials);
      headers = { ...json, authorization: `Bearer ${(await post('/api/v1/sessions', credentials)).access_token}` };
      return headers;
    },
    async stop() {
      for (const { child } of [daemon, floor]) child.kill('SIGTERM');
      if (daemon.child.exitCode === null) await new Promise((resolve) => { daemon.child.once('exit', resolve); });
      await postgres.stop();
    },
  };
}

async function start(path: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = fork(fileURLToPath(new URL(path, import.meta.url)), args, { env });
  const { url } = await new Promise<{ url: string }>((resolve) => { child.once('message', resolve as never); });
  return { child, url };
}
