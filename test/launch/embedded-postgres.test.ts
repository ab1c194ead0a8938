import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { commandOf } from '../../launch/command-of.ts';
import { startEmbeddedPostgres } from '../../launch/embedded-postgres.ts';
import type { EmbeddedPostgres } from '../../launch/embedded-postgres.ts';
import { openTmpdir } from '../support/open-tmpdir.ts';

let base: string;
let directory: string;
let running: EmbeddedPostgres[];
let parents: ChildProcess[];

beforeEach(() => {
  base = mkdtempSync(join(openTmpdir(), 'milkrun-test with spaces-'));
  chmodSync(base, 0o711);
  directory = join(base, 'postgres');
  running = [];
  parents = [];
});

afterEach(async () => {
  for (const parent of parents) parent.kill('SIGKILL');
  await Promise.all(running.map((postgres) => postgres.stop()));
  if (existsSync(directory)) rmSync(realpathSync(directory), { recursive: true, force: true });
  rmSync(base, { recursive: true, force: true });
});

describe('with a cluster from an earlier start', () => {
  let earlier: string;

  beforeAll(async () => {
    earlier = mkdtempSync(join(openTmpdir(), 'milkrun-test-earlier-'));
    chmodSync(earlier, 0o711);
    const postgres = await startEmbeddedPostgres({ directory: join(earlier, 'postgres') });
    await query(postgres.url, 'create table kept (id int)');
    await query(postgres.url, 'insert into kept values (7)');
    await postgres.stop();
    expect(await refusesConnections(postgres.url)).toBe(true);
  });
  afterAll(() => rmSync(earlier, { recursive: true, force: true }));
  beforeEach(() => { execFileSync('cp', ['-Rp', join(earlier, 'postgres'), directory]); });

  test('what was stored is there', async () => {
    expect(await query((await start()).url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  test('nobody gets in without the password', async () => {
    const wrong = new URL((await start()).url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  test('the server goes with a parent that is killed, and the data can be used at once', async () => {
    const parent = await startInAnotherProcess({ directory });
    await query(parent.url, 'insert into kept values (8)');
    await parent.kill();
    expect(await query((await start()).url, 'select id from kept order by id')).toEqual([{ id: 7 }, { id: 8 }]);
  });

  test('a lock file whose process number belongs to somebody else is no obstacle', async () => {
    writeFileSync(join(directory, 'data/postmaster.pid'), `${process.pid}\n${directory}/data\n1\n5432\n\n127.0.0.1\n\nready   \n`);
    expect(await query((await start()).url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  test('another version is refused with both numbers', async () => {
    writeFileSync(join(directory, 'data/PG_VERSION'), '12\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 12, and this is 18/);
  });
});

test('two run side by side', async () => {
  const [here, there] = await Promise.all([start({ isTemporary: true }), start({ isTemporary: true, directory: join(base, 'other') })]);
  await query(here.url, 'create table only_here (id int)');
  expect(await query(there.url, `select to_regclass('only_here') as found`)).toEqual([{ found: null }]);
});

test('a temporary one leaves nothing, also when its parent is killed', async () => {
  const parent = await startInAnotherProcess({ directory, isTemporary: true });
  const server = Number.parseInt(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8'), 10);
  expect(commandOf(server)).toContain(realpathSync(directory));
  await parent.kill();
  while (commandOf(server) || (existsSync(directory) && readdirSync(directory).length > 0)) await new Promise((resolve) => { setTimeout(resolve, 20); });
  // As an ordinary user nothing at all is left; as root an empty folder may be, of which the parent belongs to root.
  if (existsSync(directory)) rmSync(realpathSync(directory), { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });

  const stopped = await start({ isTemporary: true });
  await stopped.stop();
  expect(existsSync(directory)).toBe(false);
});

test('a set-up that was interrupted is begun anew', async () => {
  // What initdb leaves when it is killed stands beside the final place, never in it.
  mkdirSync(join(directory, 'draft'), { recursive: true });
  writeFileSync(join(directory, 'draft/half'), '');
  expect(await query((await start({ isTemporary: true })).url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot('as root: a directory that the database cannot reach holds a link to one that it can (needs root)', async () => {
  chmodSync(base, 0o700);
  const postgres = await start();
  expect(lstatSync(directory).isSymbolicLink()).toBe(true);
  await query(postgres.url, 'create table kept (id int)');
  await postgres.stop();
  expect(await query((await start()).url, `select to_regclass('kept')::text as found`)).toEqual([{ found: 'kept' }]);
});

async function start(options: { directory?: string; isTemporary?: boolean } = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, ...options });
  running.push(postgres);
  return postgres;
}

async function startInAnotherProcess(options: { directory: string; isTemporary?: boolean }): Promise<{ url: string; kill(): Promise<void> }> {
  const module = new URL('../../launch/embedded-postgres.ts', import.meta.url).href;
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    process.stdout.write((await startEmbeddedPostgres(${JSON.stringify(options)})).url);
    setInterval(() => {}, 1000);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  parents.push(parent);
  const exited = once(parent, 'exit');
  const [url] = await Promise.race([
    once(parent.stdout, 'data'), exited.then(() => { throw new Error('the parent ended by itself'); }),
  ]);
  return {
    url: String(url),
    kill: async () => {
      parent.kill('SIGKILL');
      await exited;
    },
  };
}

async function refusesConnections(url: string): Promise<boolean> {
  try {
    await query(url, 'select 1');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  }
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
