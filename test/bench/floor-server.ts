/** The floor of `bench:api`: the same SQL behind a bare `node:http` server, without checks of any kind. Started as a child process. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const statements: Record<string, (path: string[], body: Record<string, unknown>) => Promise<unknown>> = {
  'GET order': async ([business, id]) => (await pool.query('select * from orders where business_id = $1 and id = $2', [business, id])).rows[0],
  'GET vehicles': async ([business]) => (await pool.query('select * from vehicles where business_id = $1 and deleted_at is null order by created_at, id limit 10001', [business])).rows,
  'POST orders': async ([business], body) =>
    (await pool.query(
      `insert into orders (business_id, id, created_at, updated_at, type, location, duration_seconds, window_start, window_end, custom_fields, schema_snapshot)
       values ($1, $2, now(), now(), 'task', $3, $4, $5, $6, '{}', '{"schemas":[]}') returning *`,
      [business, randomUUID(), body.location, body.duration_seconds, body.window_start, body.window_end],
    )).rows[0],
  'PATCH order': async ([business, id], body) => (await pool.query('update orders set custom_fields = $3, revision = revision + 1, updated_at = now() where business_id = $1 and id = $2 returning *', [business, id, body.custom_fields])).rows[0],
  // What an availability query asks of the database, and what it writes.
  'POST availability': async ([business], { candidates }) => {
    const found = (await pool.query('select * from businesses where id = $1', [business])).rows[0];
    await pool.query('select id, graph_digest from scenarios where business_id = $1 and id = $2 and deleted_at is null', [business, found.active_scenario_id]);
    await pool.query('select count(*), sum(revision) from warehouses where business_id = $1', [business]);
    await pool.query("select id, revision, status from orders where business_id = $1 and status in ('in_progress', 'completed', 'unable_to_complete') and plan_id is not null", [business]);
    const client = await pool.connect();
    await client.query('begin');
    const windows = candidates as { start: string; end: string }[];
    const rows = windows.map((_, index) => `($1, $2 || '-${index}', now(), now(), $3, $${4 + 2 * index}, $${5 + 2 * index}, '{}', 900, false, false, 'van', '2031-03-03', now(), now())`);
    const group = randomUUID();
    await client.query(
      `insert into reservations (business_id, id, created_at, updated_at, group_id, window_start, window_end, location, duration_seconds, schedule_lock, assignment_lock, vehicle_id, shift_date, start_at, expires_at) values ${rows.join(', ')}`,
      [business, group, group, ...windows.flatMap(({ start, end }) => [start, end])],
    );
    await client.query('commit');
    client.release();
    return { group, windows };
  },
};

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

const server = createServer((request, response) => {
  const [, what, ...path] = request.url!.split('/');
  void read(request).then((body) => statements[`${request.method} ${what}`](path, body)).then((answer) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
});
server.listen(0, '127.0.0.1', () => process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
process.on('disconnect', () => process.exit(0));
