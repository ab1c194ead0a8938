import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Undefined where there is none: `apt-get install redis-server`, or any other way to have redis-server or valkey-server in the PATH. */
export const redisProgram = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);

export interface TestRedis {
  url: string;
  stop(): Promise<void>;
}

export async function startRedis(program: string): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'milkrun-test-redis-'));
  const port = await freePort();
  const server: ChildProcess = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    server.stdout!.on('data', (data) => { if (String(data).includes('Ready to accept connections')) resolve(); });
    server.once('error', reject).once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
      rmSync(directory, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
