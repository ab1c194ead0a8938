import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, rowsOf } from './database.ts';
import type { TestDatabase } from './database.ts';

let databases: TestDatabase[];

beforeAll(async () => {
  databases = await Promise.all([createDatabase(), createDatabase()]);
});

afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()));
});

test('two databases know nothing of each other', async () => {
  await rowsOf(databases[0].url, 'create table only_here (id int)');
  expect(await rowsOf(databases[1].url, `select to_regclass('only_here') as found`)).toEqual([{ found: null }]);
});

test('the database speaks UTF-8 and UTC', async () => {
  const rows = await rowsOf(databases[0].url, `select current_setting('server_encoding') as encoding, current_setting('timezone') as zone, upper('é') as upper`);
  expect(rows).toEqual([{ encoding: 'UTF8', zone: 'UTC', upper: 'É' }]);
});
