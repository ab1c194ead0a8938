import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database for one test file: `beforeAll` creates it, `afterAll` drops it. It is migrated unless it is to be empty. */
export async function createDatabase(options: { isEmpty?: boolean } = {}): Promise<TestDatabase> {
  const templateUrl = await askForTemplate();
  const template = options.isEmpty ? 'template0' : new URL(templateUrl).pathname.slice(1);
  const name = `milkrun_test_${randomBytes(6).toString('hex')}`;
  // Copying files beats writing them to the log: without fsync the checkpoint that it needs is cheap.
  await administer(templateUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(templateUrl, `drop database ${name} with (force)`),
  };
}

/** Rows of a database, for what a test wants to see or change behind the service's back. */
export async function rowsOf(url: string, statement: string, values: unknown[] = []): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

async function askForTemplate(): Promise<string> {
  const broker = process.env.MILKRUN_TEST_BROKER;
  if (!broker) throw new Error('test/support/global-setup.ts has not run: start tests with `npm test`.');
  const response = await fetch(broker);
  const answer = await response.text();
  if (!response.ok) throw new Error(`There is no database for tests.\n${answer}`);
  return answer;
}

async function administer(templateUrl: string, statement: string): Promise<void> {
  const url = new URL(templateUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
