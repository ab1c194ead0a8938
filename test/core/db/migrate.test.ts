import { afterEach, expect, test } from '@jest/globals';
import { migrate, pendingMigrations } from '../../../core/db/migrate.ts';
import { migrations } from '../../../core/db/migrations/index.ts';
import { openStore } from '../../../core/db/store.ts';
import { createDatabase, rowsOf, type TestDatabase } from '../../support/database.ts';

let databases: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(databases.map((database) => database.drop()));
  databases = [];
});

async function emptyDatabase(): Promise<string> {
  const database = await createDatabase({ isEmpty: true });
  databases.push(database);
  return database.url;
}

/** What only SQL reads and writes, so that no entity knows it. */
const onlySql = /^(businesses\.(capacity_taken_by|next_map_update_at) |region_dataset_holds\.|scenario_graphs\.|scenario_graph_texts\.|webhook_secrets\.|webhook_deliveries\.(failures|position) |events\.(fanned_out_at|position) |orders\.event_sequence )/;

/** Each column as `table.column type null`. */
async function columnsIn(url: string): Promise<string[]> {
  const rows = await rowsOf(url, `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relname <> 'milkrun_migrations'`);
  return rows.map(({ relname, attname, type, attnotnull }) => `${relname}.${attname} ${type}${attnotnull ? '' : ' null'}`).toSorted();
}

const typeNames: Record<string, string> = { int: 'integer', bigserial: 'bigint', timestamptz: 'timestamp with time zone', 'timestamptz(6)': 'timestamp with time zone', 'timestamptz(0)': 'timestamp with time zone' };
const longType = (type: string): string => typeNames[type] ?? type.replace(/^varchar/, 'character varying');

test('an empty database gets exactly the columns that the entities have', async () => {
  const url = await emptyDatabase();
  expect(await migrate({ databaseUrl: url })).toEqual(migrations.map(({ name }) => name));
  const store = await openStore(url, { poolSize: 1 });
  try {
    const wanted = [...store.getMetadata().getAll().values()].filter((meta) => !meta.embeddable && !meta.abstract).flatMap((meta) =>
      meta.props.filter((prop) => prop.persist !== false).map((prop) => `${meta.tableName}.${prop.fieldNames[0]} ${longType(prop.columnTypes[0])}${prop.nullable ? ' null' : ''}`));
    expect((await columnsIn(url)).filter((column) => wanted.includes(column) || !onlySql.test(column))).toEqual(wanted.toSorted());
    expect(await pendingMigrations(store)).toEqual([]);
  } finally {
    await store.close();
  }
});

test('every table of a business is keyed by it first, and can not outlive it', async () => {
  const url = await emptyDatabase();
  await migrate({ databaseUrl: url });
  const rows = await rowsOf(url, `select c.relname, (select string_agg(a.attname, ',' order by k.place) from unnest(p.conkey) with ordinality as k(number, place) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number) as key,
      exists (select 1 from pg_constraint f join pg_attribute a on a.attrelid = c.oid and a.attnum = any (f.conkey) where f.conrelid = c.oid and f.contype = 'f' and a.attname = 'business_id') as bound
    from pg_class c join pg_constraint p on p.conrelid = c.oid and p.contype = 'p' where exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'revision') and c.relname <> 'businesses'`);
  expect(rows.length).toBeGreaterThanOrEqual(11);
  for (const row of rows) expect(row).toEqual({ relname: row.relname, key: 'business_id,id', bound: true });
});

test('migrating again changes nothing, and of two at once one does it', async () => {
  const url = await emptyDatabase();
  const runs = await Promise.all([migrate({ databaseUrl: url }), migrate({ databaseUrl: url }), migrate({ databaseUrl: url })]);
  expect(runs.filter((ran) => ran.length > 0)).toEqual([migrations.map(({ name }) => name)]);
  const before = await columnsIn(url);
  expect(await migrate({ databaseUrl: url })).toEqual([]);
  expect(await columnsIn(url)).toEqual(before);
});

test('the roads of scenarios that are there come along when they are kept apart', async () => {
  const url = await emptyDatabase();
  const store = await openStore(url, { poolSize: 1 });
  try {
    await store.migrator.up({ to: '2026-11-21-published-details' });
    const [business, hash] = ['01900000-0000-7000-8000-000000000001', 'a'.repeat(64)];
    const nodes = Array.from({ length: 6_000 }, (_, place) => ({ id: `Straßenecke № ${place}`, x: place / 1_000, y: 50 }));
    await rowsOf(url, `insert into businesses (id, name, created_at, updated_at, time_zone, planning, evidence, routing) values ($1, 'B', now(), now(), 'UTC', '{}', '{}', '{}')`, [business]);
    for (const id of ['one', 'two']) {
      await rowsOf(url, `insert into scenarios (business_id, id, created_at, updated_at, name, nodes, edges, samples, graph_hash) values ($1, $2, now(), now(), 'S', $3, '[]', '{}', $4)`, [business, id, JSON.stringify(nodes), hash]);
    }
    await store.migrator.up();
    const texts = await rowsOf(url, `select field, convert_from(string_agg(text, ''::bytea order by piece), 'UTF8')::jsonb as json, count(*)::int as pieces from scenario_graph_texts where business_id = $1 and digest = $2 group by field order by field`, [business, hash]);
    expect(texts).toEqual([{ field: 'edges', json: [], pieces: 1 }, { field: 'nodes', json: nodes, pieces: 2 }]);
    expect(await rowsOf(url, 'select id, graph_digest from scenarios order by id')).toEqual([{ id: 'one', graph_digest: hash }, { id: 'two', graph_digest: hash }]);
  } finally {
    await store.close();
  }
});
